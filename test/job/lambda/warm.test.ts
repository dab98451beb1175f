import { describe, expect, test } from "vitest";
import type { Components } from "../../../lambda/job/components.ts";
import { keepWarm } from "../../../lambda/job/lambda/warm.ts";
import { readSettings } from "../../../lambda/job/settings.ts";
import type { ServiceReader } from "../../../lambda/service/service.ts";
import { fakeClock } from "../../support/fake-clock.ts";

function warmFunction() {
  const clock = fakeClock();
  const counts = { requests: 0, refused: 0 };
  let made = 0;
  const parts = keepWarm(
    clock,
    () => undefined,
    () => {
      made += 1;
      return { reader: () => ({ counts }) as ServiceReader } as Components;
    },
  );
  return {
    clock,
    counts,
    invoke: (account = "main") => parts(readSettings({ FILLBOOK_ACCOUNT: account })),
    made: () => made,
  };
}

describe("the parts of a warm function", () => {
  test("are kept for five minutes, then created again with a token that is read again", async () => {
    const { clock, invoke, made } = warmFunction();
    invoke();
    await clock.advance(299_999);
    invoke();
    expect(made()).toBe(1);
    await clock.advance(1);
    invoke();
    expect(made()).toBe(2);
  });

  test("are created again for another account", () => {
    const { invoke, made } = warmFunction();
    invoke("main");
    invoke("second");
    expect(made()).toBe(2);
    invoke("second");
    expect(made()).toBe(2);
  });

  test("count the requests of each invocation separately", () => {
    const { counts, invoke } = warmFunction();
    const first = invoke().reader();
    counts.requests = 20;
    counts.refused = 2;
    expect(first.counts).toEqual({ requests: 20, refused: 2 });
    const second = invoke().reader();
    expect(second.counts).toEqual({ requests: 0, refused: 0 });
    counts.requests = 25;
    expect(second.counts).toEqual({ requests: 5, refused: 0 });
  });
});
