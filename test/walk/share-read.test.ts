import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { Progress } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { readOf, shareRead } from "../../lambda/walk/share-read.ts";
import { freshWindow } from "../../lambda/walk/window.ts";
import { makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import { makeBench } from "../support/job.ts";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const HISTORY = makeHistory({ seed: 4, fills: 12_000, ...YEAR, ties: 0 });

async function reportsOf(request: { readonly from?: number; readonly to?: number }, switches: Partial<Switches> = {}) {
  const reports: Progress[] = [];
  const { job } = makeBench({ history: HISTORY, switches, job: { report: (progress) => reports.push(progress) } });
  expect(await syncArchive(job, request)).toMatchObject({ complete: true });
  return reports;
}

describe("a walk of a year of evenly spread fills, with a given beginning", () => {
  test.each<[string, Partial<Switches>]>([
    ["newest first", {}],
    ["oldest first", { order: "ascending" }],
  ])("%s: its share matches the fills read so far, and never falls", async (_, switches) => {
    const reports = await reportsOf(YEAR, switches);
    const known = reports.filter(({ covered }) => covered !== null);
    expect(known.length).toBeGreaterThan(reports.length * 0.8);
    for (const [at, { covered, fillsSeen }] of known.entries()) {
      expect(covered).toBeGreaterThanOrEqual(known[at - 1]?.covered ?? 0);
      expect(covered).toBeLessThan(1);
      // The tolerance of a fifth allows for rows that chains read beyond their cuts, and for the spread of
      // the fills.
      expect(Math.abs((covered ?? 0) - fillsSeen / HISTORY.count)).toBeLessThan(0.2);
    }
    const dates = reports.map(({ reached = 0 }) => (switches.order === "ascending" ? reached : -reached));
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  });
});

test("a walk without a given beginning has no share before it knows how far back the account goes", async () => {
  const reports = await reportsOf({ to: YEAR.to });
  const dense = reports.filter(({ fillsSeen }) => fillsSeen < HISTORY.count * 0.9);
  expect(dense.length).toBeGreaterThan(80);
  expect(dense.every(({ covered }) => covered === null)).toBe(true);
  expect(dense.at(-1)?.reached).toBeLessThan(YEAR.to - 30 * DAY_MS);
});

describe("the share", () => {
  const all = { from: 0, to: 100 };

  test.each<[string, Parameters<typeof shareRead>[0], number | null]>([
    [
      "is the part of the time that is read",
      { claimed: [all], unread: [{ from: 0, to: 40 }], pages: 20, knownSince: 0 },
      0.6,
    ],
    ["is not known after few pages", { claimed: [all], unread: [{ from: 0, to: 40 }], pages: 9, knownSince: 0 }, null],
    [
      "is not known if the rest may be older than the account",
      { claimed: [all], unread: [{ from: 0, to: 40 }], pages: 20, knownSince: 1 },
      null,
    ],
    ["is less than all before the walk is over", { claimed: [all], unread: [], pages: 20, knownSince: 0 }, 0.999],
  ])("%s", (_, input, share) => {
    expect(shareRead(input)).toBe(share);
  });

  test("counts what running chains have read, if rows come in order", () => {
    const window = { ...freshWindow(all), lowest: 39, highest: 99 };
    const order = { direction: "descending", refuted: false } as const;
    expect(readOf(window, order)).toEqual([{ from: 40, to: 100 }]);
    expect(readOf({ ...window, lowest: 0, highest: 70 }, { ...order, direction: "ascending" })).toEqual([
      { from: 0, to: 70 },
    ]);
    expect(readOf(window, { ...order, refuted: true })).toEqual([]);
    expect(readOf(window, { ...order, direction: null })).toEqual([]);
    expect(readOf(freshWindow(all), order)).toEqual([]);
    // A row in the margin lies beyond the window.
    expect(readOf({ ...window, lowest: -1 }, order)).toEqual([all]);
  });
});
