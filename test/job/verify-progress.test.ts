import { expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import type { Progress } from "../../lambda/job/context.ts";
import { verifyArchive } from "../../lambda/job/inspect.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { makeHistory } from "../emulator/history.ts";
import { makeBench } from "../support/job.ts";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const FILLS = 300;

test("a verification reports what it has checked: never less than before, and all fills at its end", async () => {
  const { job } = makeBench({ history: makeHistory({ seed: 6, fills: FILLS, ...YEAR }) });
  await syncArchive(job, { ...YEAR });
  const seen: NonNullable<Progress["checked"]>[] = [];
  const watched = { ...job, report: ({ checked }: Progress) => checked !== undefined && seen.push(checked) };
  const { checked } = await verifyArchive(watched, { rewalk: false });
  expect(seen.length).toBeGreaterThan(12); // at least one data file per month
  for (const [at, { objects, fills }] of seen.slice(1).entries()) {
    expect(objects).toBe((seen[at]?.objects ?? 0) + 1);
    expect(fills).toBeGreaterThanOrEqual(seen[at]?.fills ?? 0);
  }
  expect(seen.at(-1)).toEqual({ objects: checked, fills: FILLS, of: FILLS });

  seen.length = 0;
  await verifyArchive(watched, { rewalk: false, period: parsePeriod("month-2025-03") });
  expect(seen.at(-1)?.of).toBeNull();
  expect(seen.at(-1)?.fills).toBeLessThan(FILLS);
});
