import { beforeEach, describe, expect, test } from "vitest";
import type { CheckProgress, Progress, RunContext } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { verifyArchive } from "../../lambda/job/verify.ts";
import { makeHistory } from "../emulator/history.ts";
import { makeBench } from "../support/job.ts";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const FILLS = 300;
const HISTORY = makeHistory({ seed: 6, fills: FILLS, ...YEAR });

let reports: Progress[];
let job: RunContext;

beforeEach(async () => {
  reports = [];
  const bench = makeBench({ history: HISTORY, switches: { pageLimit: 20 } });
  await syncArchive(bench.job, { ...YEAR });
  job = { ...bench.job, report: (progress) => reports.push(progress) };
});

function checks(): CheckProgress[] {
  return reports.map(({ checked }) => checked ?? expect.fail("not a report of a verification"));
}

/** No share falls or is unknown, none is all of it, and the last is nearly all. */
function expectRisingShare(): void {
  const shares = reports.map(({ covered }) => covered ?? expect.fail("no share is reported"));
  for (const [at, share] of shares.entries()) {
    expect(share).toBeGreaterThanOrEqual(shares[at - 1] ?? 0);
    expect(share).toBeLessThan(1);
  }
  expect(shares.at(-1)).toBeGreaterThan(0.99);
  expect(new Set(shares).size).toBeGreaterThan(reports.length / 2);
}

describe("a verification", () => {
  test("reports what it has checked: never less than before, and at its end all fills", async () => {
    const { checked } = await verifyArchive(job, { rewalk: false });
    const seen = checks();
    expect(seen.length).toBeGreaterThan(12); // a data file a month at least
    for (const [at, { objects, done }] of seen.slice(1).entries()) {
      expect(objects).toBe((seen[at]?.objects ?? 0) + 1);
      expect(done).toBeGreaterThanOrEqual(seen[at]?.done ?? 0);
    }
    expect(seen.at(-1)).toEqual({ step: "archive", objects: checked, done: FILLS, of: FILLS });
    expectRisingShare();
  });

  test("that asks the service again reports that as a part of the whole", async () => {
    await verifyArchive(job, { rewalk: true });
    const rewalked = checks().filter(({ step }) => step === "rewalk");
    expect(rewalked.length).toBeGreaterThanOrEqual(FILLS / 20); // a page each
    expect(rewalked.at(-1)).toMatchObject({ done: FILLS, of: FILLS });
    expect(reports.at(-1)?.requests).toBeGreaterThan(0);
    expectRisingShare();
  });
});
