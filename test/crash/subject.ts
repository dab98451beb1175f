import { createHash } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import { readArchive } from "../../lambda/archive/read.ts";
import { verifyArchiveObjects } from "../../lambda/archive/verify.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import type { RunContext, SyncResult } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { packObjects, verifyPacks } from "../../lambda/pack/make/verify-packs.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { createEmulator } from "../emulator/core.ts";
import { type History, historyItems, historyOf, makeHistory } from "../emulator/history.ts";
import { FILES } from "../pack/pack.ts";
import { auditManifest } from "../support/auditor.ts";
import { unlimitedClient } from "../support/client-job.ts";
import { exportRequest } from "../support/exports.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { makeBench, NOW } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { namedRandom } from "../support/prng.ts";
import { readCurrent, unnamed } from "../support/published.ts";
import { text } from "../support/store-text.ts";

/** What the trials disturb: runs of one kind, on an archive with given contents. */
export interface Subject {
  readonly name: string;
  readonly base: ReadonlyMap<string, Uint8Array>;
  /** How old the base is by the store's clock, ms. Absent: new. */
  readonly baseAgeMs?: number;
  /** Makes a service and a clock for all runs of a trial. The returned function is one run. */
  begin(): (store: Store) => Promise<Pick<SyncResult, "complete" | "problem">>;
  /**
   * One sentence for each fault that a reader could find now. `seen`: manifests that were read before, which
   * never change.
   */
  faults(store: Store, seen: Set<string>): Promise<string[]>;
  /** What must be the same in the end, whatever happened. */
  outcome(store: Store): Promise<unknown>;
}

/** By the store's clock, ms UTC. */
const STORE_TIME = Date.UTC(2026, 0, 1);

/** A store with what the subject's runs begin with. */
export function storeOf({ base, baseAgeMs = 0 }: Subject): MemoryStore {
  let now = STORE_TIME - baseAgeMs;
  const store = memoryStore("memory", () => now);
  for (const [key, body] of base) {
    store.put(key, body);
  }
  now = STORE_TIME;
  return store;
}

/** Three pages at 6 s each, and as many questions: a commit each. */
const SWITCHES = { pageLimit: 20, latency: { ms: 6000, jitterMs: 0 } };
const FROM = Date.UTC(2025, 2, 1);
const TO = FROM + 40 * DAY_MS;
const HISTORY = makeHistory({ seed: 3, fills: 60, from: FROM, to: TO });

let begun = 0;

function makeJob(history: History, now: number): RunContext {
  const emulator = createEmulator({ history, switches: SWITCHES });
  const clock = fakeClock({ now, auto: true });
  begun += 1;
  const reader = unlimitedClient(emulator, clock);
  return makeBench({ emulator, job: { clock, reader, random: namedRandom(`id-${begun}`) } }).job;
}

const TRUTH = createEmulator({ history: HISTORY }).truth(Number.POSITIVE_INFINITY);

/** The first run of an account, on an empty store. */
function firstRun(): Subject {
  return {
    name: "first run",
    base: new Map(),
    begin() {
      const job = makeJob(HISTORY, NOW);
      return (store) => syncArchive({ ...job, store }, { from: FROM, to: TO });
    },
    faults: (store, seen) => archiveFaults(store, seen),
    outcome: dataOf,
  };
}

/**
 * The service's fills when the archive was made: without three fills, and one with another fee. Some are in
 * the exported period, some in the next.
 */
const ITEMS = [...historyItems(HISTORY)];
const LATE = [10, 22, 48];
const CHANGED = 28;
const EARLIER = ITEMS.flatMap((item, index) => {
  if (LATE.includes(index)) {
    return [];
  }
  return [index === CHANGED ? { ...item, fees: "0.123456789" } : item];
});
const NIGHT = TO + DAY_MS;
const PERIOD = parsePeriod("month-2025-03");
const REQUEST = exportRequest(PERIOD);

/** Nothing was open before, so an export reads only its own period. */
const NOTHING_OPEN = `market,quantity,average_price,as_of,evidence\n*,0,,${new Date(FROM).toISOString()},\n`;

