import { beforeEach, describe, expect, test } from "vitest";
import { SAFE_AGE_MS } from "../../lambda/archive/age.ts";
import { isOrphan, namedKeys } from "../../lambda/archive/collect.ts";
import { readHead } from "../../lambda/archive/head.ts";
import { restatementsKey } from "../../lambda/archive/keys.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { exportPack, syncArchive } from "../../lambda/flow.ts";
import type { Job, SyncResult } from "../../lambda/job.ts";
import { customPeriod } from "../../lambda/model/period.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/model/time.ts";
import type { ListedObject, Store } from "../../lambda/store/store.ts";
import { type CollectionBench, collectionBench, FROM, MIDDLE, TO, unnamed } from "../support/collection-bench.ts";
import { type FaultyStore, faultyStore } from "../support/faulty-store.ts";
import { memoryStore } from "../support/memory-store.ts";
import { bytes } from "../support/store-text.ts";

const WEEK_AND_A_DAY = SAFE_AGE_MS + DAY_MS;

let bench: CollectionBench;

beforeEach(() => {
  bench = collectionBench();
});

async function run(job: Partial<Job> = {}, to = MIDDLE): Promise<SyncResult> {
  return await syncArchive({ ...bench.job, ...job }, { from: FROM, to });
}

/** An archive of half of the account, and what two killed runs have left behind. */
async function archiveWithOrphans(): Promise<string[]> {
  for (const kill of [8, 14]) {
    const store = faultyStore(bench.store, ({ index }) => (index === kill ? "kill-before" : "ok"));
    await run({ store }).catch(() => undefined);
    expect(store.killed).toBe(true);
  }
  expect(await run()).toMatchObject({ complete: true, orphans: { deleted: 0, problem: null } });
  const orphans = await unnamed(bench.store);
  expect(new Set(orphans.map((key) => key.split("/")[1]))).toEqual(new Set(["manifests", "fills", "pages"]));
  return orphans;
}

/** The same, a week and a day later: the next complete run collects. */
async function oldArchive(): Promise<string[]> {
  const orphans = await archiveWithOrphans();
  await bench.clock.sleep(WEEK_AND_A_DAY);
  return orphans;
}

function watched(store: Store = bench.store): FaultyStore {
  return faultyStore(store, () => "ok");
}

function keysOf(): string[] {
  return [...bench.store.snapshot().keys()];
}

async function markOf() {
  return (await readHead(bench.store, "main"))?.head.collection ?? null;
}

describe("orphans", () => {
  test("are gone a week after the archive was first complete, and nothing else is", async () => {
    const orphans = await archiveWithOrphans();
    const foreign = [
      "main/fills/month=2025-03/mine.parquet",
      "main/manifests/notes.txt",
      "main/packs/2025/a/fills.csv",
      "main-2/head.json",
    ];
    for (const key of foreign) {
      await bench.store.createNew(key, bytes("as old as the orphans"));
    }
    const before = keysOf();
    await bench.clock.sleep(WEEK_AND_A_DAY);
    expect(await run()).toMatchObject({ complete: true, orphans: { deleted: orphans.length, problem: null } });
    expect(keysOf()).toEqual(before.filter((key) => !orphans.includes(key)));
    expect(await unnamed(bench.store)).toEqual(foreign.slice(0, 2).toReversed());
    expect(await bench.faults()).toEqual([]);
  });

  test("of the last week stay, and so does what a commit has just replaced: the old manifest can be read for a week", async () => {
    const orphans = await oldArchive();
    const { ref } = await readArchive(bench.store, "main");
    const old = `main/manifests/${ref?.seq}-${ref?.sha256}.json`;
    const killed = faultyStore(bench.store, ({ index }) => (index === 16 ? "kill-before" : "ok"));
    await run({ store: killed }, TO).catch(() => undefined);
    expect(await run({}, TO)).toMatchObject({ complete: true, orphans: { deleted: orphans.length } });
    expect(keysOf()).toContain(old);
    expect(await bench.faults()).toEqual([]);
    await bench.clock.sleep(SAFE_AGE_MS - HOUR_MS);
    expect(await run({}, TO)).toMatchObject({ complete: true, orphans: { deleted: 0 } });
    expect(keysOf()).toContain(old);
    expect(await bench.faults()).toEqual([]);
    await bench.clock.sleep(2 * HOUR_MS);
    await run({}, TO);
    expect(keysOf()).not.toContain(old);
    expect(await unnamed(bench.store)).toEqual([]);
    expect(await bench.faults()).toEqual([]);
  });

  test("named by what was replaced yesterday stay, however old they and the last collection are", async () => {
    await archiveWithOrphans();
    await bench.clock.sleep(60 * DAY_MS);
    expect(await run({ concurrency: 1 }, TO)).toMatchObject({ complete: true });
    expect(await bench.faults()).toEqual([]);
  });

  test("that nobody ever committed converge to none in an archive where nothing more happens", async () => {
    await archiveWithOrphans();
    const { manifest } = await readArchive(bench.store, "main");
    for (const seq of [manifest.seq - 1, manifest.seq, manifest.seq + 1, manifest.seq + 20]) {
      const sha256 = String(seq).padStart(64, "0");
      await bench.store.createNew(`main/manifests/${seq}-${sha256}.json`, bytes("{}"));
    }
    for (let week = 0; week < 3; week += 1) {
      await bench.clock.sleep(WEEK_AND_A_DAY);
      await run();
    }
    expect(await unnamed(bench.store)).toEqual([]);
  });

  test("are collected by a sync, not by an export", async () => {
    await oldArchive();
    const before = keysOf();
    const period = customPeriod("2025-03-05", "2025-03-20");
    const exported = await exportPack(bench.job, { period, method: "fifo", allowIncomplete: false });
    expect(exported).toMatchObject({ complete: true });
    expect(keysOf().filter((key) => !key.startsWith("main/packs/"))).toEqual(before);
    expect((await run()).orphans.deleted).toBeGreaterThan(0);
  });
});

