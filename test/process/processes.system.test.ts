import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { type Ended, startCli } from "../cli/child.ts";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import { temporaryFolder } from "../leftovers.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { prng } from "../support/prng.ts";
import { readCurrent } from "../support/published.ts";

// Real processes of the command line on one folder, against the emulator on real sockets: killed, asked to stop,
// several at once, suspended. What a run leaves at every one of its operations is tested in memory (test/crash).

/** The month of the packs. An export reads seven more days on both sides of it. */
const MONTH = "month-2025-03";
const FROM = Date.UTC(2025, 1, 22);
const TO = Date.UTC(2025, 3, 8);
const HISTORY = makeHistory({ seed: 11, fills: 600, from: Date.UTC(2025, 1, 23), to: Date.UTC(2025, 3, 7), ties: 60 });

/** Nothing was open before, so an export reads only its month. */
const NOTHING_OPEN = "market,quantity,average_price,as_of,evidence\n*,0,,2025-02-28,\n";

type Place = Awaited<ReturnType<typeof openPlace>>;

/** A folder with an archive and a pack. */
async function openPlace() {
  const folder = temporaryFolder();
  const [out, inputs] = [join(folder, "out"), join(folder, "inputs")];
  await mkdir(inputs);
  await writeFile(join(inputs, "opening-positions.csv"), NOTHING_OPEN);
  const store = openFolderStore(join(folder, "store"));
  return {
    store,
    run(what: "sync" | "export") {
      const asked = {
        sync: ["--from", "2025-02-22", "--to", "2025-04-08"],
        export: ["--period", MONTH, "--inputs", inputs, "--out", out],
      };
      return startCli([what, ...asked[what], "--json", "--quiet"], service.environment(join(folder, "store")));
    },
    /** What must be equal, however the archive was built. */
    async kept() {
      const { fills, coverage, dataFiles } = await readCurrent(store, "main");
      const files = ["fills.csv", "realised-pnl.csv", "summary.csv", "open-lots.csv"];
      const data = dataFiles.map(({ kind, from, to, sha256, fills: rows }) => [kind, from, to, sha256, rows]);
      return { fills, coverage, data, pack: await Promise.all(files.map((name) => readFile(join(out, name), "utf8"))) };
    },
  };
}

let service: RunningEmulator;
let place: Place;
let expected: Awaited<ReturnType<Place["kept"]>>;

/** Pages hold 20 rows, so that a run can be stopped at many different moments. */
async function open(): Promise<void> {
  service = await startEmulator({ history: HISTORY, switches: { pageLimit: 20, latency: { ms: 2, jitterMs: 4 } } });
  place = await openPlace();
}

const close = () => service.close();

beforeAll(async () => {
  await open();
  expect(await place.run("export").ended).toMatchObject({ code: 0 });
  expected = await place.kept();
  expect(expected).toMatchObject({ fills: HISTORY.count, coverage: [{ from: FROM, to: TO }] });
  await close();
});

beforeEach(open);
afterEach(close);

/** Lets the process run until it ends by itself or gets the signal at its request number `requests`. */
async function runUntil(what: "sync" | "export", signal: NodeJS.Signals, requests: number) {
  const run = place.run(what);
  void service.requested(requests).then(() => run.child.kill(signal));
  return { ...(await run.ended), killed: run.child.signalCode === "SIGKILL" };
}

/** Compares the archive row by row with the service's data, within the coverage that the archive claims. */
async function expectTrue(because: string): Promise<void> {
  if ((await readCurrent(place.store, "main")).seq > 0) {
    expect(await audit(place.store, "main", service.emulator.truth()), because).toMatchObject(SOUND);
  }
}

/** The next run must end as an undisturbed one, whatever these runs have left. */
async function expectOneArchive(ended: readonly Ended[]): Promise<void> {
  for (const { code, stderr } of ended) {
    expect([0, 4], stderr).toContain(code);
  }
  expect(await place.run("export").ended).toMatchObject({ code: 0 });
  await expectTrue("in the end");
  expect(await place.kept()).toEqual(expected);
}

test("an archive whose runs are killed four times ends with the same bytes as an undisturbed one", async () => {
  const draw = prng(Number(process.env["FILLBOOK_SEED"] ?? 1));
  for (let killed = 0, turn = 0; killed < 4; turn += 1) {
    const requests = 1 + draw.int(60);
    const run = await runUntil(turn % 3 === 0 ? "sync" : "export", "SIGKILL", requests);
    killed += run.killed ? 1 : 0;
    if (!run.killed) {
      place = await openPlace(); // it ended first: nothing is left to do for the next
    }
    await expectTrue(`killed at request ${requests}`);
  }
  await expectOneArchive([]);
});

test("a run that is asked to stop exits with 4 and keeps its pages", async () => {
  const stopped = await runUntil("sync", "SIGINT", 20);
  const { fills } = await readCurrent(place.store, "main");
  expect(fills).toBeGreaterThan(0);
  const told = { complete: false, error: { kind: "incomplete" }, fills, added: fills };
  expect([stopped.code, JSON.parse(stopped.stdout)]).toMatchObject([4, told]);
  const next = await place.run("sync").ended;
  expect(JSON.parse(next.stdout)).toMatchObject({ complete: true, added: expected.fills - fills });
  await expectOneArchive([stopped, next]);
});

test("two processes that sync at once add every fill once", async () => {
  const ended = await Promise.all([place.run("sync").ended, place.run("sync").ended]);
  const added = ended.reduce((sum, { stdout }) => sum + Number(JSON.parse(stdout).added), 0);
  expect(added).toBe(expected.fills);
  await expectOneArchive(ended);
});

test("a run that is suspended while another writes the archive is fenced and loses nothing", async () => {
  const asleep = place.run("sync");
  await service.requested(2);
  asleep.child.kill("SIGSTOP");
  const awake = await place.run("sync").ended;
  asleep.child.kill("SIGCONT");
  const fenced = await asleep.ended;
  expect([awake.code, fenced.code, JSON.parse(fenced.stdout)]).toMatchObject([0, 4, { complete: false }]);
  expect(fenced.stderr).toContain("another run has written the archive");
  await expectOneArchive([awake, fenced]);
});
