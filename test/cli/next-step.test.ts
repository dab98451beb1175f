import { expect, test } from "vitest";
import { afterExport, afterSync, nextLine } from "../../lambda/cli/next-step.ts";

test("the next command names the places that were typed, so that it can be typed as it is shown", () => {
  const next = { command: "verify", does: "checks every file" };
  expect(nextLine(next, {})).toBe("Next: fillbook verify (checks every file)");
  expect(nextLine(next, { account: "hedge", store: "./my books", packStore: "s3://b/p", json: true })).toBe(
    "Next: fillbook verify --account hedge --store './my books' --pack-store s3://b/p (checks every file)",
  );
  expect(nextLine({ ...next, command: "verify --account other" }, { account: "hedge" })).toBe(
    "Next: fillbook verify --account other (checks every file)",
  );
});

test("after a sync a year that is over is proposed, after an export its report", () => {
  const after = (from: number, to: number) => afterSync({ from, to }).command;
  expect(after(0, Date.UTC(2026, 0, 1))).toBe("export --period calendar-2025");
  expect(after(0, Date.UTC(2026, 0, 1) - 1)).toBe("export --period calendar-2024");
  expect(after(Date.UTC(2025, 0, 1), Date.UTC(2025, 3, 1))).toBe("export --period month-2025-03");
  expect(after(Date.UTC(2024, 11, 1), Date.UTC(2025, 0, 9))).toBe("export --period month-2024-12");
  expect(afterExport({ out: undefined, period: "us-2025" }).command).toBe("open us-2025");
  expect(afterExport({ out: "./my year", period: "us-2025" }).command).toBe("open --out './my year'");
  expect(afterExport({ out: undefined, period: undefined }).command).toBe("packs");
});
