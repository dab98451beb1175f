import { describe, expect, test } from "vitest";
import { ManifestIndex } from "../../../lambda/archive/index/manifest-index.ts";
import { dataFileKey, pagesKey, sha256Of } from "../../../lambda/archive/keys.ts";
import type { DataFile, WindowRecord } from "../../../lambda/archive/manifest-entries.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { dataFileAt, windowAt } from "./model.ts";

const BEGIN = Date.UTC(2023, 0, 1);

/** An account whose data files are only described, not written. They have realistic names. */
interface Shape {
  readonly dataFiles: number;
  readonly windows: number;
  readonly days: number;
}

const ACCOUNTS: Readonly<Record<string, Shape>> = {
  "100 million fills in three years": { dataFiles: 20_000, windows: 25_000, days: 3 * 365 },
  "100 million fills in one year": { dataFiles: 20_000, windows: 25_000, days: 365 },
  "10,000 fills in three years": { dataFiles: 36, windows: 500, days: 3 * 365 },
};

function largeDataFile(from: number, to: number, salt = 0): DataFile {
  const dataFile = dataFileAt(from, to, salt);
  return { ...dataFile, key: dataFileKey("main", dataFile, dataFile.sha256) };
}

function largeWindow(from: number, to: number, salt = 0): WindowRecord {
  const sha256 = sha256Of(new TextEncoder().encode(`${from} ${salt}`));
  return { ...windowAt(from, to, salt), rawResponses: [pagesKey("main", { from, to }, 0, { epoch: 1, sha256 })] };
}

async function accountOf({ dataFiles, windows, days }: Shape) {
  const store = memoryStore();
  const cut = (count: number, index: number): number => BEGIN + Math.floor((index * days * DAY_MS) / count);
  const added = {
    dataFiles: Array.from({ length: dataFiles }, (_, index) =>
      largeDataFile(cut(dataFiles, index), cut(dataFiles, index + 1)),
    ),
    windows: Array.from({ length: windows }, (_, index) => largeWindow(cut(windows, index), cut(windows, index + 1))),
  };
  const made = await (await ManifestIndex.empty({ account: "main", store }).change({ added })).seal({
    clock: fakeClock(),
    epoch: 1,
  });
  const root = JSON.stringify(made.root);
  const open = () => {
    const counting = faultyStore(store, () => "ok");
    return { counting, manifestIndex: ManifestIndex.of({ account: "main", store: counting }, JSON.parse(root)) };
  };
  return { store, open, end: cut(1, 1) };
}

describe.each(Object.entries(ACCOUNTS))("an account with %s", (_, shape) => {
  test("a commit writes little, and a query reads little", async () => {
    const { store, open, end } = await accountOf(shape);
    const places = { newest: end, oldest: BEGIN, middle: (BEGIN + end) / 2 };
    const written: Record<string, { nodes: number; bytes: number; read: number }> = {};
    for (const [place, from] of Object.entries(places)) {
      const { counting, manifestIndex } = open();
      const before = store.snapshot();
      const added = {
        dataFiles: [largeDataFile(from + 1, from + 2, 1)],
        windows: [largeWindow(from + 1, from + 2, 1)],
      };
      const sealed = await (await manifestIndex.change({ added })).seal({ clock: fakeClock(), epoch: 2 });
      const made = [...store.snapshot()].filter(([key]) => !before.has(key));
      const bytes = made.reduce((sum, [, body]) => sum + body.length, JSON.stringify(sealed.root).length);
      const read = counting.operations.filter(({ method }) => method === "get").length;
      written[place] = { nodes: made.length, bytes, read };
    }
    // A commit at the newest time writes the root, and the units that have ended. At a year's end these are
    // most.
    expect(written["newest"]?.read).toBe(0);
    expect(written["newest"]?.bytes).toBeLessThan(60_000);
    for (const place of ["oldest", "middle"]) {
      expect(written[place]?.nodes).toBeLessThanOrEqual(4); // a year, a month, a day, an hour
      expect(written[place]?.read).toBeLessThanOrEqual(4);
      expect(written[place]?.bytes).toBeLessThan(80_000);
    }
    const { counting, manifestIndex } = open();
    const month = { from: Date.UTC(2023, 5, 1), to: Date.UTC(2023, 6, 1) };
    for await (const _visited of manifestIndex.visit((__, unit) => {
      if (unit.to <= month.from) {
        return "whole";
      }
      return unit.from >= month.from ? "skip" : "open";
    })) {
      expect(counting.operations.length).toBeLessThanOrEqual(1); // the year
    }
    await manifestIndex.nearestWindows(month.from, 8);
    expect(counting.operations.length).toBeLessThanOrEqual(10);
  });
});
