import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../lambda/core/time.ts";
import type { SyncResult } from "../../../lambda/job/context.ts";
import {
  measureSlice,
  metricRecord,
  NOTHING_MEASURED,
  type SliceFigures,
  withFailure,
} from "../../../lambda/job/lambda/metrics.ts";

const NOW = Date.UTC(2026, 0, 1, 12);
const COUNTS = { fills: 100, added: 7, restated: 2, requests: 31, refused: 3, pages: 28, exceptions: 0 };
const RESULT: SyncResult = {
  account: "main",
  from: 0,
  to: NOW,
  complete: true,
  ...COUNTS,
  coverage: [
    { from: 0, to: 1000, readings: 2, silentIn: null },
    { from: 2000, to: NOW - 300_000, readings: 2, silentIn: DAY_MS },
    { from: NOW - 300_000, to: NOW, readings: 1, silentIn: null },
  ],
  manifest: null,
  orphans: { deleted: 0, problem: null },
  problem: null,
};

function measure(figures: Partial<SliceFigures>) {
  const slice = { action: "sync", whole: true, ending: "complete", reason: null, tookMs: 61_400 } as const;
  return measureSlice({ ...slice, counts: { requests: 31, refused: 3 }, result: RESULT, ...figures }, NOW);
}

describe("the metrics of a slice", () => {
  test("count its work and describe the archive", () => {
    const work = { FillsAdded: 7, Requests: 31, Refused: 3, Restated: 2 };
    expect(measure({})).toEqual({
      metrics: { ...work, Completed: 1, Gaps: 1, CoverageLagSeconds: 300 },
      properties: { action: "sync", ending: "complete", tookSeconds: 61, fillsInArchive: 100 },
    });
  });

  test("omit a figure that does not apply: completeness for a range, an end without coverage, additions by an export, requests if the start was refused", () => {
    expect(Object.keys(measure({ whole: false }).metrics)).toEqual(["Requests", "Refused", "FillsAdded", "Restated"]);
    expect(measure({ result: { ...RESULT, coverage: [] } }).metrics).not.toHaveProperty("Gaps");
    expect(measure({ action: "export", whole: false, result: null })).toEqual({
      metrics: { Requests: 31, Refused: 3 },
      properties: { action: "export", ending: "complete", tookSeconds: 61 },
    });
    expect(measure({ ending: "stalled", counts: null, result: null }).metrics).toEqual({});
    expect(measure({ ending: "time-up" }).metrics).not.toHaveProperty("Completed");
  });

  test.each([
    ["TokenRefused", { Failed: 1, TokenRefused: 1 }],
    ["Fault", { Failed: 1 }],
  ])("count a failure under its name %s", (name, counted) => {
    const error = Object.assign(new Error("what happened"), { name });
    const slice = measure({ ending: "failed", reason: "as the program says it" });
    expect(withFailure(slice, error)).toEqual({
      metrics: { ...slice.metrics, ...counted },
      properties: { ...slice.properties, error: name, reason: "what happened" },
    });
    expect(withFailure(NOTHING_MEASURED, error)).toEqual({
      metrics: counted,
      properties: { ending: "failed", error: name, reason: "what happened" },
    });
  });

  test("are one record of the embedded metric format without dimensions, so that accounts add no cost", () => {
    const slice = { metrics: { FillsAdded: 7, CoverageLagSeconds: 300 }, properties: { action: "sync" } };
    const units = [
      { Name: "FillsAdded", Unit: "Count" },
      { Name: "CoverageLagSeconds", Unit: "Seconds" },
    ];
    expect(metricRecord(slice, NOW)).toEqual({
      message: "slice measured",
      action: "sync",
      FillsAdded: 7,
      CoverageLagSeconds: 300,
      _aws: { Timestamp: NOW, CloudWatchMetrics: [{ Namespace: "fillbook", Dimensions: [[]], Metrics: units }] },
    });
  });
});
