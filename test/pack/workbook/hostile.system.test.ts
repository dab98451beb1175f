import { readXlsx } from "hucre/xlsx";
import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { cellText } from "../../../lambda/formats/xlsx/text.ts";
import type { ExceptionRow } from "../../../lambda/pack/make/maker.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { LOOKALIKES, UNHELD } from "../../formats/hostile-texts.ts";
import { exactly } from "../../support/amounts.ts";
import { workbookOf } from "../books.ts";

const PERIOD = parsePeriod("calendar-2025");

/** Also names that differ only in case. */
const HOSTILE = [...LOOKALIKES, ...UNHELD, "usdt", "USDT", "UsDt"];

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

  test("keeps its currency's totals apart", async () => {
    const { sheets } = await readXlsx(bytes);
    const [, heads = [], ...rows] = sheets.find(({ name }) => name === "Fees")?.rows ?? [];
    const totals = rows.filter(([first]) => first === "Total");
    expect(totals.map((row) => row[heads.indexOf("Fills")])).toEqual(totals.map(() => 2));
    const currencies = new Set(HOSTILE.map((text) => text.replaceAll("-", "_")));
    expect(new Set(totals.map((row) => row[heads.indexOf("Currency")])).size).toBe(currencies.size);
  });
});