describe("a collection", () => {
  test("is tried once a week: until then a run asks the store nothing for it", async () => {
    const orphans = await archiveWithOrphans();
    const mark = await markOf();
    const { manifest } = await readArchive(bench.store, "main");
    expect(mark).toEqual({ at: bench.clock.now(), seq: manifest.seq });
    await bench.clock.sleep(SAFE_AGE_MS - 1);
    const store = watched();
    expect(await run({ store })).toMatchObject({ complete: true, orphans: { deleted: 0 } });
    expect(store.operations.filter(({ method }) => method === "list" || method === "remove")).toEqual([]);
    await bench.clock.sleep(1);
    expect((await run()).orphans.deleted).toBe(orphans.length);
    expect((await markOf())?.at).toBe(bench.clock.now());
  });

  test("is not begun by a run that is not complete", async () => {
    await oldArchive();
    const before = keysOf();
    const reader = { ...bench.job.reader, completedOrders: () => Promise.reject(new Error("the service is down")) };
    expect(await run({ reader }, TO)).toMatchObject({ complete: false, orphans: { deleted: 0, problem: null } });
    expect(keysOf()).toEqual(expect.arrayContaining(before));
  });

  test.each([
    ["ahead", WEEK_AND_A_DAY],
    ["behind", -WEEK_AND_A_DAY],
  ])("goes by the store's clock, not by that of a run that is a week %s", async (_, skewMs) => {
    await archiveWithOrphans();
    const { now, monotonic, sleep } = bench.clock;
    const clock = {
      now: () => now.call(bench.clock) + skewMs,
      monotonic: monotonic.bind(bench.clock),
      sleep: sleep.bind(bench.clock),
    };
    const [before, mark] = [keysOf(), await markOf()];
    expect(await run({ clock }, FROM + DAY_MS)).toMatchObject({ orphans: { deleted: 0, problem: null } });
    expect(keysOf()).toEqual(before);
    expect(await markOf()).toEqual(mark);
  });

  test("begins its week anew when the store's clock was set back", async () => {
    await archiveWithOrphans();
    const set = { ...(await markOf()), at: bench.clock.now() + 30 * DAY_MS };
    const head = await bench.store.get("main/head.json");
    const text = Buffer.from(head?.body ?? []).toString();
    bench.store.put("main/head.json", bytes(JSON.stringify({ ...JSON.parse(text), collection: set })));
    const before = keysOf();
    expect(await run()).toMatchObject({ complete: true, orphans: { deleted: 0, problem: null } });
    expect(keysOf()).toEqual(before);
    expect((await markOf())?.at).toBe(bench.clock.now());
  });

  test("deletes nothing of a store that does not say how old things are", async () => {
    await oldArchive();
    const before = keysOf();
    const store: Store = {
      ...bench.store,
      async *list(prefix) {
        for await (const listed of bench.store.list(prefix)) {
          yield { ...listed, modifiedMs: Number.POSITIVE_INFINITY };
        }
      },
    };
    expect(await run({ store })).toMatchObject({ complete: true, orphans: { deleted: 0, problem: null } });
    expect(keysOf()).toEqual(before);
  });

  test("deletes nothing when a manifest of the week cannot be read; the run is complete, and says so", async () => {
    await oldArchive();
    const { ref } = await readArchive(bench.store, "main");
    await run({}, TO); // collects, and replaces the manifest that is damaged then
    bench.store.put(`main/manifests/${ref?.seq}-${ref?.sha256}.json`, bytes("{}"));
    const mark = await markOf();
    bench.store.put("main/head.json", bytes(await headWith({ ...mark, at: 0, seq: ref?.seq })));
    const before = keysOf();
    const result = await run({}, TO);
    expect(result).toMatchObject({ complete: true, problem: null, orphans: { deleted: 0 } });
    expect(result.orphans.problem).toMatchObject({ kind: "untrusted", message: expect.stringContaining("is damaged") });
    expect(keysOf()).toEqual(before);
  });

  test("that is refused leaves the run complete, says why, and is tried again by the next", async () => {
    const orphans = await oldArchive();
    const mark = await markOf();
    const store = faultyStore(bench.store, ({ method, nth }) =>
      method === "remove" && nth === 2 ? "fail-before" : "ok",
    );
    const result = await run({ store });
    expect(result).toMatchObject({
      complete: true,
      problem: null,
      orphans: { deleted: 2, problem: { kind: "incomplete" } },
    });
    expect(await markOf()).toEqual(mark);
    expect(await run()).toMatchObject({ orphans: { deleted: orphans.length - 2, problem: null } });
    expect(await unnamed(bench.store)).toEqual([]);
  });

  test("ends with the deadline, without a word, and the next run goes on", async () => {
    const orphans = await oldArchive();
    const deadline = new AbortController();
    const store = faultyStore(bench.store, ({ method, nth }) => {
      if (method === "remove" && nth === 3) {
        deadline.abort();
      }
      return "ok";
    });
    const result = await run({ store, signal: deadline.signal });
    expect(result).toMatchObject({ complete: true, problem: null, orphans: { deleted: 4, problem: null } });
    expect((await run()).orphans.deleted).toBe(orphans.length - 4);
  });

  test("is bounded: 5,000 objects a run, and the head proves every 100 of them that the archive is still held", async () => {
    const orphans = await archiveWithOrphans();
    for (let index = 0; index < 5100; index += 1) {
      bench.store.put(restatementsKey("main", 1, index.toString(16).padStart(64, "0")), bytes("x"));
    }
    await bench.clock.sleep(WEEK_AND_A_DAY);
    const store = watched();
    expect((await run({ store })).orphans).toEqual({ deleted: 5000, problem: null });
    expect((await run()).orphans).toEqual({ deleted: 100 + orphans.length, problem: null });
    const calls = store.operations.map(({ method, key }) => (method === "replaceIf" ? key : method));
    const stretches = calls
      .join(" ")
      .split("main/head.json")
      .map((stretch) => stretch.split("remove").length - 1);
    expect(Math.max(...stretches)).toBe(100);
    expect(stretches.filter((count) => count > 0)).toHaveLength(50);
  });

  test("deletes old manifests before what they name", async () => {
    await oldArchive();
    const store = watched();
    await run({ store });
    const folders = store.operations.filter(({ method }) => method === "remove").map(({ key }) => key.split("/")[1]);
    expect([...new Set(folders)]).toEqual(["manifests", "fills", "pages"]);
    expect(folders).toEqual(folders.toSorted((a, b) => ORDER.indexOf(a ?? "") - ORDER.indexOf(b ?? "")));
  });
});

