import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { csvBatch, csvCellText, isPlainCell } from "../../lambda/formats/csv.ts";
import { amountText, hostileText } from "../support/arbitrary-fill.ts";

test.prop([fc.oneof(hostileText, amountText, fc.stringMatching(/^[ -~\uFEFF]{0,8}$/))], { numRuns: 2000 })(
  "a cell is written as csvBatch writes it in a row",
  (cell) => {
    const { text, neutralised } = csvBatch([["a", cell, "b"]]);
    const { text: own, isNeutralised } = csvCellText(cell);
    expect(`a,${own},b\r\n`).toBe(text);
    expect(isNeutralised ? 1 : 0).toBe(neutralised);
    if (isPlainCell(cell)) {
      expect(own).toBe(cell);
    }
  },
);
