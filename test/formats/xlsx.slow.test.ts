import { expect, test } from "vitest";
import { SheetWriter } from "../../lambda/formats/xlsx/xlsx.ts";

test("a sheet has no more rows than programs open: ECMA-376 allows 1,048,576", () => {
  const sheet = new SheetWriter({ name: "Days", widths: [], headRows: 0, footer: "" });
  for (let row = 0; row < 1_048_576; row += 1) {
    sheet.add([]);
  }
  expect(() => sheet.add([])).toThrow("the sheet Days would have more rows");
});
