import { test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { totalCell } from "../../../lambda/accounting/cube/cell.ts";
import { lacksOf } from "../../../lambda/accounting/cube/scopes.ts";
import { totalOf, withSign, ZERO } from "../../../lambda/core/amount.ts";
import type { PackAccount } from "../../../lambda/pack/make/maker.ts";
import { openIn, unrealisedPnl } from "../../../lambda/pack/tables/positions.ts";
import { type BooksOptions, booksOf, fillsFrom, sumsOf } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { drawnBooks } from "../exports/draw.ts";
import { rowsIn, tablesOf } from "./make.ts";

const END = Date.UTC(2025, 11, 31, 12);

function marksOf(...prices: readonly (readonly [market: string, price: string])[]): PackAccount["marks"] {
  return new Map(prices.map(([market, price]) => [market, { market, time: END, price: exactly(price) }]));
}

function cells(line: string, options: BooksOptions, ...names: string[]): string[][] {
  const rows = rowsIn(tablesOf(booksOf(fillsFrom(line), options)), "open-positions.csv");
  return rows.map((row) => names.map((name) => row[name] ?? "none"));
}

const COLUMNS = ["mark_price", "marked_at", "market_value", "unrealised_pnl"];

describe("open-positions.csv with the user's prices", () => {
  plainTest("shows open positions at market value", () => {
    // T1 of the reference: 16 @ 99 and 3 @ 103 are open by FIFO, 1893 in total. At 110 they are worth 2090.
    const long = "B12@100/0.12 B17@99 S9@101 S4@105 B3@103/0.03";
    const marks = marksOf(["BTC-USDT", "110"]);
    expect(cells(long, { marks }, ...COLUMNS)).toEqual([["110", "2025-12-31T12:00:00.000Z", "2090", "197"]]);
    // By average cost, 19 of 29 are open: 2890 less 10 shares of it. The unrealised PnL is 2090 less that.
    const [[average = ""] = []] = cells(long, { marks, method: "average" }, "unrealised_pnl");
    expect(average).toMatch(/^190\.379310344/);
  });

  plainTest("has the value of a short with a minus, so that its gain is value less cost, too", () => {
    expect(cells("S2@100/1", { marks: marksOf(["BTC-USDT", "130"]) }, ...COLUMNS.slice(2))).toEqual([["-260", "-60"]]);
  });

  plainTest("is empty without a price, and has no such columns without a file", () => {
    expect(cells("S2@100", { marks: new Map() }, ...COLUMNS)).toEqual([["", "", "", ""]]);
    expect(cells("S2@100", {}, ...COLUMNS)).toEqual([["none", "none", "none", "none"]]);
  });

  // Realised plus unrealised PnL is the cash received less the cash paid plus the value of the open position.
  test.prop([drawnBooks()])("realised plus unrealised PnL does not depend on the method", (books) => {
    const price = exactly("777");
    const marks = new Map(books.holdings.map(({ market }) => [market, { market, time: END, price }]));
    const context = { ...books.context, accounts: [{ ...books.own, marks }] };
    const { cells } = sumsOf(books);
    for (const holding of openIn(books.holdings).filter(
      ({ before, after }) => after.blank === null && before.position?.isZero() === true,
    )) {
      const own = totalCell(
        cells.filter(({ market, currency }) => market === holding.market && currency === holding.currency),
      );
      const traded = books.booked.flatMap(({ trade }) => (trade?.market === holding.market ? trade : []));
      const cash = totalOf(traded, ({ sign, quantity, price: paid }) => withSign(sign, quantity.times(paid)).neg());
      if (lacksOf(own).length === 0) {
        expect(own.gross.plus(unrealisedPnl(context, holding) ?? ZERO)).toEqual(
          cash.plus((holding.after.position ?? ZERO).times(price)),
        );
      }
    }
  });
});
