import { join } from "node:path";
import process from "node:process";
import { start } from "../cli/child.ts";

/** PEM files. */
export interface Certificate {
  readonly certificate: string;
  readonly key: string;
}

/**
 * A certificate for 127.0.0.1, and for distributions that are asked for there, that signs itself. Buckets
 * refuse what does not come over TLS (our own policies, and that of the CDK's bucket), and the emulator holds
 * itself to policies: so it is spoken to over TLS.
 */
export async function certificateFor(folder: string): Promise<Certificate> {
  const files = { certificate: join(folder, "cloud.crt"), key: join(folder, "cloud.key") };
  const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = [
    "-subj",
    "/CN=fillbook-test",
    "-addext",
    "subjectAltName=DNS:localhost,DNS:*.cloudfront.net,IP:127.0.0.1",
  ];
  const use = ["-addext", "basicConstraints=critical,CA:FALSE"];
  const out = ["-keyout", files.key, "-out", files.certificate];
  const { ended } = start("openssl", [...args, ...names, ...use, ...out], {
    environment: { PATH: process.env["PATH"] ?? "" },
  });
  const { code, stderr } = await ended.catch((cause: unknown) => {
    throw new Error("openssl is needed for the emulator's certificate, and cannot be run", { cause });
  });
  if (code !== 0) {
    throw new Error(`openssl made no certificate: ${stderr.trim().split("\n").at(-1)}`);
  }
  return files;
}
