import { describe, expect, test } from "vitest";
import type { Designations } from "../../../lambda/accounting/methods/specific.ts";
import { wholeNumber, ZERO } from "../../../lambda/core/amount.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { customPeriod } from "../../../lambda/core/period.ts";
import { type BooksOptions, booksOf, fillsFrom } from "../../accounting/make.ts";
import { converterOf } from "../../accounting/rates/make.ts";
import { exactly } from "../../support/amounts.ts";
import { filled, rowsIn, type TablesOptions, tablesOf } from "./make.ts";

function rowsOf(path: string, fills: readonly Fill[] | string, options: BooksOptions & TablesOptions = {}) {
  const books = booksOf(typeof fills === "string" ? fillsFrom(fills) : fills, options);
  return rowsIn(tablesOf(books, options), path);
}

/** Some columns of each row, joined. */
function cells(path: string, fills: readonly Fill[] | string, columns: string, options = {}): string[] {
  const names = columns.split(" ");
  return rowsOf(path, fills, options).map((row) => names.map((name) => row[name]).join(" "));
}

/** T4: a flip with fees. Gross 10 + 10; the flip's fee 0.11 close, 0.22 open; net 9.79 and 9.57. */
const T4 = "B1@100/0.10 S3@110/0.33 B2@105/0.21";

describe("realised-pnl.csv", () => {
  const realised = (fills: readonly Fill[] | string, columns: string, options: BooksOptions & TablesOptions = {}) =>
    cells("realised-pnl.csv", fills, columns, options);

  test.each([
    [
      "closed_at market currency method side quantity status",
      "2025-03-01T13:00:00.000Z BTC-USDT USDT FIFO long 1 known",
      "2025-03-01T14:00:00.000Z BTC-USDT USDT FIFO short 2 known",
    ],
    ["open_price close_price gross_pnl", "100 110 10", "110 105 10"],
    ["open_fee close_fee realised_pnl_net_of_fees_excl_funding", "0.1 0.11 9.79", "0.22 0.21 9.57"],
    // Bought for 100 + 0.10 and sold for 110 − a third of 0.33; sold for 220 − two thirds of 0.33 and bought for
    // 210 + 0.21.
    ["proceeds cost", "109.89 100.1", "219.78 210.21"],
    [
      "opened_at open_match_id open_order_id close_match_id close_order_id",
      "2025-03-01T12:00:00.000Z M1 O1 M2 O2",
      "2025-03-01T13:00:00.000Z M2 O2 M3 O3",
    ],
  ])("T4, a row for each close, with its fills: %s", (columns, ...rows) => {
    expect(realised(T4, columns)).toEqual(rows);
    const count = rowsOf("realised-pnl.csv", T4).map((row) => Object.keys(filled(row)).length);
    expect(count).toEqual([22, 22]); // these columns and no others
  });

  test("gives days in the pack's zone", () => {
    const period = customPeriod("2025-01-01", "2026-01-01", "America/New_York");
    const fills = fillsFrom("B1@100 S1@110", { from: Date.UTC(2025, 2, 2, 4, 59), stepMs: 60_000 });
    expect(realised(fills, "date_opened date_closed", { period })).toEqual(["2025-03-01 2025-03-02"]);
  });

  test("says VARIOUS for a pool, with its average price, and for a declared position", () => {
    const columns = "date_opened open_match_id open_price proceeds";
    const pool = realised("B1@100 B2@101 S1@110", columns, { method: "average" });
    expect(pool).toEqual(["VARIOUS M1 100.666666666666666667 110"]);
    const declared = [{ market: "BTC-USDT", quantity: exactly("1"), price: exactly("1"), asOf: 0, where: "a line" }];
    expect(realised("B1@100 S1@110", columns, { declared })).toEqual(["VARIOUS  1 110"]);
  });

  test("names the lots that the user's matches.csv designates", () => {
    const designations: Designations = new Map([
      ["M3\u0000O3", [{ openMatchId: "M2", openOrderId: "O2", quantity: exactly("1"), where: "matches.csv, line 2" }]],
    ]);
    const options = { method: "specific", designations } as const;
    expect(realised("B1@100 B1@90 S2@110", "open_match_id designated gross_pnl", options)).toEqual([
      "M2 yes 20",
      "M1  10",
    ]);
  });

  test("a close with unknown PnL has a row without amounts, but with everything known", () => {
    const cost = realised("S1@110/0.1 S4@120 B1@119", "close_match_id side quantity close_price gross_pnl status", {
      fromBeginning: false,
      declared: [{ market: null, quantity: exactly("3"), price: null, asOf: 0, where: "line 2" }],
    });
    expect(cost).toEqual([
      "M1 long 1 110  quantity_known_cost_unknown",
      "M2 long 2 120  quantity_known_cost_unknown",
      "M3 short 1 119 1 known",
    ]);
    const unknown = rowsOf("realised-pnl.csv", "S1@110", { fromBeginning: false });
    expect(unknown.map(filled)).toEqual([
      {
        closed_at: "2025-03-01T12:00:00.000Z",
        market: "BTC-USDT",
        currency: "USDT",
        method: "FIFO",
        date_closed: "2025-03-01",
        close_match_id: "M1",
        close_order_id: "O1",
        status: "opening_unknown",
      },
    ]);
    expect(realised("S1@110", "status", { isLinear: () => false })).toEqual(["unsupported_contract_type"]);
  });
});

