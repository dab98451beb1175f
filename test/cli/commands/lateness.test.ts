import { describe, expect, test } from "vitest";
import { ArchiveSession } from "../../../lambda/archive/session.ts";
import { latenessLines, latenessWarnings } from "../../../lambda/cli/commands/lateness.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { makeFill } from "../../support/make-fill.ts";
import { asking, over, run } from "./run.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SEEN = Date.UTC(2026, 1, 1, 4, 10);
const late = (maxMs: number, count = 1) => ({ maxMs, count, lastSeenAt: SEEN });

test.each([
  [26 * HOUR_MS, 1, "1 fill came late, up to 26 h 0 min after the transaction"],
  [4.25 * DAY_MS, 1200, "1,200 fills came late, up to 4.3 days after the transaction"],
])("the lateness of fills is printed in hours, or in days if it is long", (maxMs, count, said) => {
  expect(latenessLines(late(maxMs, count))).toEqual([`${said}; the last was seen 2026-02-01T04:10:00.000Z`]);
});

describe("the warning", () => {
  test("goes to stderr, for people and programs, and does not fail the run", async () => {
    const { job } = makeBench({ history: [] });
    const session = await ArchiveSession.open(job);
    const covers = { from: SEEN - 30 * DAY_MS, to: SEEN, silentIn: null };
    session.file({ fills: [], covers: { ...covers, readings: 1 } });
    session.file({ fills: [], covers: { ...covers, readings: 2 } });
    await session.flush();
    session.file({ fills: [makeFill({ txCreated: NOW - 6 * DAY_MS })], covers: null });
    await session.end({ endedAt: NOW, complete: true, problem: null });
    const components = over(job.store);
    const ran = await run(["status", "--json"], { components });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/^fillbook status: warning: a fill came 6 days after its transaction, .*\n$/);
    const lastSeenAt = new Date(NOW).toISOString();
    expect(JSON.parse(ran.stdout)).toMatchObject({ lateness: { maxMs: 6 * DAY_MS, count: 1, lastSeenAt } });
    expect((await run(["status", "--quiet", "--look-back", "13"], { components })).stderr).toBe("");
  });

  test("is followed by a longer look-back at once if it is set by a flag, and at the usual time if it is set in the environment", async () => {
    const { job } = makeBench({ history: [] });
    const requestsOf = async (flags: readonly string[], environment = {}) => {
      const before = job.reader.counts.requests;
      await run(["sync", "--from", "2026-01-10", "--json", ...flags], { components: asking(job), environment });
      return job.reader.counts.requests - before;
    };
    await requestsOf([]);
    expect(await requestsOf([], { FILLBOOK_LOOK_BACK_DAYS: "9" })).toBeLessThanOrEqual(2);
    expect(await requestsOf(["--look-back", "9"])).toBeGreaterThan(2);
  });

  test("appears when fills are later than half of the look-back, and says what to do", () => {
    const lookBackMs = 7 * DAY_MS;
    expect(latenessWarnings(late(3.5 * DAY_MS - 1), lookBackMs)).toEqual([]);
    expect(latenessWarnings(late(3.5 * DAY_MS), lookBackMs)).toEqual([
      "a fill came 3.5 days after its transaction, and the look-back is 7 days: one that comes later than that may be missed." +
        " Raise the look-back with --look-back 8 (FILLBOOK_LOOK_BACK_DAYS=8). To find fills that are missing in older times: fillbook verify --rewalk",
    ]);
  });
});
