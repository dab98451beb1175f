import { describe, expect, test } from "vitest";
import { StoppedError } from "../../lambda/core/errors.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { verifyArchive } from "../../lambda/job/verify.ts";
import { makeHistory } from "../emulator/history.ts";
import { MARCH, OF_MARCH } from "../support/exports.ts";
import { stoppingStore } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";

// Packs in a store of their own, apart from the archive's store.

const HISTORY = makeHistory({ seed: 5, fills: 120, from: MARCH.from - DAY_MS, to: MARCH.to + DAY_MS });
const NOTHING_OPEN = `market,quantity,average_price,as_of,evidence\n*,0,,${new Date(MARCH.from - DAY_MS).toISOString()},\n`;

/** Declares that no position was open before, so that an export walks only its month instead of all years. */
function archive(): MemoryStore {
  const store = memoryStore("main-store");
  store.put("main/inputs/opening-positions.csv", Buffer.from(NOTHING_OPEN));
  return store;
}

function jobOn(store: MemoryStore, packStore: RunContext["packStore"]): RunContext {
  return makeBench({ history: HISTORY, job: { store, packStore } }).job;
}

function isPack(key: string): boolean {
  return key.startsWith("main/packs/");
}

describe("with a pack store", () => {
  test("only packs go there, none goes to the archive's store, and their bytes are the same as without it", async () => {
    const together = archive();
    const alone = await exportPack(jobOn(together, null), OF_MARCH);
    const [store, packStore] = [archive(), memoryStore("pack-store")];
    const apart = await exportPack(jobOn(store, packStore), OF_MARCH);
    const inPackStore = (path: string | null) => path?.replace("main-store/", "pack-store/") ?? null;
    expect(apart).toEqual({ ...alone, dir: inPackStore(alone.dir), zip: inPackStore(alone.zip) });
    expect(apart.dir).toMatch(/^pack-store\/main\/packs\/month-2025-03\/[0-9a-f]{16}$/);
    const all = [...together.snapshot()];
    expect(packStore.snapshot()).toEqual(new Map(all.filter(([key]) => isPack(key))));
    expect([...store.snapshot().keys()]).toEqual(all.map(([key]) => key).filter((key) => !isPack(key)));
    expect(apart.files.length).toBeGreaterThan(20);
  });

  test("verify reports no findings if it is asked to stop in the middle of a pack's file", async () => {
    const [store, packStore] = [archive(), memoryStore("pack-store")];
    const job = jobOn(store, packStore);
    await exportPack(job, OF_MARCH);
    const third = stoppingStore(packStore, ({ method, nth }) => method === "openStream" && nth === 3);
    const run = verifyArchive({ ...job, packStore: third.store, signal: third.signal }, { rewalk: false });
    await expect(run).rejects.toBeInstanceOf(StoppedError);
    expect(third.store.operations.filter(({ method }) => method === "openStream")).toHaveLength(4);
  });

  test("verify reads its packs, and those made before the pack store was set", async () => {
    const [store, packStore] = [archive(), memoryStore("pack-store")];
    await exportPack(jobOn(store, null), OF_MARCH);
    const job = jobOn(store, packStore);
    const before = await verifyArchive(job, { rewalk: false });
    await exportPack(job, OF_MARCH);
    const after = await verifyArchive(job, { rewalk: false });
    expect([before.findings, after.findings]).toEqual([[], []]);
    const inPackStore = [...packStore.snapshot().keys()];
    expect(after.checked - before.checked).toBe(inPackStore.length - 2); // latest.json and the ZIP have no hash
    for (const [damaged, location] of [
      [store, "main-store"],
      [packStore, "pack-store"],
    ] as const) {
      const key = inPackStore.find((one) => one.endsWith("/fees.csv")) ?? "";
      const good = damaged.snapshot().get(key);
      damaged.delete(key);
      const { ok, findings } = await verifyArchive(job, { rewalk: false, period: MARCH });
      expect(ok).toBe(false);
      expect(findings).toEqual([expect.stringContaining(`${location}/${key} is missing; SHA256SUMS says `)]);
      damaged.put(key, good ?? Buffer.of());
    }
  });
});
