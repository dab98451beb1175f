import { describe, expect, test } from "vitest";
import { metricRecord, syncMetrics } from "../../lambda/invocation/metrics.ts";

const NOW = Date.UTC(2026, 0, 1, 12);
const RESULT = {
  account: "main",
  from: 0,
  to: NOW,
  complete: true,
  fills: 100,
  added: 7,
  restated: 2,
  requests: 31,
  refused: 3,
  pages: 28,
  exceptions: 0,
  lateness: null,
  coverage: [
    { from: 0, to: 1000 },
    { from: 2000, to: NOW - 300_000 },
  ],
  manifest: null,
  orphans: { deleted: 0, problem: null },
  problem: null,
};

describe("the metrics of a slice", () => {
  test("say what it did and how the archive stands", () => {
    expect(syncMetrics(RESULT, true, NOW)).toEqual({
      FillsAdded: 7,
      FillsInArchive: 100,
      Requests: 31,
      Refused: 3,
      Restated: 2,
      Completed: 1,
      Gaps: 1,
      CoverageLagSeconds: 300,
    });
  });

  test("say how late fills came, where some did", () => {
    const lateness = { maxMs: 90_400, count: 3, lastSeenAt: NOW };
    expect(syncMetrics({ ...RESULT, lateness }, true, NOW)).toMatchObject({ LatenessSeconds: 90 });
  });

  test("have no figure of what is not there: no coverage has no end, a run of a range completes no book", () => {
    const metrics = syncMetrics({ ...RESULT, coverage: [], complete: false }, false, NOW);
    expect(Object.keys(metrics)).toEqual(["FillsAdded", "FillsInArchive", "Requests", "Refused", "Restated"]);
    expect(syncMetrics({ ...RESULT, complete: false }, true, NOW).Completed).toBe(0);
  });

  test("are a record of the embedded metric format", () => {
    expect(metricRecord("main", { FillsAdded: 7, CoverageLagSeconds: 300 }, NOW)).toEqual({
      _aws: {
        Timestamp: NOW,
        CloudWatchMetrics: [
          {
            Namespace: "fillbook",
            Dimensions: [["Account"]],
            Metrics: [
              { Name: "FillsAdded", Unit: "Count" },
              { Name: "CoverageLagSeconds", Unit: "Seconds" },
            ],
          },
        ],
      },
      Account: "main",
      FillsAdded: 7,
      CoverageLagSeconds: 300,
    });
  });
});
