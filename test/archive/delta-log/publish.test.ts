import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { makeHistory } from "../../emulator/history.ts";
import { CollectionBench, FROM, TO, unnamed } from "../../support/collection-bench.ts";
import { DeltaBench, fillIn, LOG, replay } from "../../support/delta-bench.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { readCurrent } from "../../support/published.ts";
import { bytes } from "../../support/store-text.ts";

const commitName = (version: number) => `${String(version).padStart(20, "0")}.json`;

/** A run's requests for the log, one a line. */
async function asked(bench: DeltaBench, ...commits: Parameters<DeltaBench["run"]>[1][]): Promise<string[]> {
  const store = faultyStore(bench.store, () => "ok");
  expect(await bench.run(bench.job(store), ...commits)).toBeNull();
  return store.operations
    .filter(({ key }) => key.startsWith(LOG))
    .map(({ method, key }) => `${method} ${key.slice(LOG.length)}`.trim());
}

async function expectCurrent(bench: DeltaBench): Promise<void> {
  expect((await bench.table())?.files).toEqual(bench.current());
  expect(bench.faults).toEqual([]);
}

describe("the log of the table", () => {
  test("names the data files of the current manifest, and no others", async () => {
    const bench = new DeltaBench();
    await bench.run(bench.job(), [fillIn(3, 1), fillIn(5, 1)], [fillIn(3, 2)]);
    const { dataFiles } = await readCurrent(bench.store, "main");
    expect(dataFiles).toHaveLength(2);
    expect((await bench.table())?.files).toEqual(dataFiles.map(({ key }) => key).sort());
    const stored = [...bench.memory.snapshot().keys()].filter((key) => key.endsWith(".parquet"));
    expect(stored).toHaveLength(3); // one is replaced, so the log does not name it
    await expectCurrent(bench);
  });

  test("is not made unless it is switched on", async () => {
    const bench = new DeltaBench();
    await bench.run(bench.job(bench.store, { deltaLog: false }), [fillIn(3, 1)]);
    bench.later();
    await bench.run(bench.job(bench.store, { deltaLog: false }), [fillIn(3, 2)]);
    expect(bench.logFiles()).toEqual([]);
  });

  test("costs a listing and a read if nothing has changed, otherwise also the commits after its checkpoint", async () => {
    const bench = new DeltaBench();
    expect(await asked(bench, [fillIn(3, 1), fillIn(4, 1)])).toEqual(["list", `createNew ${commitName(0)}`]);
    expect(await asked(bench)).toEqual(["list", `get ${commitName(0)}`]);
    expect(await asked(bench, [fillIn(4, 2)])).toEqual([
      "list",
      `get ${commitName(0)}`,
      `get ${commitName(0)}`,
      `createNew ${commitName(1)}`,
    ]);
    await expectCurrent(bench);
  });

  test("gets a checkpoint now and then, so that a reader reads few commits, and old commits are deleted", async () => {
    const bench = new DeltaBench();
    for (let day = 1; day <= 25; day += 1) {
      await bench.run(bench.job(), [fillIn(3, day)]);
    }
    expect(bench.logFiles().filter((name) => name.endsWith(".checkpoint.parquet"))).toEqual(
      [9, 19].map((version) => commitName(version).replace(".json", ".checkpoint.parquet")),
    );
    const hint = Buffer.from(bench.memory.snapshot().get(`${LOG}_last_checkpoint`) ?? []).toString();
    expect(JSON.parse(hint).version).toBe(19);
    await expectCurrent(bench);
    bench.later(); // the first collection is postponed
    await bench.run(bench.job(), [fillIn(4, 1)]);
    bench.later();
    await bench.run(bench.job(), [fillIn(4, 2)]);
    expect(bench.logFiles().find((name) => name.endsWith(".json"))).toBe(commitName(19));
    expect(await bench.unreadable()).toEqual([]);
    await expectCurrent(bench);
  });

  test("gets a checkpoint from the next run if a run was killed before it wrote one", async () => {
    const bench = new DeltaBench();
    for (let day = 1; day <= 10; day += 1) {
      const store = faultyStore(bench.store, ({ key }) => (key.endsWith(".checkpoint.parquet") ? "kill-before" : "ok"));
      await bench.run(bench.job(store), [fillIn(3, day)]).catch(() => undefined);
    }
    expect(bench.logFiles().filter((name) => name.endsWith(".parquet"))).toEqual([]);
    await bench.run(bench.job());
    expect(bench.logFiles().filter((name) => name.endsWith(".parquet"))).toHaveLength(1);
    await expectCurrent(bench);
  });

  test("is given up for this run if the outcome of its writes stays unknown", async () => {
    const bench = new DeltaBench();
    const store = faultyStore(bench.store, ({ method, key }) =>
      method === "createNew" && key.startsWith(LOG) ? "lost-before" : "ok",
    );
    const problem = await bench.run(bench.job(store), [fillIn(3, 1)]);
    expect(problem?.message).toBe(`it is unknown whether the table's log at memory/${LOG} was written`);
    expect(await bench.run(bench.job())).toBeNull();
    await expectCurrent(bench);
  });

  test("is updated before anything is deleted, also by a run without the setting, if it exists", async () => {
    const bench = new DeltaBench();
    await bench.run(bench.job(), [fillIn(3, 1)]);
    bench.later();
    const quiet = () => bench.job(bench.store, { deltaLog: false });
    await bench.run(quiet(), [fillIn(3, 1, "2")]);
    for (let night = 0; night < 20; night += 1) {
      bench.now += DAY_MS;
      await bench.run(quiet());
      expect(await bench.unreadable()).toEqual([]);
    }
    await expectCurrent(bench);
  });

  test("keeps the files that it named a week ago, for readers that opened it then", async () => {
    const bench = new DeltaBench();
    await bench.run(bench.job(), [fillIn(3, 1)]);
    const [old = ""] = (await bench.table())?.files ?? [];
    // A month passes without the log being written: the data file is replaced, and no manifest of the last
    // week names it.
    bench.later();
    await bench.run(bench.job(faultyStore(bench.store, ({ key }) => (key.startsWith(LOG) ? "fail-before" : "ok"))), [
      fillIn(3, 1, "2"),
    ]);
    bench.later();
    bench.later();
    await bench.run(bench.job());
    await expectCurrent(bench);
    expect(bench.memory.snapshot().has(old)).toBe(true);
    bench.now += 6 * DAY_MS;
    await bench.run(bench.job());
    expect(bench.memory.snapshot().has(old)).toBe(true);
    bench.later();
    await bench.run(bench.job());
    expect(bench.memory.snapshot().has(old)).toBe(false);
  });

  test.each([
    ["a commit is missing", commitName(1), null],
    ["a commit is not JSON", commitName(1), "{"],
    ["a commit has other fields", commitName(1), '{"add":{"path":1}}\n'],
    ["the newest commit is cut off", commitName(2), '{"commitInfo":{"timestamp":1'],
    ["a file has an impossible version", `${"9".repeat(20)}.json`, "{}"],
  ])(
    "is not continued if %s: the message says so, nothing is deleted, and once its folder is deleted it is made again",
    async (_, name, text) => {
      const bench = new DeltaBench();
      for (const day of [1, 2, 3]) {
        await bench.run(bench.job(), [fillIn(3, day)]);
      }
      bench.later();
      if (text === null) {
        bench.memory.delete(`${LOG}${name}`);
      } else {
        bench.memory.put(`${LOG}${name}`, bytes(text));
      }
      const before = [...bench.memory.snapshot().keys()].filter((key) => key.endsWith(".parquet"));
      const problem = await bench.run(bench.job(), [fillIn(3, 4)]);
      expect(problem).toMatchObject({
        kind: "untrusted",
        message: expect.stringContaining(`the table's log at memory/${LOG} cannot be continued: `),
        hint: "delete this folder; the next sync recreates it from the archive",
      });
      expect([...bench.memory.snapshot().keys()]).toEqual(expect.arrayContaining(before));
      for (const file of bench.logFiles()) {
        bench.memory.delete(`${LOG}${file}`);
      }
      expect(await bench.run(bench.job())).toBeNull();
      expect((await bench.table())?.files).toEqual(bench.current());
    },
  );

  test("agrees with the manifest again after another program has written to it", async () => {
    const bench = new DeltaBench();
    await bench.run(bench.job(), [fillIn(3, 1), fillIn(4, 1)]);
    const [march = ""] = (await bench.table())?.files ?? [];
    const foreign = [
      { remove: { path: march.slice("main/fills/".length), deletionTimestamp: 1, dataChange: true } },
      {
        add: {
          path: "x.parquet",
          partitionValues: { month: "2025-03" },
          size: 1,
          modificationTime: 1,
          dataChange: true,
        },
      },
    ];
    bench.memory.put(`${LOG}${commitName(1)}`, bytes(foreign.map((action) => JSON.stringify(action)).join("\n")));
    expect(await bench.run(bench.job())).toBeNull();
    expect((await bench.table())?.files).toEqual(bench.current());
  });

  test("follows a head that was restored on purpose", async () => {
    const bench = new DeltaBench();
    await bench.run(bench.job(), [fillIn(3, 1)]);
    const older = bench.memory.snapshot();
    for (const fee of ["2", "3", "4"]) {
      await bench.run(bench.job(), [fillIn(3, 1, fee)]);
    }
    for (const key of bench.memory.snapshot().keys()) {
      const body = older.get(key);
      if (key.startsWith("main/manifests/") && body === undefined) {
        bench.memory.delete(key);
      } else if (key === "main/head.json" && body !== undefined) {
        bench.memory.put(key, body);
      }
    }
    expect((await bench.table())?.files).not.toEqual(bench.current());
    expect(await bench.run(bench.job())).toBeNull();
    expect((await bench.table())?.files).toEqual(bench.current());
  });

  test("is not continued if another program has added features to it", async () => {
    const bench = new DeltaBench();
    await bench.run(bench.job(), [fillIn(3, 1)]);
    const protocol = {
      minReaderVersion: 3,
      minWriterVersion: 7,
      readerFeatures: ["deletionVectors"],
      writerFeatures: [],
    };
    bench.memory.put(`${LOG}${commitName(1)}`, bytes(JSON.stringify({ protocol })));
    const problem = await bench.run(bench.job());
    expect(problem?.message).toContain("features that fillbook does not support");
  });
});

