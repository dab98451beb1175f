import { describe, expect, test } from "vitest";
import { publishDataFileLists } from "../../lambda/archive/data-file-lists.ts";
import { ManifestIndex } from "../../lambda/archive/index/manifest-index.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { makeHistory } from "../emulator/history.ts";
import { CollectionBench, FROM, TO, unnamed } from "../support/collection-bench.ts";
import { faultyStore, type StoreOperation } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { fillIn, ListBench, LOCATION } from "../support/list-bench.ts";
import { memoryStore } from "../support/memory-store.ts";
import { readCurrent } from "../support/published.ts";
import { bytes } from "../support/store-text.ts";

const isList = ({ key }: StoreOperation) => key.startsWith("main/table/month=");

/** What a run asks for under table/, a line each. */
async function asked(bench: ListBench, ...commits: Parameters<ListBench["run"]>[1][]): Promise<string[]> {
  const store = faultyStore(bench.store, () => "ok");
  expect(await bench.run(bench.job(store), ...commits)).toBeNull();
  return store.operations
    .filter(({ key }) => key.startsWith("main/table/"))
    .map(({ method, key }) => `${method} ${key.slice("main/table/".length)}`);
}

describe("lists of parts", () => {
  test("name, a month each, the URIs of the parts that the manifest names, and no others", async () => {
    const bench = new ListBench();
    await bench.run(bench.job(), [fillIn(3, 1), fillIn(5, 1)], [fillIn(3, 2)]);
    const { parts } = await readCurrent(bench.store, "main");
    expect(parts).toHaveLength(2);
    expect(bench.lists()).toEqual({
      "2025-03": `${LOCATION}/${parts[0]?.key}\n`,
      "2025-05": `${LOCATION}/${parts[1]?.key}\n`,
    });
    const stored = [...bench.memory.snapshot().keys()].filter((key) => key.endsWith(".parquet"));
    expect(stored).toHaveLength(3); // one is replaced, and no list names it
    expect(bench.lists()).toEqual(bench.currentLists());
  });

  test("are not made unless asked for, nor where objects have no URI", async () => {
    const bench = new ListBench();
    await bench.run({ ...bench.job(), partLists: false }, [fillIn(3, 1)]);
    await bench.run({ ...bench.job({ ...bench.store, location: "./fillbook-data" }) }, [fillIn(3, 2)]);
    expect([...bench.memory.snapshot().keys()].filter((key) => key.includes("/table/"))).toEqual([]);
  });

  test("cost one read when nothing has changed, and one month when one has", async () => {
    const bench = new ListBench();
    await bench.run(bench.job(), [fillIn(3, 1), fillIn(4, 1), fillIn(5, 1)]);
    expect(await asked(bench)).toEqual(["get listed.json"]);
    expect(await asked(bench, [fillIn(4, 2)])).toEqual([
      "get listed.json",
      "get month=2025-04/parts.txt",
      "replaceIf month=2025-04/parts.txt",
      "get listed.json",
      "replaceIf listed.json",
    ]);
    expect(bench.lists()).toEqual(bench.currentLists());
  });

  test("are made anew where the archive was copied to another place", async () => {
    const bench = new ListBench();
    await bench.run(bench.job(), [fillIn(3, 1)]);
    const moved = { ...bench.job({ ...bench.memory, location: "s3://other" }) };
    expect(await bench.run(moved)).toBeNull();
    expect(bench.lists()["2025-03"]).toMatch(/^s3:\/\/other\/main\/fills\/month=2025-03\/\S+\.parquet\n$/);
  });

  test("are empty where a month has lost its parts, whether this run did it or an earlier one", async () => {
    const bench = new ListBench();
    await bench.run(bench.job(), [fillIn(3, 1), fillIn(4, 1)]);
    const before = await readArchive(bench.store, "main");
    const { parts } = await readCurrent(bench.store, "main");
    const march = await before.manifestIndex.change({ removed: { parts: parts.slice(1) } });
    for (const begun of [before, { manifestIndex: ManifestIndex.empty(bench.job()) }]) {
      const held = { ...before, manifestIndex: march, collection: null, prove: () => Promise.resolve() };
      expect(await publishDataFileLists(bench.job(bench.memory), { hold: (work) => work(held) }, begun)).toBeNull();
      expect(Object.keys(bench.lists())).toEqual(["2025-03"]);
      expect(bench.memory.snapshot().get("main/table/month=2025-04/parts.txt")).toEqual(new Uint8Array());
    }
  });

  test("whose writes stay unknown are given up", async () => {
    const bench = new ListBench();
    const store = faultyStore(bench.store, (operation) =>
      operation.method === "replaceIf" && isList(operation) ? "lost-before" : "ok",
    );
    const problem = await bench.run(bench.job(store), [fillIn(3, 1)]);
    expect(problem?.message).toBe(`cannot tell whether ${LOCATION}/main/table/month=2025-03/parts.txt was written`);
    expect(await bench.run(bench.job())).toBeNull();
    expect(bench.lists()).toEqual(bench.currentLists());
  });

  test("that were damaged are mended before anything is deleted", async () => {
    const bench = new ListBench();
    await bench.run(bench.job(), [fillIn(3, 1)]);
    const old = bench.lists()["2025-03"] ?? "";
    await bench.run(bench.job(), [fillIn(3, 1, "2")]);
    bench.later();
    await bench.run(bench.job());
    bench.memory.put("main/table/month=2025-03/parts.txt", bytes(old));
    await bench.run(bench.job());
    expect(bench.lists()["2025-03"]).toBe(old); // the mark says that all is well
    bench.later();
    const unreadable: string[] = [];
    const store = faultyStore(bench.store, ({ method }) => {
      if (method === "remove") {
        expect(bench.lists()).toEqual(bench.currentLists());
      }
      unreadable.push(...bench.unreadable());
      return "ok";
    });
    await bench.run(bench.job(store));
    expect(store.operations.filter(({ method }) => method === "remove").length).toBeGreaterThan(0);
    expect(unreadable).toEqual([]);
    expect(bench.lists()).toEqual(bench.currentLists());
  });

  test("that take too long are left, and the next run goes on", async () => {
    const bench = new ListBench();
    const months = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((month) => fillIn(month, 1));
    const job = bench.job();
    const slow = {
      ...bench.store,
      replaceIf: async (...swap: Parameters<typeof bench.store.replaceIf>) => {
        await job.clock.sleep(swap[0].startsWith("main/table/") ? 4000 : 0);
        return await bench.store.replaceIf(...swap);
      },
    };
    const problem = await bench.run({ ...job, store: slow }, months);
    expect(problem?.message).toContain("take longer than a run may hold the archive");
    expect(Object.keys(bench.lists())).toHaveLength(4);
    await bench.run({ ...bench.job(slow) });
    expect(Object.keys(bench.lists())).toHaveLength(8);
    expect(await bench.run(bench.job())).toBeNull();
    expect(bench.lists()).toEqual(bench.currentLists());
  });
});

