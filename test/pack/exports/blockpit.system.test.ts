import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { importMakers } from "../../../lambda/pack/exports/imports.ts";
import { DailyCash } from "../../../lambda/pack/exports/movements.ts";
import { CashTally } from "../../../lambda/pack/tables/cash.ts";
import { cubeOf } from "../../accounting/make.ts";
import { readCsv } from "../../support/rfc4180.ts";
import { NO_READER, readWorkbook } from "../workbook/grid.ts";
import { drawnBooks } from "./draw.ts";
import { importsOf } from "./files.ts";

describe(`imports/blockpit.xlsx, read by openpyxl${NO_READER}`, () => {
  test.skipIf(NO_READER !== "")("has the header first, and every cell as text", async () => {
    for (const books of fc.sample(drawnBooks(), { numRuns: 3, seed: 7 })) {
      const maker = importMakers(
        books.context,
        new DailyCash(books.context, new CashTally(books.context).transfers),
      ).find(({ path }) => path === "imports/blockpit.xlsx");
      maker?.begin();
      for (const days of cubeOf(books).batches) {
        maker?.addDays(days);
      }
      const bytes = maker?.end();
      const { sheets, broken } = await readWorkbook(bytes as Uint8Array);
      expect(broken).toBeNull();
      const [sheet, ...others] = sheets;
      expect(others).toEqual([]);
      const csv = readCsv(importsOf(books).texts.get("blockpit.xlsx") ?? "");
      const cells = csv.flatMap((row, at) =>
        row.flatMap((value, column) =>
          value === "" ? [] : [[`${String.fromCharCode(65 + column)}${at + 1}`, "s", value]],
        ),
      );
      expect(sheet?.cells.map(({ at, type, value }) => [at, type, value])).toEqual(cells);
      expect(csv.length).toBeGreaterThan(3);
    }
  });
});
