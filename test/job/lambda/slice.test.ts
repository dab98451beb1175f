import { describe, expect, test } from "vitest";
import type { CommandContext, Outcome } from "../../../lambda/cli/commands/command.ts";
import { type ErrorKind, FillbookError, WaitError } from "../../../lambda/core/errors.ts";
import { readEvent } from "../../../lambda/job/lambda/event.ts";
import type { Measured } from "../../../lambda/job/lambda/metrics.ts";
import { namedError, planSlice, runSlice, type SlicePlan } from "../../../lambda/job/lambda/slice.ts";
import { fakeClock } from "../../support/fake-clock.ts";

const NOW = Date.UTC(2026, 0, 1);
const PAST = Date.UTC(2025, 5, 1);

/** The parts of the command's context that a slice uses: the clock, the account and the signal. */
function live(isTimeUp = false): CommandContext {
  return {
    clock: fakeClock({ now: NOW }),
    settings: { account: "main" },
    signal: isTimeUp ? AbortSignal.abort() : new AbortController().signal,
  } as unknown as CommandContext;
}

function slice(outcome: Outcome | Error, isTimeUp = false, measured: (slice: Measured) => void = () => undefined) {
  return runSlice({ action: "sync", whole: true, run: ending(outcome) }, live(isTimeUp), measured);
}

function ending(outcome: Outcome | Error): SlicePlan["run"] {
  return () => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome));
}

function outcome(problem: FillbookError | null, to = PAST): Outcome {
  return { json: { account: "main", to, fills: 3, added: 1, complete: problem === null }, lines: [], problem };
}

const down = new FillbookError("incomplete", "the service answers 503", { hint: "run again" });

