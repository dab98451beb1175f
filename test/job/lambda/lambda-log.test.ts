import { describe, expect, test } from "vitest";
import { createRedactor } from "../../../lambda/core/log.ts";
import { boundTo, createLog, progressLog } from "../../../lambda/job/lambda/lambda-log.ts";
import { METRICS } from "../../../lambda/job/lambda/metrics.ts";
import { fakeClock } from "../../support/fake-clock.ts";

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
