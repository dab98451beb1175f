import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "../../../cli/child.ts";
import { sheetOf } from "../books.ts";
import { CASES } from "./cases.ts";

test("report.pdf has the same bytes in another process, zone and language", async () => {
  const environment = { TZ: "Asia/Kathmandu", LANG: "de_DE.UTF-8", LC_ALL: "de_DE.UTF-8" };
  const script = join(import.meta.dirname, "print-sheet.ts");
  const { code, stdout, stderr } = await start(process.execPath, [script], { environment }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const sheets = await Promise.all(CASES.slice(0, 4).map((one) => sheetOf(one.books, one)));
  const sums = sheets.map((sheet) => createHash("sha256").update(sheet).digest("hex"));
  expect(stdout.trim().split("\n")).toEqual(sums);
});