test("closed-trades.csv: T4 is two trades, and the flip belongs to both", () => {
  const trades = (columns: string) => cells("closed-trades.csv", `${T4} B1@100`, columns);
  expect(trades("opened_at closed_at first_match_id first_order_id last_match_id last_order_id")).toEqual([
    "2025-03-01T12:00:00.000Z 2025-03-01T13:00:00.000Z M1 O1 M2 O2",
    "2025-03-01T13:00:00.000Z 2025-03-01T14:00:00.000Z M2 O2 M3 O3",
  ]);
  expect(trades("market currency side fills largest_position quantity")).toEqual([
    "BTC-USDT USDT long 2 1 1",
    "BTC-USDT USDT short 2 2 2",
  ]);
  expect(trades("open_value close_value gross_pnl fees net_excl_funding")).toEqual([
    "100 110 10 0.21 9.79",
    "220 210 10 0.43 9.57",
  ]);
});

test.each(["realised-pnl.csv", "closed-trades.csv"])("%s is converted at the rate of each close's time", (path) => {
  const converter = converterOf({
    convert(amount, currency, time) {
      const hour = new Date(time).getUTCHours();
      const source = `own.csv ${currency}`;
      return { amount: amount.times(wholeNumber(hour)), rate: `${hour}`, rateDate: "2025-02-28", source };
    },
  });
  const names = "report_currency rate rate_date rate_source";
  // Closes at 13:00 and at 14:00: gross 10 and 10, fees 0.21 and 0.43.
  expect(cells(path, T4, `${names} gross_pnl_converted fees_converted net_converted`, { converter })).toEqual([
    "EUR 13 2025-02-28 own.csv USDT 130 2.73 127.27",
    "EUR 14 2025-02-28 own.csv USDT 140 6.02 133.98",
  ]);
  const unknown = cells(path, "S1@110", names, { converter, fromBeginning: false });
  expect(unknown).toEqual(path === "realised-pnl.csv" ? ["   "] : []);
});

