import { readXlsx } from "hucre/xlsx";
import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { cellText } from "../../../lambda/formats/xlsx/text.ts";
import type { ExceptionRow } from "../../../lambda/pack/make/maker.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { LOOKALIKES, UNHELD } from "../../formats/hostile-texts.ts";
import { exactly } from "../../support/amounts.ts";
import { workbookOf } from "../books.ts";
import { evaluate, NO_READER, readWorkbook, rowsOf, sheetOf } from "./grid.ts";

const PERIOD = parsePeriod("calendar-2025");

/** Also texts that the criteria of a sum could treat as a pattern, a comparison or another name. */
const HOSTILE = [...LOOKALIKES, ...UNHELD, "*", "?", "~*", ">0", "<>", "usdt", "USDT", "UsDt"];

function texts(text: string) {
  const types = { liquidity: text, tradeType: text, fillType: text, triggerType: text };
  return { matchId: text, transactionHash: text, ...types };
}

/** In some fills every text field is a hostile text, and their markets end with one. */
function hostileBooks() {
  const fills = HOSTILE.flatMap((text, at) => {
    const market = `BTC-${text.replaceAll("-", "_")}`;
    return fillsFrom(`B2@100/0.5 S${(at % 2) + 1}@110/0.25`, { market, from: PERIOD.from + at * 1000, stepMs: 1 }).map(
      (fill) => ({ ...fill, ...texts(text), orderId: `${text}${fill.orderId}`, extra: { [text]: text } }),
    );
  });
  return booksOf(fills, {
    period: PERIOD,
    funding: HOSTILE.map((text, at) => ({
      time: PERIOD.from + at,
      market: text,
      amount: exactly("1"),
      currency: text,
    })),
    contractTypes: new Map(fills.map(({ market }) => [market ?? "", market])),
  });
}

const books = hostileBooks();
const exceptions = HOSTILE.map((text): ExceptionRow => {
  const ids = { account: text, matchId: text, orderId: text };
  return { ...ids, txCreated: 0, market: text, column: text, reason: text, value: text };
});
const bytes = workbookOf(books, {
  closing: { exceptions: { count: exceptions.length, ofFills: exceptions.length, first: exceptions } },
});

describe("hostile text in every field", () => {
  test("is text in the list of exceptions, in a form that a cell can hold", async () => {
    const { sheets } = await readXlsx(bytes);
    const rows = sheets.at(-1)?.rows.slice(2) ?? [];
    expect(rows.map((row) => row.filter((_, at) => at !== 3))).toEqual(
      HOSTILE.map((text) => Array.from({ length: 7 }, () => cellText(text))),
    );
  });

  test.skipIf(NO_READER !== "")(`is in no formula, and totals keep currencies separate${NO_READER}`, async () => {
    const workbook = await readWorkbook(bytes);
    const formulas = workbook.sheets.flatMap(({ name, cells }) =>
      cells.flatMap(({ formula, value }) => (formula === null ? [] : [{ name, formula, value: Number(value) }])),
    );
    expect(formulas.length).toBeGreaterThan(100);
    for (const { name, formula, value } of formulas) {
      // Throws at any form that we do not write.
      expect(evaluate(workbook, name, formula).toNumber(), formula).toBeCloseTo(value, 8);
    }
    const totals = rowsOf(sheetOf(workbook, "Fees")).filter(({ Account }) => Account === "Total");
    expect(totals.map(({ Fills }) => Fills)).toEqual(totals.map(() => "2"));
    expect(new Set(totals.map(({ Currency }) => Currency)).size).toBe(
      new Set(HOSTILE.map((text) => text.replaceAll("-", "_"))).size,
    );
    const types = workbook.sheets.flatMap(({ cells }) => cells.map(({ type }) => type));
    expect([...new Set(types)].sort()).toEqual(["d", "f", "n", "s"]);
  });
});