const ORDER = ["manifests", "fills", "pages", "restatements"];

async function headWith(collection: object): Promise<string> {
  const head = await bench.store.get("main/head.json");
  return JSON.stringify({ ...JSON.parse(Buffer.from(head?.body ?? []).toString()), collection });
}

describe("what is chosen", () => {
  test("is old, named as fillbook names it, and needed by nothing", () => {
    const key = restatementsKey("main", 3, "a".repeat(64));
    const object = (modifiedMs: number, of = key): ListedObject => ({ key: of, bytes: 1, modifiedMs });
    expect(isOrphan("main", object(7), new Set(), 7)).toBe(true);
    expect(isOrphan("main", object(8), new Set(), 7)).toBe(false);
    expect(isOrphan("main", object(Number.POSITIVE_INFINITY), new Set(), 7)).toBe(false);
    expect(isOrphan("main", object(7), new Set([key]), 7)).toBe(false);
    expect(isOrphan("other", object(7), new Set(), 7)).toBe(false);
    expect(isOrphan("main", object(7, "main/head.json"), new Set(), 7)).toBe(false);
    expect(isOrphan("main", object(7, `main/packs/${key}`), new Set(), 7)).toBe(false);
  });

  test("is nothing that a manifest names, wherever it does", async () => {
    const store = memoryStore();
    const { reader } = bench.job;
    const deadline = new AbortController();
    const completedOrders: typeof reader.completedOrders = async (request, signal) => {
      if (reader.counts.requests === 9) {
        deadline.abort();
      }
      return await reader.completedOrders(request, signal);
    };
    await run({ store, reader: { ...reader, completedOrders }, signal: deadline.signal, concurrency: 1 }, TO);
    const { manifest } = await readArchive(store, "main");
    const { parts, windows, checkpoint } = manifest;
    const restatements = [{ key: restatementsKey("main", 1, "b".repeat(64)) }];
    const named = new Set(namedKeys("main", { ...manifest, restatements }));
    expect(checkpoint.open.flatMap(({ evidence }) => evidence)).not.toEqual([]);
    expect(named).toEqual(
      new Set([
        ...parts.flatMap(({ key, pages }) => [key, ...pages]),
        ...[...windows, ...checkpoint.open].flatMap(({ evidence }) => evidence),
        ...restatements.map(({ key }) => key),
      ]),
    );
  });
});
