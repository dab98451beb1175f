import { describe, expect, test } from "vitest";
import { noticeOf } from "../../../lambda/job/lambda/notice.ts";

describe("the notice of a complete run", () => {
  test.each([
    [
      "export",
      {
        period: "us-2025",
        dir: "s3://archive/fillbook/main/packs/us-2025/0123456789abcdef",
        files: [
          { path: "summary.csv", rows: 3 },
          { path: "fills.csv", rows: 20_134 },
        ],
      },
      "The pack us-2025 of account main is ready: 20,134 fills, in s3://archive/fillbook/main/packs/us-2025/0123456789abcdef",
    ],
    ["sync", { fills: 1200, added: 1 }, "Account main is synced: 1,200 fills in the archive, 1 new one"],
    ["verify", { checked: 1 }, "Account main is verified: 1 object checked, all intact"],
    ["zip", { bytes: 1 }, null],
    ["answer", { notice: "The pack is made" }, "The pack is made"],
    ["answer", {}, null],
  ] as const)("after %s", (action, json, notice) => {
    expect(noticeOf(action, "main", json)).toBe(notice);
  });
});
