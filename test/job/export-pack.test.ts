import { describe, expect, test } from "vitest";
import { readArguments } from "../../lambda/cli/arguments.ts";
import { readPeriod } from "../../lambda/cli/commands/export.ts";
import { customPeriod, parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import type { Progress } from "../../lambda/job/context.ts";
import { exportPack, notOver } from "../../lambda/job/export-pack.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { MARCH, OF_MARCH, packRows, plainItem } from "../support/exports.ts";
import { makeBench, NOW } from "../support/job.ts";

function item(name: string, txCreated: number, filledAt?: number): CompletedOrder {
  return plainItem(name, txCreated, filledAt === undefined ? {} : { filledAt });
}

async function packOf(items: readonly CompletedOrder[]) {
  const { job } = makeBench({ history: historyOf(items) });
  const result = await exportPack(job, OF_MARCH);
  const rows = (path: string) => packRows(job.store, result.dir, path);
  return { result, rows, names: (await rows("fills.csv")).map((row) => row["match_id"]) };
}

describe("the fills of a period's pack", () => {
  test("are those filled in the period, even if txCreated is outside it, on either side of either end", async () => {
    const { result, names } = await packOf([
      item("created-before-filled-in", MARCH.from - HOUR_MS, MARCH.from),
      item("created-in-filled-before", MARCH.from, MARCH.from - 1),
      item("in", MARCH.from + DAY_MS, MARCH.from + DAY_MS),
      item("created-in-filled-after", MARCH.to - 1, MARCH.to),
      item("created-after-filled-in", MARCH.to + HOUR_MS, MARCH.to - 1),
    ]);
    expect(result).toMatchObject({ complete: true, problem: null });
    expect(names).toEqual(["created-before-filled-in", "in", "created-after-filled-in"]);
  });

  test("need a walk that is wider by the largest difference seen between the two times", async () => {
    const { result, names } = await packOf([
      item("three-days-apart", MARCH.from + 5 * DAY_MS, MARCH.from + 2 * DAY_MS),
      item("as-far-before", MARCH.from - 2 * DAY_MS - HOUR_MS, MARCH.from),
      item("as-far-after", MARCH.to + 2 * DAY_MS, MARCH.to - 1),
    ]);
    expect(result.complete).toBe(true);
    expect(names).toEqual(["as-far-before", "three-days-apart", "as-far-after"]);
  });

  test("need no walk of times before any account, even if a fill has a time in 2001", async () => {
    const { result, names } = await packOf([
      item("odd", MARCH.from + DAY_MS, 1_000_000_000_000),
      item("in", MARCH.from + DAY_MS + 1),
    ]);
    expect(result).toMatchObject({ complete: true, problem: null });
    expect(names).toEqual(["in"]);
  });
});

test("a period that ended less than the settle lag ago gets a pack only after the lag", async () => {
  const settleLagMs = HOUR_MS;
  const period = { ...MARCH, from: NOW - 3 * DAY_MS, to: NOW - HOUR_MS / 2 };
  const { job, clock } = makeBench({ history: historyOf([item("a", NOW - DAY_MS)]), job: { settleLagMs } });
  expect(await exportPack(job, { ...OF_MARCH, period })).toMatchObject({ complete: false, dir: null });
  await clock.sleep(HOUR_MS);
  expect(await exportPack(job, { ...OF_MARCH, period })).toMatchObject({ complete: true });
});

test("a second export of a covered period sends hardly any requests and makes the same pack", async () => {
  const history = makeHistory({ seed: 2, fills: 300, from: MARCH.from - DAY_MS, to: MARCH.to + DAY_MS });
  const { job } = makeBench({ history });
  const first = await exportPack(job, OF_MARCH);
  const before = job.reader.counts.requests;
  const again = await exportPack(job, OF_MARCH);
  expect(again).toEqual(first);
  expect(job.reader.counts.requests - before).toBeLessThanOrEqual(2);
});

/** Unknown values (null) are skipped. */
function isRising(values: readonly (number | null)[]): boolean {
  const known = values.filter((value) => value !== null);
  return known.every((value, at) => value >= (known[at - 1] ?? 0));
}

/**
 * The progress that an export of March reports. The account has fills for a year around it; pages hold 5
 * rows.
 */
const ACCOUNT = makeHistory({ seed: 3, fills: 600, from: Date.UTC(2024, 5, 1), to: Date.UTC(2025, 5, 1) });

async function reported() {
  const bench = makeBench({ history: ACCOUNT, switches: { pageLimit: 5 } });
  const reports: Progress[] = [];
  const result = await exportPack({ ...bench.job, report: (progress) => reports.push(progress) }, OF_MARCH);
  expect(result.complete).toBe(true);
  return reports;
}

test("an export walks the period and the time before it as one: no reported value falls, and 100 % is the end", async () => {
  const reports = await reported();
  const inMarch = Array.from({ length: ACCOUNT.count }, (_, at) => ACCOUNT.item(at)).filter(
    ({ filledAt, txCreated }) => MARCH.from <= (filledAt ?? txCreated) && (filledAt ?? txCreated) < MARCH.to,
  ).length;
  const walking = reports.filter(({ stage }) => stage !== "packing");
  const packing = reports.slice(walking.length);
  expect(walking.length).toBeGreaterThan(20);
  for (const name of ["covered", "fillsSeen", "pages", "windowsDone"] as const) {
    expect(isRising(reports.map((one) => one[name])), name).toBe(true);
  }
  expect(walking.every(({ covered }) => (covered ?? 0) < 1)).toBe(true);
  expect(new Set(walking.map(({ stage }) => stage))).toEqual(new Set(["walking", "waiting"])); // between the readings
  expect(packing.every(({ stage, covered }) => stage === "packing" && covered === 1)).toBe(true);
  expect(isRising(packing.map(({ packed }) => packed?.fills ?? null))).toBe(true);
  expect(packing.at(-1)?.packed).toEqual({ fills: inMarch, of: inMarch });
  expect(packing.map(({ note }) => note)).toEqual(expect.arrayContaining([undefined, "summary.csv", "workbook.xlsx"]));
});

const MINUTES_5 = 300_000;

function said(period: ReturnType<typeof parsePeriod>, iso: string, allowIncomplete = false) {
  const now = Date.parse(iso);
  const { kind, message, hint } = notOver(period, { now, latest: now - MINUTES_5 }, { allowIncomplete });
  return { kind, message, hint };
}

const RANGE = customPeriod("2026-01-01T09:30:00Z", "2027-01-01");

// The days so far end where fills can be read: it is still the day before in New York, and five minutes ago in London.
test.each([
  [parsePeriod("us-2026"), "2026-11-26T12:00:00Z", "us-2026", "America/New_York", "2026-01-01", "2026-11-26"],
  [parsePeriod("us-2026"), "2026-11-26T04:59:00Z", "us-2026", "America/New_York", "2026-01-01", "2026-11-25"],
  [RANGE, "2026-11-26T12:00:00Z", "the period", "UTC", "2026-01-01T09:30:00.000Z", "2026-11-26"],
])(
  "$name is not over at %s: its last day on the clocks of its zone, and the days so far",
  (period, now, name, zone, from, to) => {
    const hint = `for the time so far: --from ${from} --to ${to} --zone ${zone}`;
    const message = `${name} is not over: it ends on 31 December 2026 (${zone})`;
    expect(said(period, now, true)).toEqual({ kind: "incomplete", message, hint });
    expect(said(period, now).hint).toBe(`${hint}; or add --allow-incomplete`);
  },
);

test("an offset west of Greenwich is written with =, as the program takes it", async () => {
  const { hint = "" } = said(parsePeriod("calendar-2026", "-03:00"), "2026-11-26T12:00:00Z", true);
  expect(hint).toBe("for the time so far: --from 2026-01-01 --to 2026-11-26 --zone=-03:00");
  const read = await readArguments(["export", ...hint.slice(hint.indexOf("--")).split(" ")]);
  expect(read.kind === "run" && readPeriod(read.given)).toMatchObject({ zone: "-03:00", lastDay: "2026-11-25" });
});

test("nothing can be exported of a period that has just begun; one that has just ended is not said to go on", () => {
  expect(said(parsePeriod("us-2026"), "2026-01-01T12:00:00Z").hint).toBe("run again after that day");
  expect(said(parsePeriod("us-2026"), "2027-01-01T05:01:00Z").message).toContain("is covered yet");
});
