import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../lambda/core/log.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import type { SyncResult } from "../../../lambda/job/context.ts";
import { boundTo, createLog, progressLog } from "../../../lambda/job/lambda/lambda-log.ts";
import {
  METRICS,
  measureSlice,
  metricRecord,
  NOTHING_MEASURED,
  type SliceFigures,
  withFailure,
} from "../../../lambda/job/lambda/metrics.ts";
import { fakeClock } from "../../support/fake-clock.ts";

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

const JWT = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl";

function logged(use: (log: ReturnType<typeof createLog>) => void, secret = "a-known-secret"): string {
  const redactor = createRedactor();
  redactor.hide(secret);
  const lines: string[] = [];
  use(
    createLog(
      { clock: fakeClock({ now: Date.UTC(2026, 0, 2) }), redact: redactor.redact, write: (line) => lines.push(line) },
      { runId: "run-1", account: "main" },
    ),
  );
  return lines.join("");
}

describe("the log", () => {
  test.each([
    ["a known secret", (secret: string) => ({ text: `refused ${secret}` })],
    ["a field named token", () => ({ token: "t0p" })],
    ["a header", () => ({ request: { headers: { Authorization: "t0p", accept: "x" } } })],
    ["a bearer header in a text", () => ({ text: "sent authorization: bearer t0p.s3cret== to it" })],
    ["a JWT in a text", () => ({ text: `the answer was ${JWT}` })],
    ["a cookie", () => ({ "set-cookie": ["t0p"] })],
  ])("keeps %s out", (_, fields) => {
    const text = logged((log) => log.info("m", fields("a-known-secret")));
    expect(text).toContain("[redacted]");
    expect(text).not.toMatch(/a-known-secret|t0p|s3cret|eyJ/);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  test("does not change other fields, nor metrics that are named like a secret", () => {
    const fields = { fills: 3, message2: "Bearers of news", hint: null, coverage: [{ from: "a" }] };
    expect(JSON.parse(logged((log) => log.info("m", fields)))).toMatchObject(fields);
    const metrics = Object.fromEntries(Object.keys(METRICS).map((name, index) => [name, index]));
    expect(JSON.parse(logged((log) => log.record(metrics)))).toMatchObject({ runId: "run-1", ...metrics });
  });

  test("is bound to the event's own fields, even if the event is invalid", () => {
    const nobody = { runId: null, requestId: "r", account: null };
    const named = { runId: "night-1", account: "main" };
    expect(boundTo({ action: "delete", ...named }, "r")).toEqual({ ...named, requestId: "r" });
    for (const event of [null, undefined, 7, "runId", [], {}, { runId: 7, account: {} }]) {
      expect(boundTo(event, "r")).toEqual(nobody);
    }
  });

  test("reports progress once a minute", async () => {
    const clock = fakeClock();
    const seen: unknown[] = [];
    const report = progressLog({ info: (_, fields) => seen.push(fields?.["pages"]) }, clock);
    const counts = { windowsDone: 0, windowsOpen: 1, requests: 0, refused: 0, fillsSeen: 0, covered: 0 };
    for (let pages = 1; pages <= 150; pages += 1) {
      await clock.advance(1000);
      report({ stage: "walking", ...counts, pages });
    }
    expect(seen).toEqual([60, 120]);
  });
});
