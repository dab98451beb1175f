import { expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync.ts";
import { makeHistory } from "../emulator/history.ts";
import { audit } from "../support/auditor.ts";
import { makeBench, NOW } from "../support/job.ts";

const FROM = Date.UTC(2025, 1, 10);
const HISTORY = makeHistory({ seed: 5, fills: 240, from: FROM, to: FROM + 40 * DAY_MS });

test.each(["filledAt", "updated"] as const)(
  "dates that filter by %s, and a range so narrow that none of its fills comes by them: all the same every fill",
  async (filterBy) => {
    for (const at of [30, 60, 100, 150, 200]) {
      const range = { from: HISTORY.times[at] ?? 0, to: (HISTORY.times[at] ?? 0) + 1 };
      const { job, emulator } = makeBench({ history: HISTORY, switches: { filterBy, pageLimit: 10 } });
      const result = await syncArchive(job, range);
      const { lost, rows } = await audit(job.store, "main", emulator.truth());
      const wanted = HISTORY.times.filter((time) => time === range.from).length;
      expect({ complete: result.complete, lost, rows }).toEqual({ complete: true, lost: [], rows: wanted });
    }
  },
);

test.each(["filledAt", "updated"] as const)(
  "dates that filter by %s, and an answer without dates that is cut to the newest: not complete, and it says so",
  async (filterBy) => {
    const range = { from: FROM, to: FROM + 40 * DAY_MS };
    const noDatesMs = NOW - range.to + 20 * DAY_MS;
    const clamp = { widthMs: 400 * DAY_MS, anchor: "end", alsoSingleBound: true, noDatesMs } as const;
    const { job, emulator } = makeBench({ history: HISTORY, switches: { filterBy, clamp, pageLimit: 10 } });
    const { complete, problem } = await syncArchive(job, range);
    const { lost } = await audit(job.store, "main", emulator.truth());
    expect({ complete, kind: problem?.kind, lost }).toEqual({ complete: false, kind: "incomplete", lost: [] });
  },
);

test("dates found out in the middle of a round, between two commits: nothing that was covered by them stays covered", async () => {
  const history = makeHistory({ seed: 7, fills: 60, from: FROM, to: FROM + 40 * DAY_MS, density: "sparse", ties: 35 });
  const range = { from: history.times[3] ?? 0, to: (history.times[30] ?? 0) + 1 };
  const latency = { ms: 300, jitterMs: 100 };
  const switches = { pageLimit: 10, latency, filterBy: "filledAt", shortPages: true, cursorRefused: true } as const;
  for (const stopAt of [3, 5, 7, 9, 11]) {
    const { job, emulator } = makeBench({ seed: 7, history, switches });
    const stop = new AbortController();
    const reader: RunContext["reader"] = {
      ...job.reader,
      completedOrders(request, signal) {
        if (job.reader.counts.requests + 1 === stopAt) {
          stop.abort();
        }
        return job.reader.completedOrders(request, signal);
      },
    };
    await syncArchive({ ...job, reader, signal: stop.signal }, range);
    const { complete, coverage } = await syncArchive(job, range);
    const { lost } = await audit(job.store, "main", emulator.truth());
    expect({ complete, coverage, lost }).toEqual({ complete: false, coverage: [], lost: [] });
  }
});
