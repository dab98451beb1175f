import { expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import type { Progress } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { makeHistory } from "../emulator/history.ts";
import { exportRequest } from "../support/exports.ts";
import { makeBench } from "../support/job.ts";

const MARCH = parsePeriod("month-2025-03");
const REQUEST = exportRequest(MARCH);

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
  const result = await exportPack({ ...bench.job, report: (progress) => reports.push(progress) }, REQUEST);
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
