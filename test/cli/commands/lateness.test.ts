import { describe, expect, test } from "vitest";
import { ArchiveSession } from "../../../lambda/archive/session.ts";
import { latenessLines, latenessWarnings } from "../../../lambda/cli/commands/lateness.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { makeFill } from "../../support/make-fill.ts";
import { run } from "./run.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SEEN = Date.UTC(2026, 1, 1, 4, 10);
const late = (maxMs: number, count = 1) => ({ maxMs, count, lastSeenAt: SEEN });

describe("the lateness of fills", () => {
  test.each([
    [26 * HOUR_MS, 1, "1 fill came late, up to 26 h 0 min after the transaction"],
    [4.25 * DAY_MS, 1200, "1,200 fills came late, up to 4.3 days after the transaction"],
  ])("is printed in hours, or in days if it is long", (maxMs, count, said) => {
    expect(latenessLines(late(maxMs, count))).toEqual([`${said}; the last was seen 2026-02-01T04:10:00.000Z`]);
  });
});

describe("the warning", () => {
  test("goes to stderr, for people and programs, and does not fail the run", async () => {
    const { job } = makeBench({ history: [] });
    const covered = { from: SEEN - 30 * DAY_MS, to: SEEN };
    const finished = [
      { ...covered, pages: 1, duplicates: 0, ended: "no-last" as const, pagesHash: "", rawResponses: [] },
    ];
    const session = await ArchiveSession.open(job, () => undefined);
    const { checkpoint } = session.manifest;
    await session.commit({ incomingFills: [], rawResponses: [], finished, checkpoint });
    const fill = makeFill({ txCreated: NOW - 6 * DAY_MS });
    await session.commit({ incomingFills: [fill], rawResponses: [], finished: [], checkpoint });
    const components = { store: () => Promise.resolve(job.store) };
    const ran = await run(["status", "--json"], { components });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/^fillbook status: warning: a fill came 6\.0 days after its transaction, .*\n$/);
    const lastSeenAt = new Date(NOW).toISOString();
    expect(JSON.parse(ran.stdout)).toMatchObject({ lateness: { maxMs: 6 * DAY_MS, count: 1, lastSeenAt } });
    expect((await run(["status", "--quiet", "--look-back", "13"], { components })).stderr).toBe("");
  });

  test("is followed by a longer look-back at once if it is set by a flag, and at the usual time if it is set in the environment", async () => {
    const { job, clock } = makeBench({ history: [] });
    const { store, reader } = job;
    const components = {
      clock,
      store: () => Promise.resolve(store),
      reader: () => reader,
      requireAccountAccess: () => Promise.resolve(),
    };
    const notesOf = async (flags: readonly string[], environment = {}) => {
      const line = ["sync", "--from", "2026-01-20", "--json", ...flags];
      return JSON.parse((await run(line, { components, environment })).stdout).notes;
    };
    await notesOf([]);
    await notesOf([]);
    expect(await notesOf([], { FILLBOOK_LOOK_BACK_DAYS: "9" })).toEqual([expect.stringContaining("--look-back 9")]);
    const { requests } = reader.counts;
    expect(await notesOf(["--look-back", "9"])).toBeUndefined();
    expect(reader.counts.requests).toBeGreaterThan(requests + 5);
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
