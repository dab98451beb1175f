import { describe, expect, test } from "vitest";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { EmulatorOptions } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { audit } from "../support/auditor.ts";
import { makeBench } from "../support/job.ts";
import { READABLE, UNREADABLE } from "../support/switches.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 6, 1);
const HISTORY = makeHistory({ seed: 7, fills: 1200, from: FROM, to: TO });

async function run(options: EmulatorOptions, range: { from: number; to: number }) {
  const { job, emulator } = makeBench(options);
  const result = await syncArchive(job, range);
  const report = await audit(job.store, job.account, emulator.truth());
  return { result, report, emulator };
}

/** Holds whatever the service does: claimed ranges lack no fill, and no fill is doubled or invented. */
function expectHonest(report: Awaited<ReturnType<typeof audit>>): void {
  expect({ lost: report.lost, doubled: report.doubled, invented: report.invented }).toEqual({
    lost: [],
    doubled: [],
    invented: [],
  });
}

describe("every switch alone", () => {
  test.each(Object.entries(READABLE))("%s: every fill is read once", async (_, switches) => {
    const { result, report } = await run({ history: HISTORY, switches }, { from: FROM, to: TO });
    expectHonest(report);
    expect(result.problem).toBeNull();
    expect(result.complete).toBe(true);
    expect(report.coverage).toEqual([{ from: FROM, to: TO }]);
    expect(result.fills).toBe(HISTORY.count);
  });

  test.each(Object.entries(UNREADABLE))(
    "%s: the run fails, and claims nothing that it does not have",
    async (_, switches) => {
      const { result, report } = await run({ history: HISTORY, switches }, { from: FROM, to: TO });
      expectHonest(report);
      expect(result.complete).toBe(false);
      expect(result.problem?.kind).toMatch(/incomplete|untrusted/);
    },
  );
});

describe("cursors that are times", () => {
  const range = { from: FROM, to: TO };
  const switches = { timeCursors: true } as const;

  test.each(["descending", "ascending"] as const)("%s, with ties: every fill is read once", async (order) => {
    const history = makeHistory({ seed: 1, fills: 1000, ...range, ties: 20, selfTrades: 0.05 });
    const { result, report } = await run({ history, switches: { ...switches, order } }, range);
    expectHonest(report);
    expect(result).toMatchObject({ complete: true, fills: 1000 });
  });

  test("more fills in a millisecond than fit on a page: exit 4, and all others are read", async () => {
    const history = makeHistory({ seed: 1, fills: 3000, ...range, ties: 250 });
    const { result, report } = await run({ history, switches }, range);
    expectHonest(report);
    expect(result).toMatchObject({ complete: false, problem: { kind: "incomplete" } });
    expect(result.fills).toBeGreaterThanOrEqual(3000 - 250);
  });
});
