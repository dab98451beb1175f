import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

export type Certificate = Awaited<ReturnType<typeof certificateFor>>;

/**
 * A self-signed certificate for 127.0.0.1 and for the emulator's CloudFront distributions. Our buckets and
 * the CDK's bucket deny access without TLS, and the emulator applies their policies, so the tests must use
 * TLS. Gives the paths of PEM files.
 */
export async function certificateFor(folder: string) {
  const files = { certificate: join(folder, "cloud.crt"), key: join(folder, "cloud.key") };
  const key = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = [
    "-subj",
    "/CN=fillbook-test",
    "-addext",
    "subjectAltName=DNS:localhost,DNS:*.cloudfront.net,IP:127.0.0.1",
  ];
  const use = ["-addext", "basicConstraints=critical,CA:FALSE"];
  const out = ["-keyout", files.key, "-out", files.certificate];
  await promisify(execFile)("openssl", [...key, ...names, ...use, ...out]).catch((cause: unknown) => {
    throw new Error("openssl made no certificate, which the emulator needs", { cause });
  });
  return files;
}