describe("open-positions.csv and open-lots.csv", () => {
  // T1: B12@100, B17@99, S9@101, S4@105, B3@103. Average 19 @ 99.9800362976; FIFO 16@99, 3@103.
  const T1 = "B12@100/0.12 B17@99 S9@101 S4@105 B3@103/0.03";

  test("T1, one position, and its lots, by the chosen method", () => {
    const position = "method side quantity average_open_price open_value deferred_fee lots";
    const lots = "method side quantity open_price open_value open_match_id deferred_fee";
    // (16 × 99 + 3 × 103) ÷ 19 = 1893 ÷ 19
    expect(cells("open-positions.csv", T1, position)).toEqual(["FIFO long 19 99.631578947368421053 1893 0.03 2"]);
    expect(cells("open-lots.csv", T1, lots)).toEqual(["FIFO long 16 99 1584 M2 0", "FIFO long 3 103 309 M5 0.03"]);
    const average = (path: string, columns: string) => cells(path, T1, columns, { method: "average" });
    const pool = /^Average cost long 19 99\.9800362976\d{8} 1899\.6206896551\d+ /;
    expect(average("open-positions.csv", position)).toEqual([expect.stringMatching(pool)]);
    expect(average("open-lots.csv", lots)).toEqual([expect.stringMatching(pool)]);
  });

  test("are converted at the rate of the period's last day, or tell that it is missing", () => {
    const asked: string[] = [];
    const position = (isMissing: boolean) => {
      const rate = { rate: "0.5", rateDate: "2025-12-31", source: "own.csv USDT" };
      const converter = converterOf({
        convert: (amount) => ({ ...rate, amount }),
        convertIfKnown: (amount, currency, time) => {
          asked.push(`${currency} ${new Date(time).toISOString()}`);
          return isMissing ? null : { ...rate, amount: amount.times(exactly("0.5")) };
        },
      });
      const names = "report_currency rate rate_date rate_source open_value_converted deferred_fee_converted";
      return cells("open-positions.csv", T1, names, { converter });
    };
    expect(position(false)).toEqual(["EUR 0.5 2025-12-31 own.csv USDT 946.5 0.015"]);
    expect(position(true)).toEqual(["EUR   missing: there is no rate into EUR for 2025-12-31  "]);
    expect([...new Set(asked)]).toEqual(["USDT 2025-12-31T23:59:59.999Z"]);
  });

  test("a blank market has one row, with the position if it is known; a flat market has none", () => {
    const [flat, short, blank] = [
      fillsFrom("B1@100 S1@101", { market: "A-USD" }),
      fillsFrom("S1@110 S4@120", { market: "B-USD" }),
      fillsFrom("B1@100 S9@101", { market: "C-USD" }),
    ];
    const declared = [{ market: "B-USD", quantity: exactly("-3"), price: null, asOf: 0, where: "line 2" }];
    const fills = [...flat, ...short, ...blank.map((fill, at) => (at === 1 ? { ...fill, side: "hold" } : fill))];
    const options = { declared, fromBeginning: true };
    expect(cells("open-positions.csv", fills, "market side quantity open_value lots status", options)).toEqual([
      "B-USD short -8   quantity_known_cost_unknown",
      "C-USD     market_incomplete",
    ]);
    expect(rowsOf("open-lots.csv", fills, options)).toEqual([]);
  });
});

describe("fees.csv", () => {
  test("by month, market and liquidity; fills that cannot be typed have no amounts", () => {
    const march = fillsFrom("B1@100/0.05/maker B2@100/-0.01/maker S3@200/0.3 B1@100/0.02/auction");
    const april = fillsFrom("B1@100/0.04 B1@100", { from: Date.UTC(2025, 3, 1), market: "ETH-USD" });
    const fills = [...march, ...april.map((fill, at) => (at === 1 ? { ...fill, quantity: "1e22" } : fill))];
    expect(rowsOf("fees.csv", fills).map(({ account: _, ...row }) => Object.values(row).join(" "))).toEqual([
      "2025-03 BTC-USDT USDT maker 2 300 0.05 -0.01 0.04 1.3333",
      "2025-03 BTC-USDT USDT taker 1 600 0.3 0 0.3 5",
      "2025-03 BTC-USDT USDT other 1 100 0.02 0 0.02 2",
      "2025-04 ETH-USD USD taker 1 100 0.04 0 0.04 4",
      "2025-04 ETH-USD USD untyped 1     ",
    ]);
  });

  // 10,000 × fee ÷ 2 = 0.00005, 0.00015, 0.00025: halves go to the even digit.
  test.each([
    ["0.00000001", "0"],
    ["0.00000003", "0.0002"],
    ["0.00000005", "0.0002"],
    ["-0.00000003", "-0.0002"],
  ])("a fee of %s of a volume of 2 is %s basis points", (fee, points) => {
    expect(cells("fees.csv", `B1@2/${fee}`, "basis_points_of_volume")).toEqual([points]);
  });
});

