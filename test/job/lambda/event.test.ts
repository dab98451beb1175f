import { describe, expect, test } from "vitest";
import { StoppedError } from "../../../lambda/core/errors.ts";
import { accountEnvironment } from "../../../lambda/job/lambda/account.ts";
import { watchDeadline } from "../../../lambda/job/lambda/deadline.ts";
import { readEvent } from "../../../lambda/job/lambda/event.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { refusal as refused } from "../../support/refusal.ts";

const refusal = (event: unknown) => refused(() => readEvent(event));

describe("an event", () => {
  test("is a command with its arguments", () => {
    const { given, ...event } = readEvent({ action: "export", period: "us-2025", account: "main", runId: "tax-1" });
    expect(event).toEqual({ action: "export", account: "main", whole: false });
    expect(given.text("period")).toBe("us-2025");
    expect(given.text("zone")).toBeUndefined();
    expect(given.words).toEqual([]);
    expect(given.has("allow-incomplete")).toBe(false);
  });

  test.each([
    [{ action: "sync" }, true],
    [{ action: "sync", from: "2025-01-01" }, false],
    [{ action: "sync", startedBy: "ann" }, true],
    [{ action: "export", period: "us-2025" }, false],
  ])("%j is for the whole book: %s", (event, whole) => {
    expect(readEvent(event).whole).toBe(whole);
  });

  test.each([
    [null, "the event is not an object"],
    [{}, "the event has no action; it must be one of sync, export, verify"],
    [{ action: "delete" }, 'the event has the action "delete"'],
    [{ action: "verify", rewalk: "yes" }, 'a field "rewalk", which verify does not know'],
    [{ action: "sync", startedBy: 7 }, 'field "startedBy" must be a text'],
    [{ action: "sync", startedBy: "x".repeat(129) }, 'field "startedBy" is longer than 128 characters'],
    [{ action: "sync", period: "us-2025" }, 'a field "period", which sync does not know'],
    [{ action: "export", period: "us-2025", out: "x" }, 'a field "out", which export does not know'],
    [{ action: "sync", from: 1_735_689_600_000 }, 'field "from" must be a text'],
    [{ action: "export", period: "" }, 'field "period" must be a text that is not empty'],
    [JSON.parse('{"action":"sync","__proto__":{"from":"x"}}'), 'a field "__proto__"'],
  ])("%j is refused", (event, message) => {
    const error = refusal(event);
    expect(error.kind).toBe("usage");
    expect(error.message).toContain(message);
    expect(error.hint).toBeDefined();
  });
});

const SEVERAL = {
  FILLBOOK_TOKEN_SECRET: "fillbook/{account}",
  FILLBOOK_TOKEN_SECRETS: "old=Tokenold-1a2b3c,older=Tokenolder-4d5e6f",
};

const ONE = { FILLBOOK_ACCOUNT: "main", FILLBOOK_TOKEN_SECRET: "fillbook/{account}" };

test.each<[Readonly<Record<string, string>>, string | null, string, string | undefined]>([
  [SEVERAL, "main", "main", "fillbook/main"],
  [SEVERAL, "old", "old", "Tokenold-1a2b3c"],
  [SEVERAL, "ol", "ol", "fillbook/ol"],
  [ONE, null, "main", "fillbook/main"],
  [{ FILLBOOK_TOKEN: "abc" }, "main", "main", undefined],
])("%j has the name of account %s, and the name of its secret", (environment, named, account, secret) => {
  const store = { FILLBOOK_STORE: "s3://archive/fillbook" };
  const { FILLBOOK_TOKEN_SECRET, ...own } = accountEnvironment({ ...store, ...environment }, named);
  expect(FILLBOOK_TOKEN_SECRET).toBe(secret);
  expect(own).toMatchObject({ ...store, FILLBOOK_ACCOUNT: account });
});

test("an event must name its account if there are several, and one that the deployment has", () => {
  expect(() => accountEnvironment(SEVERAL, null)).toThrow(/names no account/);
  expect(() => accountEnvironment({ FILLBOOK_ACCOUNT: "main" }, "second")).toThrow(/has only account "main"/);
});

describe("the deadline of a slice", () => {
  test.each([
    ["a full slice stops 30 s before", 900_000, 870_000],
    ["a short one keeps a fifth", 10_000, 8000],
    ["the margin never exceeds 30 s", 150_000, 120_000],
  ])("%s", async (_, limitMs, stopsAtMs) => {
    const clock = fakeClock();
    const { signal, leftMs } = watchDeadline(clock, () => limitMs - clock.monotonic());
    expect(leftMs()).toBe(stopsAtMs);
    await clock.advance(stopsAtMs - 1);
    expect([signal.aborted, leftMs()]).toEqual([false, 1]);
    await clock.advance(1);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toBeInstanceOf(StoppedError);
  });

  test("asks again on waking, because a timer may be early", async () => {
    const clock = fakeClock();
    let lateMs = 5000; // the runtime's clock lags behind ours at first
    const { signal } = watchDeadline(clock, () => 100_000 - clock.monotonic() + lateMs);
    await clock.advance(80_000);
    lateMs = 0;
    expect(signal.aborted).toBe(false);
    await clock.advance(5000);
    expect(signal.aborted).toBe(true);
  });

  test("leaves no timer and never aborts after it is cancelled", async () => {
    const clock = fakeClock();
    const { signal, cancel } = watchDeadline(clock, () => 900_000 - clock.monotonic());
    expect(clock.sleeping).toEqual([870_000]);
    cancel();
    await clock.advance(900_000);
    expect(clock.sleeping).toEqual([]);
    expect(signal.aborted).toBe(false);
  });
});