/** A complete archive that is a day old. Since then, fills came late and one changed. */
async function archiveOfYesterday(): Promise<{ readonly store: MemoryStore; readonly job: RunContext }> {
  const store = memoryStore();
  const job = { ...makeJob(historyOf(EARLIER), TO), store };
  const result = await syncArchive(job, { from: FROM });
  if (!result.complete) {
    throw new Error("the base is not complete", { cause: result.problem });
  }
  return { store, job };
}

/**
 * A nightly run, which looks back and files restatements. `to` is open, so its end depends on when it runs.
 */
async function nightlyRun(): Promise<Subject> {
  const { store: yesterday } = await archiveOfYesterday();
  const base = yesterday.snapshot();
  const stale = new Set([...LATE, CHANGED].map((index) => `${ITEMS[index]?.matchId} ${ITEMS[index]?.orderId}`));
  return {
    name: "nightly run",
    base,
    begin() {
      const job = { ...makeJob(HISTORY, NIGHT), lookBackMs: 30 * DAY_MS };
      return (store) => syncArchive({ ...job, store }, { from: FROM });
    },
    faults: (store, seen) => archiveFaults(store, seen, stale),
    async outcome(store) {
      const { coverage, ...data } = await dataOf(store);
      const from = coverage.map((range) => range.from);
      const isCoveredToNow = coverage.every(({ to }) => NIGHT <= to && to < NIGHT + HOUR_MS);
      return { ...data, from, isCoveredToNow };
    },
  };
}

/** The files of the new pack that a killed export has left. */
const LEFT = /\/(?:fills|fees)\.csv$/;

/**
 * Exports a period whose pack of yesterday is out of date. A killed run has left two files of the new pack.
 */
async function exportRun(): Promise<Subject> {
  const { store, job: yesterday } = await archiveOfYesterday();
  store.put("main/inputs/opening-positions.csv", Buffer.from(NOTHING_OPEN));
  const before = await exportPack(yesterday, REQUEST);
  const job = { ...makeJob(HISTORY, NIGHT), lookBackMs: 30 * DAY_MS, store };
  const synced = await syncArchive(job, { from: FROM });
  const base = store.snapshot();
  const after = await exportPack({ ...makeJob(HISTORY, NIGHT + DAY_MS), store }, REQUEST);
  if (!synced.complete || after.dir === before.dir) {
    throw new Error("nothing of what came late is in the pack", { cause: synced.problem });
  }
  const left = [...store.snapshot()].filter(([key]) => !base.has(key) && LEFT.test(key));
  return {
    name: "export",
    base: new Map([...base, ...left]),
    begin() {
      const next = makeJob(HISTORY, NIGHT + DAY_MS);
      return (of) => exportPack({ ...next, store: of }, REQUEST);
    },
    faults: packFaults,
    async outcome(of) {
      const keys = (await Array.fromAsync(of.list("main/packs/"))).map(({ key }) => key);
      return { archive: await dataOf(of), packs: await Promise.all(keys.map((key) => hashed(of, key))) };
    },
  };
}

const WEEK_AND_A_DAY = 8 * DAY_MS;

/** A run without new fills that collects orphans: leftovers of killed runs, and replaced objects. */
async function collectingRun(): Promise<Subject> {
  const store = memoryStore();
  const job = makeJob(HISTORY, STORE_TIME - WEEK_AND_A_DAY);
  const request = { from: FROM, to: TO };
  // Each run gets further, and dies just before the head names what it has written.
  for (const share of [1, 2, 3, 4]) {
    const killed = faultyStore(store, ({ method, nth }) =>
      method === "replaceIf" && nth === 0 ? "kill-before" : "ok",
    );
    const to = FROM + Math.floor(((TO - FROM) * share) / 4);
    await syncArchive({ ...job, store: killed }, { ...request, to }).catch(() => undefined);
  }
  const { complete } = await syncArchive({ ...job, store }, request);
  const orphans = await unnamed(store);
  if (!complete || orphans.length < 5) {
    throw new Error(`there is little to collect: ${orphans.join(", ")}`);
  }
  // The time of the last collection is by the store's clock, which differs from the trial's clock.
  const head = JSON.parse((await text(store, "main/head.json")) ?? "");
  const collection = { ...head.collection, at: STORE_TIME - WEEK_AND_A_DAY };
  store.put("main/head.json", Buffer.from(JSON.stringify({ ...head, collection })));
  return {
    name: "collection",
    base: store.snapshot(),
    baseAgeMs: WEEK_AND_A_DAY,
    begin() {
      const next = makeJob(HISTORY, STORE_TIME);
      return (of) => syncArchive({ ...next, store: of }, request);
    },
    /** Manifests are deleted before their data files, so every manifest that exists is whole. */
    faults: (of) => archiveFaults(of, new Set()),
    outcome: async (of) => ({ data: await dataOf(of), orphans: await unnamed(of) }),
  };
}

