import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Manifest } from "../../lambda/archive/manifest.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { holds } from "../../lambda/core/ranges.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { syncArchive } from "../../lambda/job/sync.ts";
import type { EmulatorOptions } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { audit } from "../support/auditor.ts";
import { makeBench } from "../support/job.ts";
import { withReadableCap } from "../support/known-limits.ts";
import { anySwitches, READABLE, UNREADABLE } from "../support/switches.ts";

type Truth = Map<string, CompletedOrder>;

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 6, 1);
const HISTORY = makeHistory({ seed: 7, fills: 3000, from: FROM, to: TO });

async function run(options: EmulatorOptions, range: { from: number; to: number }) {
  const { job, emulator } = makeBench(options);
  const result = await syncArchive(job, range);
  const report = await audit(job.store, job.account, emulator.truth());
  return { result, report, emulator };
}

/** What must hold whatever the service does: nothing lost in what is claimed, nothing doubled, nothing invented. */
function expectHonest(report: Awaited<ReturnType<typeof audit>>): void {
  expect({ lost: report.lost, doubled: report.doubled, invented: report.invented }).toEqual({
    lost: [],
    doubled: [],
    invented: [],
  });
}

describe("every switch alone", () => {
  test.each(Object.entries(READABLE))("%s: every fill, once", async (_, switches) => {
    const { result, report } = await run({ history: HISTORY, switches }, { from: FROM, to: TO });
    expectHonest(report);
    expect(result.problem).toBeNull();
    expect(result.complete).toBe(true);
    expect(report.coverage).toEqual([{ from: FROM, to: TO }]);
    expect(result.fills).toBe(HISTORY.count);
  });

  test.each(Object.entries(UNREADABLE))("%s: fails loudly, claims nothing that it has not", async (_, switches) => {
    const { result, report } = await run({ history: HISTORY, switches }, { from: FROM, to: TO });
    expectHonest(report);
    expect(result.complete).toBe(false);
    expect(result.problem?.kind).toMatch(/incomplete|untrusted/);
  });
});

/** Without the fills that a narrow clamp hides where the archive names the assumption that there are none. */
function withoutAssumed(truth: Truth, { checkpoint }: Manifest, { clamp }: Partial<Switches>): Truth {
  const assumed = (checkpoint.assumed ?? []).filter(({ widthMs }) => widthMs > (clamp?.widthMs ?? widthMs));
  return new Map([...truth].filter(([, { txCreated }]) => !holds(assumed, txCreated)));
}

function isOf(truth: Truth, identity: string): boolean {
  return [...truth.values()].some(({ matchId, orderId }) => `${matchId} ${orderId}` === identity);
}

describe("drawn services", () => {
  const drawn = fc.record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    fills: fc.constantFrom(0, 1, 2, 99, 100, 101, 350, 900),
    density: fc.constantFrom("uniform", "ramp", "zipf-days", "bursts", "sparse"),
    switches: anySwitches,
    concurrency: fc.constantFrom(1, 4, 16),
    days: fc.constantFrom(1, 30, 181),
  });

  test("whatever the service does, the archive is complete or says that it is not", async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async ({ seed, fills, density, switches, concurrency, days }) => {
        const account = { seed, fills, from: FROM, to: FROM + days * DAY_MS, density } as const;
        const history = makeHistory(account);
        const readable = withReadableCap(switches, account);
        const { job, emulator } = makeBench({ seed, history, switches: readable, job: { concurrency } });
        const result = await syncArchive(job, { from: FROM, to: FROM + days * DAY_MS });
        const truth = withoutAssumed(emulator.truth(), (await readArchive(job.store, "main")).manifest, switches);
        const report = await audit(job.store, job.account, truth);
        expectHonest({ ...report, invented: report.invented.filter((one) => !isOf(emulator.truth(), one)) });
        if (result.complete) {
          expect(report.rows).toBeGreaterThanOrEqual(truth.size);
          expect(report.coverage).toEqual([{ from: FROM, to: FROM + days * DAY_MS }]);
        } else {
          expect(result.problem).not.toBeNull();
        }
      }),
      { numRuns: Number(process.env["FILLBOOK_RUNS"] ?? 300) },
    );
  });
});
