import { join } from "node:path";
import process from "node:process";
import { start } from "../cli/child.ts";

export type Certificate = Awaited<ReturnType<typeof certificateFor>>;

/**
 * A self-signed certificate for 127.0.0.1 and for the emulator's CloudFront distributions. Our buckets and
 * the CDK's bucket deny access without TLS, and the emulator applies their policies, so the tests must use
 * TLS. Gives the paths of PEM files.
 */
export async function certificateFor(folder: string) {
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
    throw new Error("openssl cannot be run, and the emulator's certificate needs it", { cause });
  });
  if (code !== 0) {
    throw new Error(`openssl made no certificate: ${stderr.trim().split("\n").at(-1)}`);
  }
  return files;
}
