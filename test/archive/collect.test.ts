import { beforeEach, describe, expect, test } from "vitest";
import { namedKeys } from "../../lambda/archive/collect.ts";
import { readHead } from "../../lambda/archive/head.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import type { Clock } from "../../lambda/core/clock.ts";
import { customPeriod } from "../../lambda/core/period.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { makeHistory } from "../emulator/history.ts";
import { exportRequest } from "../support/exports.ts";
import { faultyStore, type StoreOperation, stoppingStore } from "../support/faulty-store.ts";
import { away, makeBench } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";
import { keysIn, readCurrent, readPublished, unnamed } from "../support/published.ts";
import { bytes, text } from "../support/store-text.ts";
import { contentsOf } from "./filed.ts";

/** An account of 60 days. An archive of its first half leaves fills for later runs. */
const FROM = Date.UTC(2025, 2, 1);
const MIDDLE = FROM + 30 * DAY_MS;
const TO = FROM + 60 * DAY_MS;

const SAFE_AGE_MS = 7 * DAY_MS;
const WEEK_AND_A_DAY = SAFE_AGE_MS + DAY_MS;

/** An archive of half of the account, with leftovers of killed runs. */
async function halfArchived() {
  const history = makeHistory({ seed: 3, fills: 300, from: FROM, to: TO });
  const { job, clock } = makeBench({ history, switches: { pageLimit: 20 } });
  const store = memoryStore("memory", () => clock.now());
  const sync = (more: Partial<RunContext> = {}, to = MIDDLE) =>
    syncArchive({ ...job, store, ...more }, { from: FROM, to });
  // Each run dies when all of its first commit is written and the head does not name it yet.
  for (const to of [FROM + 10 * DAY_MS, MIDDLE]) {
    const isCommit = ({ method, nth }: StoreOperation) => method === "replaceIf" && nth === 1;
    const killed = faultyStore(store, (operation) => (isCommit(operation) ? "kill-before" : "ok"));
    await sync({ store: killed }, to).catch(() => undefined);
  }
  await sync();
  return {
    job: { ...job, store },
    clock,
    store,
    sync,
    get keys() {
      return [...store.snapshot().keys()];
    },
  };
}

let bench: Awaited<ReturnType<typeof halfArchived>>;
/** The objects that two killed runs have left behind. */
let orphans: readonly string[];

beforeEach(async () => {
  bench = await halfArchived();
  // The manifest before the current one may have been current when the week began, so it is kept, too.
  for (const days of [1, 2]) {
    await bench.sync({ hurries: true }, MIDDLE + days * DAY_MS);
  }
  const kept = await keptBeside();
  orphans = (await unnamed(bench.store)).filter((key) => !kept.has(key));
  expect(new Set(orphans.map((key) => key.split("/")[1]))).toEqual(new Set(["manifests", "fills"]));
});

/** The manifests of the number before the current one, and what they name. */
async function keptBeside(): Promise<ReadonlySet<string>> {
  const { seq } = await readCurrent(bench.store, "main");
  const before = bench.keys.filter((key) => key.startsWith(`main/manifests/${seq - 1}-`));
  const read = async (key: string) => (await text(bench.store, key)) ?? "";
  const named = await Promise.all(before.map(async (key) => keysIn(await readPublished(read, key))));
  return new Set([...before, ...named.flat()]);
}

/** The next complete run collects after that. */
const growOld = () => bench.clock.sleep(WEEK_AND_A_DAY);

