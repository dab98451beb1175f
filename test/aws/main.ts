import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { installPython } from "../support/python-tool.ts";
import { certificateFor } from "./certificate.ts";
import { startMiniStack } from "./ministack.ts";
import { CLOUD_VARIABLE } from "./place.ts";

/**
 * `npm run test:aws [-- NAME …]` deploys the stacks with the CDK onto an emulator of AWS on this machine, and
 * does there what a user would do. Names choose among the files `test/aws/*.e2e.ts`; without names, all of
 * them run one after the other. Needs python3 with venv and pip, and openssl.
 */

const ROOT = join(import.meta.dirname, "../..");

const say = (text: string) => process.stderr.write(`test:aws: ${text}\n`);

async function run(names: readonly string[], folder: string, stopping: AbortSignal): Promise<number> {
  const installed = await installPython(join(import.meta.dirname, "ministack-requirements.txt"));
  if ("missing" in installed) {
    say(`the emulator of AWS could not be installed: ${installed.missing}`);
    return 1;
  }
  stopping.throwIfAborted();
  // Our Node comes first, because the emulator runs functions with the first `node` in the path.
  const path = [dirname(process.execPath), join(ROOT, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  const certificate = await certificateFor(folder);
  const cloud = await startMiniStack({ python: installed.python, folder, path, certificate, signal: stopping });
  say(`MiniStack runs at ${cloud.place.endpoint}; its log and all other files are in ${folder}`);
  try {
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    const tests = spawn(process.execPath, [vitest, "run", "--config", "test/aws/vitest.config.ts", ...names], {
      cwd: ROOT,
      stdio: "inherit",
      signal: stopping,
      env: {
        ...inherited(),
        PATH: path,
        NODE_EXTRA_CA_CERTS: cloud.place.certificate,
        [CLOUD_VARIABLE]: JSON.stringify(cloud.place),
      },
    });
    const [code] = await once(tests, "exit");
    return code ?? 1;
  } finally {
    await cloud.stop();
  }
}

/**
 * This process's variables, without those for a person's AWS account. A test on a real bucket
 * (`FILLBOOK_TEST_BUCKET`) needs them, so it keeps them.
 */
function inherited(): Readonly<Record<string, string>> {
  const isWanted = (name: string) => !name.startsWith("AWS_") || (process.env["FILLBOOK_TEST_BUCKET"] ?? "") !== "";
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && isWanted(name) ? [[name, value]] : [],
    ),
  );
}

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => interrupted.abort(new Error(`stopped by ${signal}`)));
}
const folder = await mkdtemp(join(tmpdir(), "fillbook-aws-"));
try {
  process.exitCode = await run(process.argv.slice(2), folder, interrupted.signal);
  interrupted.signal.throwIfAborted();
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
