import { describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { afterRefusal, halves, windowsOf } from "../../lambda/walk/window.ts";

const HOUR = { from: 0, to: HOUR_MS };
const WEEK = { from: 0, to: 7 * DAY_MS };
const [older, newer] = halves(WEEK);
const problem = new FillbookError("usage", "the service refused the dates (400)");

test("a range becomes windows of a year at most, the newest first, without gaps", () => {
  const windows = windowsOf({ from: 5, to: 5 + 800 * DAY_MS });
  expect(windows.map(({ from, to }) => Math.round((to - from) / DAY_MS))).toEqual([267, 267, 267]);
  expect([windows[0]?.to, windows.at(-1)?.from]).toEqual([5 + 800 * DAY_MS, 5]);
  expect(windows.slice(1).map(({ to }) => to)).toEqual(windows.slice(0, -1).map(({ from }) => from));
  expect(windowsOf({ from: 0, to: 1 })).toEqual([{ from: 0, to: 1 }]);
});

describe("after a refusal", () => {
  test.each(["range", "row", "cursor", "ties", "long", "endless"] as const)("a wide window is halved: %s", (why) => {
    const parts = { kind: "halves", parts: [newer, older] };
    expect(afterRefusal(WEEK, { why, detail: "" }, 0)).toEqual(parts);
  });

  test("a chain that knows where its rows are has it cut there", () => {
    const parts = afterRefusal(WEEK, { why: "long", detail: "", middle: 99 }, 0);
    expect(parts).toMatchObject({ parts: [{ from: 99 }, { to: 99 }] });
  });

  test("of a range no wider than an answered one, both halves are tried", () => {
    expect(afterRefusal(WEEK, { why: "range", detail: "" }, 7 * DAY_MS)).toEqual({ kind: "probe", older, newer });
  });

  test("of an hour: refused everywhere, or only here", () => {
    const refusal = { why: "range", detail: "", problem } as const;
    expect(afterRefusal(HOUR, refusal, 0)).toMatchObject({ kind: "stop", problem: { kind: "usage" } });
    expect(afterRefusal(HOUR, refusal, 1)).toMatchObject({ kind: "failed", problem: { kind: "incomplete" } });
  });

  test("of an hour with a row that cannot be filed", () => {
    const failed = { kind: "failed", problem: { kind: "untrusted" } };
    expect(afterRefusal(HOUR, { why: "row", detail: "" }, 1)).toMatchObject(failed);
  });

  test("of milliseconds", () => {
    const [cursor, ties] = (["cursor", "ties"] as const).map((why) =>
      afterRefusal({ from: 0, to: 8 }, { why, detail: "" }, 1),
    );
    expect([cursor, ties]).toMatchObject([{ kind: "failed" }, { kind: "failed" }]);
  });
});