describe("a slice", () => {
  test.each([null, down])("passes on its command's warnings, complete or not", async (problem) => {
    const warnings = ["fills come late"];
    expect(await slice({ ...outcome(problem), warnings }, true)).toMatchObject({ warnings });
    expect(await slice({ ...outcome(problem), warnings: [] }, true)).not.toHaveProperty("warnings");
  });

  test("that did all its work is complete, and returns the command's JSON", async () => {
    const json = { account: "main", to: new Date(PAST).toISOString(), fills: 3, added: 1, complete: true };
    expect(await slice(outcome(null))).toEqual({ ...json, stalled: false, retryAfterSeconds: 1 });
  });

  test("returns no coverage, and always a small answer, because the machine keeps it", async () => {
    const many = Array.from({ length: 20_000 }, (_, day) => ({ from: `day ${day}`, to: `day ${day + 1}` }));
    const { json } = outcome(null);
    const found = { json: { ...json, coverage: many }, lines: [], problem: null };
    expect(await slice(found)).toEqual(await slice(outcome(null)));
    const long = new FillbookError("incomplete", "x".repeat(300_000), { hint: "y".repeat(300_000) });
    const large = { ...json, coverage: many, others: many, note: "z".repeat(300_000) };
    const error = { kind: "incomplete", message: expect.stringMatching(/^x{4000}…$/) };
    for (const [problem, expected] of [
      [null, { complete: true, stalled: false, retryAfterSeconds: 1 }],
      [long, { complete: false, stalled: true, retryAfterSeconds: 300, error }],
    ] as const) {
      const answer = await slice({ json: large, lines: [], warnings: many.map(({ from }) => from), problem });
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(25_000);
      expect(answer).toMatchObject({ account: "main", shortened: true, ...expected });
    }
  });

  test("that fails has a message short enough for the machine", () => {
    const { message } = namedError(new FillbookError("fault", "x".repeat(300_000), { hint: "y" }), (text) => text);
    expect(message).toMatch(/^x{4000}…$/);
  });

  test("whose time was up asks for another slice at once", async () => {
    const more = { complete: false, stalled: false, retryAfterSeconds: 1, fills: 3 };
    expect(await slice(outcome(down), true)).toMatchObject(more);
  });

  test.each([
    ["ended early", outcome(down)],
    ["could not begin", down],
  ])("that %s because the service is down asks for another slice later", async (_, ending) => {
    expect(await slice(ending)).toMatchObject({
      complete: false,
      stalled: true,
      retryAfterSeconds: 300,
      error: { kind: "incomplete", message: "the service answers 503", hint: "run again" },
    });
  });

  test.each([
    [1, 1],
    [7_200_001, 7201],
    [30 * 86_400_000, 86_400],
  ])("that must wait %d ms asks for another slice after the whole wait, at most a day: %d s", async (ms, seconds) => {
    const asked = new WaitError("the service asks to wait", { waitMs: ms, hint: "later" });
    const error = { kind: "incomplete", message: "the service asks to wait", hint: "later" };
    const answer = { complete: false, stalled: false, retryAfterSeconds: seconds, error };
    expect(await slice(outcome(asked))).toMatchObject(answer);
    expect(await slice(outcome(asked), true)).toMatchObject(answer);
  });

  test("for a period that is not over fails, unless its time was up first", async () => {
    const open = outcome(down, Date.UTC(2026, 1, 1));
    await expect(slice(open)).rejects.toBe(down);
    expect(await slice(open, true)).toMatchObject({ complete: false, stalled: false });
  });

  test.each<ErrorKind>(["fault", "usage", "token", "untrusted"])(
    "fails on a problem of kind %s, even if its time is up",
    async (kind) => {
      const problem = new FillbookError(kind, "no");
      await expect(slice(outcome(problem))).rejects.toBe(problem);
      await expect(slice(outcome(problem), true)).rejects.toBe(problem);
      await expect(slice(problem)).rejects.toBe(problem);
    },
  );

  test.each([
    ["did all its work", outcome(null), false, { ending: "complete" }],
    ["ran out of time", outcome(down), true, { ending: "time-up", reason: "the service answers 503" }],
    ["stalled", down, false, { ending: "stalled", reason: "the service answers 503" }],
    ["was asked to wait", new WaitError("later", { waitMs: 1, hint: "" }), false, { ending: "wait", reason: "later" }],
    ["threw", new FillbookError("token", "no"), false, { ending: "failed", reason: "no" }],
  ])("that %s is measured once, with its ending", async (_, ending, isTimeUp, properties) => {
    const seen: Measured[] = [];
    await slice(ending, isTimeUp, (measured) => seen.push(measured)).catch(() => undefined);
    expect(seen.map((measured) => measured.properties)).toEqual([{ action: "sync", tookSeconds: 0, ...properties }]);
  });

  test("fails as a fault on an unexpected error", async () => {
    await expect(slice(new TypeError("x is not a function"))).rejects.toMatchObject({ kind: "fault" });
  });
});

describe("an error as the state machine sees it", () => {
  const plain = (text: string) => text;

  test.each<[ErrorKind, string]>([
    ["fault", "Fault"],
    ["usage", "BadSettings"],
    ["token", "TokenRefused"],
    ["incomplete", "NotComplete"],
    ["untrusted", "UntrustedData"],
  ])("of kind %s is %s", (kind, name) => {
    const error = new FillbookError(kind, "what", { hint: "do this" });
    expect(namedError(error, plain)).toMatchObject({ name, message: "what: do this" });
  });

  test("has no cause and no secret, because Lambda prints all of its fields", () => {
    const cause = new Error("authorization: Bearer s3cret");
    const error = namedError(new FillbookError("fault", "sent Bearer s3cret and k3y", { cause }), (text) =>
      text.replaceAll("k3y", "[redacted]"),
    );
    expect(error.message).toBe("sent Bearer [redacted] and [redacted]");
    expect(Object.getOwnPropertyNames(error).sort()).toEqual(["message", "name", "stack"]);
    expect(error.stack).not.toMatch(/s3cret|k3y/);
  });
});

test.each([
  [{ action: "sync", from: "yesterday" }, /not a time/],
  [{ action: "export" }, /no period was given/],
  [{ action: "verify", period: "us-1776" }, /us-1776/],
])("a plan from %j is refused before anything is opened", (event, message) => {
  expect(() => planSlice(readEvent(event))).toThrow(message);
});