describe("a sync", () => {
  const RANGE = { from: FROM, to: TO };
  const history = makeHistory({ seed: 5, fills: 400, ...RANGE });
  const switches = { pageLimit: 20 };

  /** The URIs in the lists, and of the parts that the manifest names. */
  async function listed(store: Store): Promise<{ readonly uris: string[]; readonly named: string[] }> {
    const { parts } = await readCurrent(store, "main");
    const uris: string[] = [];
    for await (const { key } of store.list("main/table/month=")) {
      const list = Buffer.from((await store.get(key))?.body ?? []).toString();
      uris.push(...list.trimEnd().split("\n"));
    }
    return { uris, named: parts.map(({ key }) => `${LOCATION}/${key}`) };
  }

  test("publishes what is committed, also when it is stopped before it is complete", async () => {
    const stop = new AbortController();
    const store = memoryStore(LOCATION);
    const report = ({ pages }: { readonly pages: number }) => {
      if (pages === 10) {
        stop.abort();
      }
    };
    const { job } = makeBench({ history, switches, job: { store, partLists: true, signal: stop.signal, report } });
    expect(await syncArchive(job, RANGE)).toMatchObject({ complete: false, listProblem: null });
    const stopped = await listed(store);
    expect(stopped.named.length).toBeGreaterThan(0);
    expect(stopped.uris).toEqual(stopped.named);
    const going = { ...job, signal: new AbortController().signal, report: () => undefined };
    expect(await syncArchive(going, RANGE)).toMatchObject({ complete: true, listProblem: null });
    const done = await listed(store);
    expect(done.uris).toEqual(done.named);
  });

  test("deletes nothing while lists cannot be written, and all that is due once they can", async () => {
    const bench = await CollectionBench.make();
    await bench.clock.sleep(8 * DAY_MS);
    const orphans = await unnamed(bench.store);
    expect(orphans.length).toBeGreaterThan(4);
    const memory = { ...bench.store, location: LOCATION };
    const refusing = faultyStore(memory, (operation) =>
      operation.method === "replaceIf" && isList(operation) ? "fail-before" : "ok",
    );
    const failed = await bench.sync({ store: refusing, partLists: true });
    expect(failed).toMatchObject({ complete: true, problem: null, orphans: { deleted: 0 } });
    expect(failed.listProblem?.message).toContain("injected");
    const done = await bench.sync({ store: memory, partLists: true });
    expect(done).toMatchObject({ complete: true, problem: null, listProblem: null });
    expect(done.orphans.deleted).toBe(orphans.length);
  });
});
