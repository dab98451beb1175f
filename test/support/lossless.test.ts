import { describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/errors.ts";
import { DAY_MS } from "../../lambda/model/time.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import type { HistoryOptions } from "../emulator/history-plan.ts";
import { freshClient } from "./client-job.ts";
import { makeBench, NOW } from "./job.ts";
import { syncAndCompare } from "./lossless.ts";

const FROM = NOW - 60 * DAY_MS;
const HISTORY: HistoryOptions = { seed: 3, fills: 450, from: FROM, to: NOW - DAY_MS, ties: 20 };
const RANGE = { from: FROM, to: NOW };

describe("a sync beside the truth", () => {
  test("of a plain service: complete, and the same fills", async () => {
    const found = await syncAndCompare({ history: HISTORY, range: RANGE });
    expect(found).toMatchObject({ complete: true, kind: null, exitCode: 0, message: "", hint: "" });
    expect(found).toMatchObject({ lost: 0, doubled: 0, invented: 0, rows: 450 });
    expect(found.requests).toBeGreaterThanOrEqual(5);
  });

  test("of a service that refuses: its error, and nothing lost where nothing is covered", async () => {
    const rangeLimits = { maxWidthMs: 1000, body: { message: "too wide for us" } };
    const found = await syncAndCompare({ history: HISTORY, range: RANGE, switches: { rangeLimits } });
    expect(found).toMatchObject({ complete: false, lost: 0, doubled: 0, invented: 0 });
    expect(found.exitCode).toBeGreaterThan(0);
    expect(found.message).toContain("too wide for us");
  });

  test("a client that drops rows: they are counted as lost", async () => {
    const emulator = createEmulator({ seed: HISTORY.seed, history: makeHistory(HISTORY) });
    const { job, clock } = makeBench({ emulator });
    const reader = freshClient(emulator, { ...job, clock });
    const gone = new Set(Array.from({ length: 40 }, (_, index) => makeHistory(HISTORY).item(index * 7).matchId));
    const withoutThem: typeof reader = {
      ...reader,
      async completedOrders(request, signal) {
        const answer = await reader.completedOrders(request, signal);
        if (answer.kind !== "page") {
          throw new FillbookError("fault", "the emulator has refused a cursor");
        }
        const rows = answer.rows.filter((row) => !("fill" in row && gone.has(row.fill.matchId)));
        return { ...answer, rows };
      },
    };
    const found = await syncAndCompare({ history: HISTORY, range: RANGE, job: { reader: withoutThem } });
    const lost = [...emulator.truth().values()].filter(({ matchId }) => gone.has(matchId)).length;
    expect(found).toMatchObject({ complete: true, lost, doubled: 0, invented: 0, rows: 450 - lost });
  });
});
