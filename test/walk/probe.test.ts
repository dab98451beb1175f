import { describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { countCutOff } from "../../lambda/walk/probe.ts";
import { stubReader } from "../cli/commands/stub-reader.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { makeFill } from "../support/make-fill.ts";

const FROM = Date.UTC(2025, 0, 1);

describe("fills missing beyond the cut of an answer without dates", () => {
  const window = { from: FROM, to: FROM + 400 * DAY_MS };
  const none = { has: () => false };

  /** A service that accepts ranges of at most `mostDays` days, and has one fill. */
  function taking(mostDays: number, fill: Fill) {
    const asked: number[] = [];
    const reader = stubReader({
      completedOrders: ({ startDate = 0, endDate = 0 }) => {
        asked.push((endDate - startDate) / DAY_MS);
        const problem = new FillbookError("usage", "too wide");
        const isIn = startDate <= fill.txCreated && fill.txCreated <= endDate;
        return Promise.resolve(
          endDate - startDate > mostDays * DAY_MS + 2
            ? { kind: "range-refused", problem }
            : { kind: "page", body: "", rows: isIn ? [{ fill }] : [] },
        );
      },
    });
    return {
      asked,
      ports: { reader, clock: fakeClock(), signal: new AbortController().signal, onPage: () => undefined },
    };
  }

  const answer = { lowest: FROM + 300 * DAY_MS, highest: FROM + 400 * DAY_MS - 1, seen: none };

  test("are counted by probes as wide as the service accepts, starting at the answer's end", async () => {
    const { ports, asked } = taking(30, fillAt(FROM + 250 * DAY_MS));
    expect(await countCutOff(ports, window, answer, Number.POSITIVE_INFINITY)).toBe(0);
    expect(asked.filter((days) => days < 30.1).length).toBeGreaterThan(5);
    const near = taking(30, fillAt(FROM + 290 * DAY_MS));
    expect(await countCutOff(near.ports, window, answer, Number.POSITIVE_INFINITY)).toBe(1);
  });

  test("cannot be counted if the service does not accept even a day", async () => {
    const { ports } = taking(0.5, fillAt(FROM + 290 * DAY_MS));
    expect(await countCutOff(ports, window, answer, Number.POSITIVE_INFINITY)).toBeNull();
  });

  test.each([
    ["", 0],
    ["next", null],
  ])("after a refused cursor of a day (%j), there are none only if the cursor is empty", async (last, lacking) => {
    const reader = stubReader({
      completedOrders: ({ start }) =>
        Promise.resolve(
          start === undefined
            ? { kind: "page", body: "", rows: [{ fill: fillAt(FROM - DAY_MS) }], last }
            : { kind: "cursor-refused", status: 400 },
        ),
    });
    const ports = { ...taking(1, fillAt(FROM)).ports, reader };
    expect(await countCutOff(ports, window, answer, Number.POSITIVE_INFINITY)).toBe(lacking);
  });
});

function fillAt(txCreated: number): PlainFill {
  return makeFill({ txCreated, matchId: `m-${txCreated}` });
}
