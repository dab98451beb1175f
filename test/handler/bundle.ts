import { cpSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testApp } from "../infra/synth.ts";

/** The function's code as it is deployed, alone in a new folder: the caller removes it. */
export function bundleFolder(): string {
  const { app, outdir } = testApp({}, { bundle: true });
  app.synth();
  const [asset] = readdirSync(outdir).filter((name) => existsSync(join(outdir, name, "index.mjs")));
  if (asset === undefined) {
    throw new Error("the app has no bundle");
  }
  const folder = mkdtempSync(join(tmpdir(), "fillbook-lambda-"));
  cpSync(join(outdir, asset), folder, { recursive: true });
  return folder;
}
