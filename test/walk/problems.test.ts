import { describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import { halves } from "../../lambda/core/ranges.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { afterRefusal } from "../../lambda/walk/problems.ts";

const HOUR = { from: 0, to: HOUR_MS };
const WEEK = { from: 0, to: 7 * DAY_MS };
const [older, newer] = halves(WEEK);
const problem = new FillbookError("usage", "the service refused the dates (400)");

describe("after a refusal", () => {
  test.each(["range", "row", "cursor", "ties", "long", "endless"] as const)("a wide window is halved: %s", (why) => {
    const parts = { kind: "halves", parts: [newer, older] };
    expect(afterRefusal(WEEK, { why, detail: "" }, 0)).toEqual(parts);
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
