import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import { bareEnvironment, start, startCli } from "./child.ts";

// The process around the commands: exit codes, streams and signals, in a real child process.

let folder = "";
let service: RunningEmulator;

const YEAR = ["--from", "2025-01-01", "--to", "2026-01-01"];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fillbook-cli-"));
  service = await startEmulator({
    history: makeHistory({ seed: 7, fills: 1500, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) }),
  });
});

afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    FILLBOOK_STORE: join(folder, "store"),
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_ORDER_URL: service.orderUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_TOKEN: SAMPLE_TOKEN,
    ...more,
  };
}

test("wrong usage exits with 2 and says nothing on stdout", async () => {
  const ran = await startCli(["snyc"]).ended;
  expect(ran).toEqual({
    code: 2,
    stdout: "",
    stderr: 'fillbook: there is no command "snyc"\n  did you mean: fillbook sync\n',
  });
});

test("sync, then status, verify and export: the contract's objects on stdout, exit 0, every fill", async () => {
  const synced = await startCli(["sync", ...YEAR, "--json"], environment()).ended;
  expect(synced).toMatchObject({ code: 0 });
  const result = JSON.parse(synced.stdout);
  expect(result).toMatchObject({ account: "main", complete: true, fills: 1500, added: 1500, restated: 0 });
  expect(synced.stderr).toMatch(/^walking /m);

  const status = await startCli(["status", "--json"], environment()).ended;
  expect(JSON.parse(status.stdout)).toMatchObject({ fills: 1500, manifest: result.manifest, gaps: [] });

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

test("with --pack-store the archive is in one folder and the packs in another, and verify reads both", async () => {
  const packs = join(folder, "packs");
  const line = ["export", "--period", "month-2025-03", "--pack-store", packs, "--json", "--quiet"];
  const exported = await startCli(line, environment()).ended;
  expect(exported).toMatchObject({ code: 0, stderr: "" });
  const { dir, files } = JSON.parse(exported.stdout);
  expect(dir.startsWith(`${packs}/main/packs/month-2025-03/`)).toBe(true);
  expect(await readdir(dir, { recursive: true })).toEqual(
    expect.arrayContaining(files.map((file: { path: string }) => file.path)),
  );
  expect(await readdir(join(packs, "main"))).toEqual(["packs"]);
  expect(await readdir(join(folder, "store/main"))).not.toContain("packs");

  const inBoth = environment({ FILLBOOK_PACK_STORE: packs });
  const sound = await startCli(["verify", "--json"], inBoth).ended;
  expect(JSON.parse(sound.stdout)).toMatchObject({ ok: true, findings: [] });
  await rm(join(dir, "fees.csv"));
  const damaged = await startCli(["verify", "--json"], inBoth).ended;
  expect(damaged).toMatchObject({ code: 5 });
  expect(JSON.parse(damaged.stdout).findings).toEqual([expect.stringContaining(`${dir}/fees.csv is missing`)]);
  const unseen = await startCli(["verify", "--json"], environment()).ended;
  expect(JSON.parse(unseen.stdout).checked).toBeLessThan(JSON.parse(sound.stdout).checked);
});

test("a refused token exits with 3; --quiet and --json leave stderr to the one message", async () => {
  const ran = await startCli(["sync", ...YEAR, "--quiet", "--json"], environment({ FILLBOOK_TOKEN: "another-token" }))
    .ended;
  expect(ran.code).toBe(3);
  expect(JSON.parse(ran.stdout)).toMatchObject({ complete: false, added: 0, error: { kind: "token" } });
  expect(ran.stderr).toMatch(/^fillbook sync: .*\n {2}.*\n$/);
  expect(ran.stdout + ran.stderr).not.toContain("another-token");
});

test("asked to stop, it commits what it has and exits with 4; run again, it ends complete", async () => {
  service.emulator.setSwitches({ latency: { ms: 150, jitterMs: 0 } });
  const { child, ended } = startCli(["sync", ...YEAR, "--json", "--concurrency", "1"], environment());
  await heard(child.stderr, "walking");
  child.kill("SIGINT");
  const stopped = await ended;
  expect(stopped).toMatchObject({ code: 4 });
  expect(JSON.parse(stopped.stdout)).toMatchObject({ complete: false, error: { kind: "incomplete" } });
  expect(stopped.stderr).toContain("fillbook: stopping; what was walked is being kept");

  service.emulator.setSwitches({ latency: { ms: 0, jitterMs: 0 } });
  const again = await startCli(["sync", ...YEAR, "--json"], environment()).ended;
  expect(JSON.parse(again.stdout)).toMatchObject({ complete: true, fills: 1500 });
});

test("asked twice, it stops at once with 130", async () => {
  // A timer that never ends stands for a commit that hangs: without it the first signal would be enough.
  const hanging = ["--import", "data:text/javascript,setInterval(() => undefined, 1e9)"];
  const args = [...hanging, "lambda/cli.ts", "completed-orders"];
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : 0;
  const asked = once(silent, "request");
  const { child, ended } = start(process.execPath, args, {
    environment: environment({ FILLBOOK_ACCOUNT_URL: `http://127.0.0.1:${port}` }),
  });
  await asked;
  child.kill("SIGTERM");
  await heard(child.stderr, "fillbook: stopping");
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  silent.closeAllConnections();
  silent.close();
});

test("a reader that goes away is no error", async () => {
  const child = spawn(process.execPath, ["lambda/cli.ts", "help", "export"], {
    env: bareEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect({ said, code }).toEqual({ said: "", code: 0 });
});

test("a full disk behind stdout is one: it says so, and exits with 1", ({ skip }) => {
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

/** Resolves as soon as the stream has said something. */
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