/**
 * The data of an archive, independent of the runs that made it: data files with their contents, restatements,
 * and whether the typed tables are what the data files say.
 */
async function dataOf(store: Store) {
  const { dataFiles, coverage, fills, restatements } = await readCurrent(store, "main");
  const { findings } = await verifyArchiveObjects(store, await readArchive(store, "main"), null);
  return {
    fills,
    coverage,
    dataFiles: dataFiles.map(({ kind, from, to, sha256, fills: rows }) => [kind, from, to, sha256, rows]),
    restatements: (await Promise.all(restatements.map((file) => restated(store, file.key)))).flat().sort(),
    table: [...(await Array.fromAsync(store.list("table/"))).map(({ key }) => key), ...findings],
  };
}

/** Kind and both versions. The time at which it was seen depends on the run. */
async function restated(store: Store, key: string): Promise<string[]> {
  const lines = zstdDecompressSync((await store.get(key))?.body ?? new Uint8Array()).toString("utf8");
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.stringify({ ...JSON.parse(line), seenAt: null }));
}

/**
 * Every manifest in the store, whether a head has named it or not, has everything that it covers. `verify`
 * finds nothing but typed tables that the next sync writes again.
 */
async function archiveFaults(
  store: Store,
  seen: Set<string>,
  stale: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const faults: string[] = [];
  for (const { key } of await Array.fromAsync(store.list("main/manifests/"))) {
    if (!seen.has(key)) {
      seen.add(key);
      const { lost, doubled, invented, wrong } = await auditManifest(store, key, TRUTH);
      const behind = [...lost, ...wrong].filter((one) => !stale.has(one));
      faults.push(...[...behind, ...doubled, ...invented].map((one) => `${key} is wrong about ${one}`));
    }
  }
  const archive = await readArchive(store, "main");
  const { findings } = await verifyArchiveObjects(store, archive, null);
  return [...faults, ...findings.filter((one) => !one.includes("/table/account="))];
}

const PACK_FILES = [...FILES, "inputs/opening-positions.csv"].sort();

/** Everything that latest.json names is whole, by this function's own check. `verify` finds nothing. */
async function packFaults(store: Store): Promise<string[]> {
  const folder = `main/packs/${PERIOD.name}`;
  const { version, sums } = JSON.parse((await text(store, `${folder}/latest.json`)) ?? "");
  const faults: string[] = [];
  const check = async (path: string, sha256: string | undefined) => {
    const [, actual] = await hashed(store, `${folder}/${path}`);
    if (actual !== sha256) {
      faults.push(`latest.json names ${path} with ${sha256}: it has ${actual}`);
    }
  };
  await check(sums.path, sums.sha256);
  const listed = ((await text(store, `${folder}/${sums.path}`)) ?? "").trimEnd().split("\n");
  const paths = [...listed.map((line) => line.slice(66)), "SHA256SUMS"].sort();
  if (JSON.stringify(paths) !== JSON.stringify(PACK_FILES)) {
    faults.push(`latest.json names a pack of ${paths.join(", ")}`);
  }
  for (const line of listed) {
    await check(`${version}/${line.slice(66)}`, line.slice(0, 64));
  }
  return [...faults, ...(await verifyPacks(store, await packObjects(store, "main", null))).findings];
}

async function hashed(store: Store, key: string): Promise<[key: string, sha256: string]> {
  const body = (await store.get(key))?.body;
  return [key, body === undefined ? "missing" : createHash("sha256").update(body).digest("hex")];
}

/** A run of each kind. */
export const SUBJECTS: readonly [string, () => Subject | Promise<Subject>][] = [
  ["first run", firstRun],
  ["nightly run", nightlyRun],
  ["export", exportRun],
  ["run that collects orphans", collectingRun],
];