describe("the summary files", () => {
  const [ALL, MONTHS, DAYS] = ["summary.csv", "summary-months.csv", "summary-days.csv"] as const;
  const NET = "realised_pnl_net_of_fees_excl_funding";

  // T21: P1 paid 0.31, recognised 0.21, deferred 0.10, net 9.79 (expensed 9.69); P2 paid 0.12, recognised
  // 0.22, net 19.78 (expensed 19.88).
  test("T21, three fee figures in two months and in total", () => {
    const fills = [
      ...fillsFrom("B2@100/0.20 S1@110/0.11", { from: Date.UTC(2025, 0, 30) }),
      ...fillsFrom("S1@120/0.12", { from: Date.UTC(2025, 1, 3) }),
    ];
    const figures = `fees_recognised deferred_fees_at_start deferred_fees_at_end ${NET} realised_pnl_fees_expensed_excl_funding open_value_at_end`;
    expect(cells(ALL, fills, `currency fees_paid ${figures}`)).toEqual(["USDT 0.43 0.43 0 0 29.57 29.57 0"]);
    expect(cells(MONTHS, fills, `month currency fees_paid ${figures}`)).toEqual([
      "2025-01 USDT 0.31 0.21 0 0.1 9.79 9.69 100",
      "2025-02 USDT 0.12 0.22 0.1 0 19.78 19.88 0",
    ]);
    // Recognised on 30 January: half of the opening fee, and the closing fee.
    expect(cells(DAYS, fills, `day market fees_paid fees_recognised ${NET}`)).toEqual([
      "2025-01-30 BTC-USDT 0.31 0.21 9.79",
      "2025-02-03 BTC-USDT 0.12 0.22 19.78",
    ]);
  });

  test("a month is judged by that month alone; a market without fills begins flat before its break", () => {
    const on = (month: number, day: number) => Date.UTC(2025, month - 1, day);
    const fills = [[1, 5, "B2@100"] as const, [8, 20, "S1@110"] as const, [10, 7, "B1@90"] as const].flatMap(
      ([month, day, line]) => fillsFrom(line, { from: on(month, day), market: "SOL-EUR" }),
    );
    const broken = { quantity: exactly("5"), price: exactly("4"), breakFrom: on(8, 15), where: "2" };
    const ends = { "SOL-EUR": on(9, 1), "GONE-EUR": on(8, 25) };
    const declared = Object.entries(ends).map(([market, asOf]) => ({ ...broken, market, asOf }));
    const columns = "open_value_at_start open_value_at_end is_complete incomplete_because";
    expect(cells(MONTHS, fills, `month ${columns}`, { declared })).toEqual([
      "2025-01 0 200 yes ",
      "2025-08 200  no break_declared",
      "2025-10 40 130 yes ",
    ]);
    expect(cells(ALL, fills, columns, { declared })).toEqual(["0 130 no break_declared"]);
  });

  // The second of two lots is dearer. For the sale at 130, FIFO takes the lot at 100; the average is 110.
  test("the chosen method comes first, the totals of the other one are in columns with its name, and no row is repeated", () => {
    const of = (prefix: string) => `${prefix}gross_pnl ${prefix}fees_recognised ${prefix}${NET}`;
    const by = (method: "fifo" | "average", other: string) =>
      cells(ALL, "B1@100/0.1 B1@120/0.1 S1@130/0.1", `method ${of("")} ${of(other)}`, { method });
    expect(by("fifo", "average_cost_")).toEqual(["FIFO 30 0.2 29.8 20 0.2 19.8"]);
    expect(by("average", "fifo_")).toEqual(["Average cost 20 0.2 19.8 30 0.2 29.8"]);
  });

  test("unknown figures are empty and not converted, and the row is marked as incomplete", () => {
    const fills = [...fillsFrom("S1@110/0.1", { market: "A-USD" }), ...fillsFrom("B1@100 S1@110", { market: "B-USD" })];
    const declared = [{ market: "B-USD", quantity: ZERO, price: null, asOf: 0, where: "line 2" }];
    const rate = { rate: "0.5", rateDate: "2025-01-01", source: "own.csv" };
    const converter = converterOf({ convert: (amount) => ({ ...rate, amount: amount.times(exactly("0.5")) }) });
    const options = { fromBeginning: false, declared, converter };
    const columns = "closes_with_unknown_pnl gross_pnl fees_paid is_complete incomplete_because";
    for (const path of [ALL, MONTHS]) {
      expect(cells(path, fills, `closes open_value_at_end ${columns}`, options)).toEqual([
        "1  1 10 0.1 no opening_unknown",
      ]);
    }
    expect(cells(DAYS, fills, `market ${columns}`, options)).toEqual([
      "A-USD 1  0.1 no opening_unknown",
      "B-USD 0 10 0 yes ",
    ]);
    const converted = "report_currency gross_pnl_converted net_converted fees_paid_converted";
    expect(cells(DAYS, fills, converted, options)).toEqual(["EUR   0.05", "EUR 5 5 0"]);
    const fees = "market liquidity fees_paid_converted net_fees_converted";
    expect(cells("fees.csv", fills, fees, options)).toEqual(["A-USD taker 0.05 0.05", "B-USD taker 0 0"]);
  });
});