/** The run's own clock, with an offset from the store's. */
function skewed(aheadMs: number): Clock {
  const { clock } = bench;
  return {
    now: () => clock.now() + aheadMs,
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

async function markOf() {
  return (await readHead(bench.store, "main"))?.head.collection ?? null;
}

describe("orphans", () => {
  test("are deleted a week after the archive was first complete, and nothing else is", async () => {
    const foreign = [
      "main/fills/month=2025-03/mine.ndjson.zst",
      "main/manifests/notes.txt",
      "main/packs/2025/a/fills.csv",
      "main-2/head.json",
    ];
    for (const key of foreign) {
      await bench.store.createNew(key, bytes("as old as the orphans"));
    }
    const before = bench.keys;
    await growOld();
    expect(await bench.sync()).toMatchObject({ complete: true, orphans: { deleted: orphans.length, problem: null } });
    expect(bench.keys).toEqual(before.filter((key) => !orphans.includes(key)));
    const left = (await unnamed(bench.store)).filter((key) => foreign.includes(key));
    expect(left).toEqual(foreign.slice(0, 2).toReversed());
    expect((await contentsOf(bench.store)).findings).toEqual([]);
  });

  test("are collected by a sync, not by an export", async () => {
    await growOld();
    const before = bench.keys;
    const period = customPeriod("2025-03-05", "2025-03-20");
    const exported = await exportPack(bench.job, exportRequest(period));
    expect(exported).toMatchObject({ complete: true });
    expect(bench.keys).toEqual(expect.arrayContaining([...before]));
    expect((await bench.sync()).orphans.deleted).toBeGreaterThanOrEqual(orphans.length);
    expect((await unnamed(bench.store)).filter((key) => orphans.includes(key))).toEqual([]);
  });
});

describe("a collection", () => {
  test("is tried once a week: until then it sends no request to the store", async () => {
    const mark = await markOf();
    expect(mark?.at).toBe(bench.clock.now());
    await bench.clock.sleep(SAFE_AGE_MS - 1);
    const store = faultyStore(bench.store, () => "ok");
    expect(await bench.sync({ store })).toMatchObject({ complete: true, orphans: { deleted: 0 } });
    const asked = store.operations.filter(({ method }) => method === "list" || method === "remove");
    expect(
      asked.filter(({ method, key }) => method === "remove" || !/^(main.(manifests|fills)|table)/.test(key)),
    ).toEqual([]);
    await bench.clock.sleep(1);
    expect((await bench.sync()).orphans.deleted).toBe(orphans.length);
    expect((await markOf())?.at).toBe(bench.clock.now());
  });

  test("is not begun by an incomplete run", async () => {
    await growOld();
    const before = bench.keys;
    const { reader } = away(bench.job, new Error("the service is down"));
    expect(await bench.sync({ reader }, TO)).toMatchObject({ complete: false, orphans: { deleted: 0, problem: null } });
    expect(bench.keys).toEqual(expect.arrayContaining(before));
  });

  test.each([
    ["ahead", WEEK_AND_A_DAY],
    ["behind", -WEEK_AND_A_DAY],
  ])("uses the store's clock, not that of a run whose clock is a week %s", async (_, skewMs) => {
    const clock = skewed(skewMs);
    const [before, mark] = [bench.keys, await markOf()];
    expect(await bench.sync({ clock }, FROM + DAY_MS)).toMatchObject({
      complete: true,
      orphans: { deleted: 0, problem: null },
    });
    expect(bench.keys).toEqual(before);
    expect((await markOf())?.at).toBe(mark?.at);
  });

  test("begins its week again if the store's clock was set back", async () => {
    await setMark({ at: bench.clock.now() + 30 * DAY_MS });
    const before = bench.keys;
    expect(await bench.sync()).toMatchObject({ complete: true, orphans: { deleted: 0, problem: null } });
    expect(bench.keys).toEqual(before);
    expect((await markOf())?.at).toBe(bench.clock.now());
  });

  test("deletes nothing if the store does not tell the age of objects", async () => {
    await growOld();
    const before = bench.keys;
    const store: Store = {
      ...bench.store,
      async *list(prefix) {
        for await (const listed of bench.store.list(prefix)) {
          yield { ...listed, modifiedMs: Number.POSITIVE_INFINITY };
        }
      },
    };
    expect(await bench.sync({ store })).toMatchObject({ complete: true, orphans: { deleted: 0, problem: null } });
    expect(bench.keys).toEqual(before);
  });

  test("deletes nothing if a manifest of the last week cannot be read; the run is complete and reports it", async () => {
    await growOld();
    const { ref } = await readArchive(bench.store, "main");
    await bench.sync({}, TO); // collects, and replaces the manifest that the next line damages
    bench.store.put(`main/manifests/${ref?.seq}-${ref?.sha256}.json`, bytes("{}"));
    await setMark({ at: 0, seq: ref?.seq });
    const before = bench.keys;
    const result = await bench.sync({}, TO);
    expect(result).toMatchObject({ complete: true, problem: null, orphans: { deleted: 0 } });
    expect(result.orphans.problem).toMatchObject({ kind: "untrusted", message: expect.stringContaining("is damaged") });
    expect(bench.keys).toEqual(before);
  });

  test("stops silently at the deadline, and the next run goes on", async () => {
    await growOld();
    const result = await bench.sync(stoppingStore(bench.store, ({ method, nth }) => method === "remove" && nth === 3));
    expect(result).toMatchObject({ complete: true, problem: null, orphans: { deleted: 4, problem: null } });
    expect((await bench.sync()).orphans.deleted).toBe(orphans.length - 4);
  });
});

/** Changes what the head says of the last collection. */
async function setMark(changes: object): Promise<void> {
  const head = JSON.parse((await text(bench.store, "main/head.json")) ?? "");
  const collection = { ...head.collection, ...changes };
  bench.store.put("main/head.json", bytes(JSON.stringify({ ...head, collection })));
}

test("what a manifest names is what an independent reader finds", async () => {
  const published = await readCurrent(bench.store, "main");
  const { manifest } = await readArchive(bench.store, "main");
  expect(keysIn(published).length).toBeGreaterThan(1);
  expect(new Set(namedKeys(manifest))).toEqual(new Set(keysIn(published)));
});