describe("a sync", () => {
  const RANGE = { from: FROM, to: TO };
  const history = makeHistory({ seed: 5, fills: 400, ...RANGE });
  const switches = { pageLimit: 20 };

  test("publishes committed data, even if it is stopped before it is complete", async () => {
    const stop = new AbortController();
    const store = memoryStore();
    const report = ({ pages }: { readonly pages: number }) => {
      if (pages === 10) {
        stop.abort();
      }
    };
    const { job } = makeBench({ history, switches, job: { store, deltaLog: true, signal: stop.signal, report } });
    const filesOf = async () => (await readCurrent(store, "main")).dataFiles.map(({ key }) => key).sort();
    expect(await syncArchive(job, RANGE)).toMatchObject({ complete: false, deltaLogProblem: null });
    const stopped = await replay(store.snapshot());
    expect(stopped?.files.length).toBeGreaterThan(0);
    expect(stopped?.files).toEqual(await filesOf());
    const going = { ...job, signal: new AbortController().signal, report: () => undefined };
    expect(await syncArchive(going, RANGE)).toMatchObject({ complete: true, deltaLogProblem: null });
    expect((await replay(store.snapshot()))?.files).toEqual(await filesOf());
  });

  test("deletes nothing while the log cannot be written, and everything due once it can", async () => {
    const bench = await CollectionBench.make();
    await bench.clock.sleep(8 * DAY_MS);
    const orphans = await unnamed(bench.store);
    expect(orphans.length).toBeGreaterThan(4);
    const refusing = faultyStore(bench.store, ({ method, key }) =>
      method === "createNew" && key.startsWith(LOG) ? "fail-before" : "ok",
    );
    const failed = await bench.sync({ store: refusing, deltaLog: true });
    expect(failed).toMatchObject({ complete: true, problem: null, orphans: { deleted: 0 } });
    expect(failed.deltaLogProblem?.message).toContain("injected");
    const done = await bench.sync({ deltaLog: true });
    expect(done).toMatchObject({ complete: true, problem: null, deltaLogProblem: null });
    expect(done.orphans.deleted).toBe(orphans.length);
  });
});
