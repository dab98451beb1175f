import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { chmod, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import { temporaryFolder } from "../leftovers.ts";
import { listen, stop } from "../support/loopback.ts";
import { bareEnvironment, start, startCli } from "./child.ts";

// Exit codes, streams and signals of the command line, in a real child process.

let folder = "";
let service: RunningEmulator;

const YEAR = ["--from", "2025-01-01", "--to", "2026-01-01"];

beforeEach(async () => {
  folder = temporaryFolder();
  service = await startEmulator({
    history: makeHistory({ seed: 7, fills: 1500, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) }),
  });
});

afterEach(() => service.close());

function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...service.environment(join(folder, "store")), ...more };
}

test("wrong usage exits with 2 and prints nothing on stdout", async () => {
  const stderr = 'fillbook: there is no command "snyc"\n  did you mean: fillbook sync\n';
  expect(await startCli(["snyc"]).ended).toEqual({ code: 2, stdout: "", stderr });
});

test("sync, then status, verify and export: the contract's objects on stdout, exit 0, every fill", async () => {
  const synced = await startCli(["sync", ...YEAR, "--json"], environment()).ended;
  expect(synced).toMatchObject({ code: 0 });
  const result = JSON.parse(synced.stdout);
  expect(result).toMatchObject({ account: "main", complete: true, fills: 1500, added: 1500, restated: 0 });
  expect(synced.stderr).toMatch(/^\d+ % read · [\d,]+ fills/m);

  const status = await startCli(["status", "--json"], environment()).ended;
  expect(JSON.parse(status.stdout)).toMatchObject({ fills: 1500, manifest: result.manifest, gaps: [] });
  expect(status.stderr).toBe("");
  const store = join(folder, "store");
  await chmod(store, 0o750);
  expect((await startCli(["status", "--json"], environment()).ended).stderr).toBe(
    `fillbook status: warning: other users of this machine can open ${store} (mode 750): to prevent that, chmod 700 it\n`,
  );

  const verified = await startCli(["verify", "--json"], environment()).ended;
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, findings: [] });

  const out = join(folder, "out");
  const exported = await startCli(["export", "--period", "calendar-2025", "--out", out, "--json"], environment()).ended;
  expect(exported).toMatchObject({ code: 0 });
  const pack = JSON.parse(exported.stdout);
  expect(pack).toMatchObject({ period: "calendar-2025", dir: out, complete: true });
  expect(await readdir(out, { recursive: true })).toEqual(
    expect.arrayContaining(pack.files.map((file: { path: string }) => file.path)),
  );
});

test("a second signal stops it at once with exit code 130", async () => {
  // An endless timer simulates a commit that hangs. Without it, the first signal would already end the
  // process.
  const hanging = ["--import", "data:text/javascript,setInterval(() => undefined, 1e9)"];
  const args = [...hanging, "lambda/cli.ts", "completed-orders"];
  const silent = createServer();
  const FILLBOOK_ACCOUNT_URL = await listen(silent);
  onTestFinished(() => stop(silent));
  const asked = once(silent, "request");
  const { child, ended } = start(process.execPath, args, { environment: environment({ FILLBOOK_ACCOUNT_URL }) });
  await asked;
  child.kill("SIGTERM");
  await heard(child.stderr, "fillbook: stopping");
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
});

test("it is not an error when the reader of stdout goes away", async () => {
  const child = spawn(process.execPath, ["lambda/cli.ts", "help", "export"], {
    env: bareEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect({ said, code }).toEqual({ said: "", code: 0 });
});

test("a full disk behind stdout is an error: it prints a message and exits with 1", ({ skip }) => {
  if (!existsSync("/dev/full")) {
    skip("this system has no /dev/full");
  }
  const full = openSync("/dev/full", "w");
  const ran = spawnSync(process.execPath, ["lambda/cli.ts", "periods"], {
    env: bareEnvironment(),
    stdio: ["ignore", full, "pipe"],
    encoding: "utf8",
  });
  expect(ran.stderr).toContain("fillbook: the output cannot be written: ");
  expect(ran.status).toBe(1);
});

/** Resolves as soon as the stream's output contains `what`. */
function heard(stream: Readable | null, what: string): Promise<void> {
  return new Promise((resolve) => {
    let said = "";
    stream?.on("data", (chunk) => {
      said += chunk;
      if (said.includes(what)) {
        resolve();
      }
    });
  });
}
