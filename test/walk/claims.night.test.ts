import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import type { HistoryOptions } from "../emulator/history-plan.ts";
import type { Switches } from "../emulator/switches.ts";
import { NOW } from "../support/job.ts";
import { type Lossless, syncAndCompare } from "../support/lossless.ts";

// What a sync claims if answers are only partial. It is complete without a loss, or it tells why it is not.

const FROM = NOW - 365 * DAY_MS;
const TO = NOW - DAY_MS;
const RANGE = { from: FROM, to: NOW };

/** A year of fills, half of them within one hour. */
function withBurst(fills: number, seed = 1): HistoryOptions {
  const burst = { share: 0.5, from: NOW - 100 * DAY_MS, lengthMs: HOUR_MS };
  return { seed, fills, from: FROM, to: TO, ties: 100, burst };
}

function year(fills: number, seed = 1): HistoryOptions {
  return { seed, fills, from: FROM, to: TO, ties: Math.min(100, Math.floor(fills / 50)) };
}

function expectNoLoss(found: Lossless, fills: number): void {
  expect(found).toMatchObject({ lost: 0, doubled: 0, invented: 0 });
  if (found.complete) {
    expect(found).toMatchObject({ kind: null, rows: fills });
  } else {
    expect(found.kind).toMatch(/^(incomplete|untrusted)$/);
  }
}

describe("a cap on the rows of a query: nothing is lost while complete", () => {
  const caps = [
    [20_000, 300],
    [20_000, 2000],
    [20_000, 6000],
    [6000, 1000],
  ] as const;
  const cases = caps.flatMap(([fills, rows]) => [false, true].map((emptyLast) => [fills, rows, emptyLast] as const));

  test.each(cases)(
    "%i fills, half of them in one hour, at most %i rows, an empty page after them: %s",
    async (...of) => {
      const [fills, rows, emptyLast] = of;
      const switches = { rowCap: { rows, emptyLast } };
      expectNoLoss(await syncAndCompare({ history: withBurst(fills), switches, range: RANGE }), fills);
    },
  );
});

describe("txCreated in seconds: the run exits with 5", () => {
  test.each([0.02, 1])("500 fills, a share of %f", async (share) => {
    const switches = { seconds: { share, field: "txCreated" } } as const;
    const found = await syncAndCompare({ history: year(500), switches, range: RANGE });
    expect(found).toMatchObject({ complete: false, kind: "untrusted", exitCode: 5, lost: 0 });
  });
});

describe("missing answers and cursors: nothing is lost while complete", () => {
  const services: readonly (readonly [string, Partial<Switches>])[] = [
    ["8 % of the answers are empty", { falseEmpty: 0.08 }],
    ["5 % of the answers lack their last", { lostLast: 0.05 }],
  ];
  const cases = services.flatMap(([title, switches]) => [1, 2, 3].map((seed) => [title, seed, switches] as const));

  test.each(cases)("6,000 fills, %s, seed %i", async (_, seed, switches) => {
    expectNoLoss(await syncAndCompare({ history: year(6000, seed), switches, range: RANGE }), 6000);
  });
});

describe("refused ranges", () => {
  const refusals: readonly NonNullable<Switches["rangeLimits"]>[] = [
    { status: 400 },
    { status: 400, body: { body: "date range too large", statusCode: 400 } },
    { status: 422 },
    { status: 416, alsoSingleBound: false },
  ];

  test.each(refusals)("wider than 30 days, %j: the whole account from its beginning", async (refusal) => {
    const switches = { rangeLimits: { ...refusal, maxWidthMs: 30 * DAY_MS } };
    const found = await syncAndCompare({ history: year(2000), switches });
    expect(found).toMatchObject({ complete: true, kind: null, lost: 0, doubled: 0, invented: 0, rows: 2000 });
  });

  test.each(refusals)("from more than 90 days ago, %j: incomplete, and the hint names --from", async (refusal) => {
    const switches = { rangeLimits: { ...refusal, oldestAgeMs: 90 * DAY_MS } };
    const found = await syncAndCompare({ history: year(2000), switches });
    expect(found).toMatchObject({ complete: false, kind: "incomplete", lost: 0, doubled: 0, invented: 0 });
    expect(found.hint).toContain("--from");
    expect(found.requests).toBeGreaterThan(1);
  });
});
