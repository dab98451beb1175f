import { describe, expect, test } from "vitest";
import { readEvent } from "../../../lambda/job/lambda/event.ts";
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
