import { expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import { HOUR_MS } from "../../lambda/core/time.ts";
import { afterRefusal } from "../../lambda/walk/problems.ts";

test("an hour that is refused: everywhere, or only here", () => {
  const problem = new FillbookError("usage", "the service refused the dates (400)");
  const [hour, refusal] = [{ from: 0, to: HOUR_MS }, { why: "range", detail: "", problem } as const];
  expect(afterRefusal(hour, refusal, 0)).toMatchObject({ kind: "stop", problem: { kind: "usage" } });
  expect(afterRefusal(hour, refusal, 1)).toMatchObject({ kind: "failed", problem: { kind: "incomplete" } });
});
