import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { union } from "../../../lambda/core/ranges.ts";
import { DAY_MS, HOUR_MS, isoTime, type TimeRange } from "../../../lambda/core/time.ts";
import type { ArchiveView } from "../../../lambda/web/data/archives.ts";
import { calendarOf } from "../../../lambda/web/views/coverage-calendar.ts";
import { archiveState, gapList, gapsOf } from "../../../lambda/web/views/status.ts";

const TODAY = Date.UTC(2026, 10, 21);
const NOW = TODAY + 14 * HOUR_MS;

function archiveWith(coverage: readonly TimeRange[], changes: Partial<ArchiveView> = {}): ArchiveView {
  return {
    account: "main",
    coverage,
    fills: 1700,
    lastRun: null,
    busy: false,
    restatements: async () => [],
    ...changes,
  };
}

function stateText(archive: ArchiveView, now = NOW): string {
  return archiveState(archive, now)
    .markup.replaceAll(/<[^>]*>/g, "")
    .trim();
}

describe("an archive's headline", () => {
  const from = Date.UTC(2026, 0, 1);
  const upTo = (to: number) => [{ from, to }];

  test("says how far it was read, and apart from that how many fills are kept", () => {
    expect(stateText(archiveWith(upTo(NOW - HOUR_MS)))).toBe(
      "✓ Covered without a gap. Read from 2026-01-01 00:00 UTC up to 2026-11-21 13:00 UTC. 1,700 fills kept. No run yet.",
    );
  });

  test("of an archive that ended long ago: not up to date, as its calendar has it", () => {
    const archive = archiveWith(upTo(from + DAY_MS + 5 * HOUR_MS));
    expect(stateText(archive)).toBe(
      "▲ Not up to date. Read from 2026-01-01 00:00 UTC up to 2026-01-02 05:00 UTC; nothing since then (323 days 9 hours). Which times are missing. 1,700 fills kept. No run yet.",
    );
    expect(gapList(gapsOf(archive, NOW), NOW).markup).toContain("UTC</time> (323 days 9 hours)");
  });

  test("a run a night is enough: yesterday and today may be unread, to the ms", () => {
    const yesterday = TODAY - DAY_MS;
    expect(gapsOf(archiveWith(upTo(yesterday)), NOW)).toEqual([]);
    expect(gapsOf(archiveWith(upTo(yesterday - 1)), NOW)).toEqual([{ from: yesterday - 1, to: NOW }]);
    expect(gapsOf(archiveWith(upTo(yesterday)), TODAY + DAY_MS - 1)).toEqual([]);
    expect(gapsOf(archiveWith(upTo(yesterday)), TODAY + DAY_MS)).not.toEqual([]);
  });

  test("counts gaps, and the open end apart from them", () => {
    const coverage = [
      { from, to: from + DAY_MS },
      { from: from + 2 * DAY_MS, to: from + 3 * DAY_MS },
    ];
    expect(stateText(archiveWith(coverage))).toMatch(/^▲ Not up to date, 1 gap\. .*, but not all of it; nothing since/);
    expect(gapsOf(archiveWith(coverage), NOW)).toEqual([
      { from: from + DAY_MS, to: from + 2 * DAY_MS },
      { from: from + 3 * DAY_MS, to: NOW },
    ]);
    expect(stateText(archiveWith(coverage), from + 3 * DAY_MS)).toMatch(/^▲ 1 gap\. .*, but not all of it\. Which/);
    expect(gapsOf({ coverage: [] }, NOW)).toEqual([]);
  });

  test("is no tick when the last run did not complete, unless one is at work", () => {
    const lastRun = { endedAt: NOW, complete: false, problem: null };
    expect(stateText(archiveWith(upTo(NOW), { lastRun }))).toMatch(/^▲ The last run did not complete\. Read from/);
    expect(stateText(archiveWith(upTo(NOW), { lastRun, busy: true }))).toMatch(/^✓ .* A run is at work now\.$/);
    expect(stateText(archiveWith(upTo(NOW), { lastRun: { ...lastRun, complete: true } }))).toMatch(/^✓/);
  });

  const drawn = fc
    .array(
      fc.tuple(fc.integer({ min: 0, max: 60 * 24 }), fc.integer({ min: 1, max: 30 * 24 })).map(([start, hours]) => ({
        from: TODAY - (60 * 24 - start) * HOUR_MS,
        to: Math.min(NOW, TODAY - (60 * 24 - start - hours) * HOUR_MS),
      })),
      { minLength: 1, maxLength: 8 },
    )
    .map(union)
    .filter((ranges) => ranges.length > 0);

  /** Days since the first that is covered which the calendar paints orange. */
  function orangeDays(coverage: readonly TimeRange[]): number[] {
    const first = coverage[0]?.from ?? 0;
    return calendarOf(coverage, NOW)
      .flatMap(({ year, months }) => months.flat().map((state, at) => ({ day: Date.UTC(year, 0, 1 + at), state })))
      .filter(({ day, state }) => (state === "none" || state === "partly") && day > first)
      .map(({ day }) => day);
  }

  test("is no tick where a day before yesterday is orange, and without an orange day it is one", () => {
    fc.assert(
      fc.property(drawn, (coverage) => {
        const isTick = stateText(archiveWith(coverage)).startsWith("✓");
        const orange = orangeDays(coverage);
        expect(isTick && orange.some((day) => day < TODAY - DAY_MS)).toBe(false);
        const firstDay = isoTime(coverage[0]?.from ?? 0).slice(0, 10);
        const isWhole = !coverage.some(({ to }, at) => at < coverage.length - 1 && isoTime(to).startsWith(firstDay));
        expect(isTick || orange.length > 0 || !isWhole).toBe(true);
      }),
    );
  });
});
