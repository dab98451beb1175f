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
function picked(rows: ReturnType<typeof rowsOf>, ...names: string[]): string[] {
  return rows.map((row) => names.map((name) => row[name]).join(" "));
}

/** T4: a flip with fees. Gross 10 + 10; the flip's fee 0.11 close, 0.22 open; net 9.79 and 9.57. */
const T4 = "B1@100/0.10 S3@110/0.33 B2@105/0.21";

describe("realised-pnl.csv", () => {
  test("T4, a row for each close, with its fills", () => {
    const rows = rowsOf("realised-pnl.csv", T4);
    const closes = ["closed_at", "market", "currency", "method", "side", "quantity", "status"];
    expect(picked(rows, ...closes)).toEqual([
      "2025-03-01T13:00:00.000Z BTC-USDT USDT FIFO long 1 known",
      "2025-03-01T14:00:00.000Z BTC-USDT USDT FIFO short 2 known",
    ]);
    const values = ["open_price", "close_price", "open_value", "close_value", "gross_pnl"];
    expect(picked(rows, ...values)).toEqual(["100 110 100 110 10", "110 105 220 210 10"]);
    expect(picked(rows, "open_fee", "close_fee", "realised_pnl_net_of_fees_excl_funding")).toEqual([
      "0.1 0.11 9.79",
      "0.22 0.21 9.57",
    ]);
    // Bought for 100 + 0.10 and sold for 110 − a third of 0.33; sold for 220 − two thirds of 0.33 and bought for
    // 210 + 0.21.
    expect(picked(rows, "proceeds", "cost", "fee_in_proceeds", "fee_in_cost")).toEqual([
      "109.89 100.1 0.11 0.1",
      "219.78 210.21 0.22 0.21",
    ]);
    const fills = ["opened_at", "open_match_id", "open_order_id", "close_match_id", "close_order_id"];
    expect(picked(rows, ...fills)).toEqual([
      "2025-03-01T12:00:00.000Z M1 O1 M2 O2",
      "2025-03-01T13:00:00.000Z M2 O2 M3 O3",
    ]);
    expect(rows.map((row) => Object.keys(filled(row)).length)).toEqual([26, 26]); // these columns and no others
  });

  test("gives days in the pack's zone", () => {
    const period = customPeriod("2025-01-01", "2026-01-01", "America/New_York");
    const fills = fillsFrom("B1@100 S1@110", { from: Date.UTC(2025, 2, 2, 4, 59), stepMs: 60_000 });
    expect(picked(rowsOf("realised-pnl.csv", fills, { period }), "date_opened", "date_closed")).toEqual([
      "2025-03-01 2025-03-02",
    ]);
  });

  test("says VARIOUS for a pool, and for a declared position", () => {
    const pool = rowsOf("realised-pnl.csv", "B1@100 S1@110", { method: "average" });
    expect(picked(pool, "date_opened", "open_match_id")).toEqual(["VARIOUS M1"]);
    const declared = [{ market: "BTC-USDT", quantity: exactly("1"), price: exactly("1"), asOf: 0, where: "a line" }];
    const rows = rowsOf("realised-pnl.csv", "B1@100 S1@110", { declared });
    expect(picked(rows, "date_opened", "open_match_id", "proceeds")).toEqual(["VARIOUS  110"]);
  });

  // T2: B12@100, B17@99, B3@103, S9@101, S4@105. FIFO 9 + 21 = 30; average 11.25 + 21 = 32.25 (average
  // 99.75).
  test("T2, a row for each lot", () => {
    const t2 = "B12@100 B17@99 B3@103 S9@101 S4@105";
    const columns = ["close_match_id", "open_match_id", "quantity", "open_price", "gross_pnl"];
    expect(picked(rowsOf("realised-pnl.csv", t2), ...columns)).toEqual([
      "M4 M1 9 100 9",
      "M5 M1 3 100 15",
      "M5 M2 1 99 6",
    ]);
    expect(picked(rowsOf("realised-pnl.csv", t2, { method: "average" }), ...columns)).toEqual([
      "M4 M1 9 99.75 11.25",
      "M5 M1 4 99.75 21",
    ]);
  });

  // T19: cost out 100.666666666666666667, …666, …667.
  test("T19, the average's price is rounded for display, and the values add up", () => {
    const rows = rowsOf("realised-pnl.csv", "B1@100 B2@101 S1@101 S1@101 S1@101", { method: "average" });
    expect(picked(rows, "open_value", "open_price")).toEqual([
      "100.666666666666666667 100.666666666666666667",
      "100.666666666666666666 100.666666666666666666",
      "100.666666666666666667 100.666666666666666667",
    ]);
  });

  test("names the lots that the user's matches.csv designates", () => {
    const designations: Designations = new Map([
      ["M3\u0000O3", [{ openMatchId: "M2", openOrderId: "O2", quantity: exactly("1"), where: "matches.csv, line 2" }]],
    ]);
    const rows = rowsOf("realised-pnl.csv", "B1@100 B1@90 S2@110", { method: "specific", designations });
    expect(picked(rows, "open_match_id", "designated", "gross_pnl")).toEqual(["M2 yes 20", "M1  10"]);
  });

  test("a close with unknown PnL has a row without amounts, but with everything known", () => {
    const cost = rowsOf("realised-pnl.csv", "S1@110/0.1 S4@120 B1@119", {
      fromBeginning: false,
      declared: [{ market: null, quantity: exactly("3"), price: null, asOf: 0, where: "line 2" }],
    });
    expect(picked(cost, "close_match_id", "side", "quantity", "close_price", "gross_pnl", "status")).toEqual([
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
    expect(picked(rowsOf("realised-pnl.csv", "S1@110", { isLinear: () => false }), "status")).toEqual([
      "unsupported_contract_type",
    ]);
  });

  test("converts each line at its own date, with the rate", () => {
    const asked: string[] = [];
    const converter = converterOf({
      convert(amount, currency, time) {
        asked.push(`${currency} ${new Date(time).toISOString()}`);
        return {
          amount: amount.times(exactly("0.5")),
          rate: "0.5",
          rateDate: "2025-02-28",
          source: "=eurofxref-hist.csv USD",
        };
      },
    });
    const rows = rowsOf("realised-pnl.csv", T4, { converter });
    const names = ["report_currency", "rate", "rate_date", "rate_source"];
    expect(picked(rows, ...names, "gross_pnl_converted", "fees_converted", "net_converted")).toEqual([
      "EUR 0.5 2025-02-28 '=eurofxref-hist.csv USD 5 0.105 4.895",
      "EUR 0.5 2025-02-28 '=eurofxref-hist.csv USD 5 0.215 4.785",
    ]);
    // The first fill closes nothing, but has a fee.
    const times = ["12:00", "13:00", "14:00"].map((time) => `USDT 2025-03-01T${time}:00.000Z`);
    expect([...new Set(asked)].sort()).toEqual(times);
    const blank = rowsOf("realised-pnl.csv", "S1@110", { converter, fromBeginning: false });
    expect(picked(blank, ...names)).toEqual(["   "]);
  });
});

test("closed-trades.csv: T4 is two trades, and the flip belongs to both", () => {
  const rows = rowsOf("closed-trades.csv", `${T4} B1@100`);
  const between = ["opened_at", "closed_at", "first_match_id", "first_order_id", "last_match_id", "last_order_id"];
  expect(picked(rows, ...between)).toEqual([
    "2025-03-01T12:00:00.000Z 2025-03-01T13:00:00.000Z M1 O1 M2 O2",
    "2025-03-01T13:00:00.000Z 2025-03-01T14:00:00.000Z M2 O2 M3 O3",
  ]);
  expect(picked(rows, "market", "currency", "side", "fills", "largest_position", "quantity")).toEqual([
    "BTC-USDT USDT long 2 1 1",
    "BTC-USDT USDT short 2 2 2",
  ]);
  expect(picked(rows, "open_value", "close_value", "gross_pnl", "fees", "net_excl_funding")).toEqual([
    "100 110 10 0.21 9.79",
    "220 210 10 0.43 9.57",
  ]);
});

test("closed-trades.csv is converted at the rate of the day of close", () => {
  const converter = converterOf({
    convert: (amount, currency, time) => {
      const hour = new Date(time).getUTCHours();
      return {
        amount: amount.times(wholeNumber(hour)),
        rate: `${hour}`,
        rateDate: "2025-02-28",
        source: `own.csv ${currency}`,
      };
    },
  });
  const rows = rowsOf("closed-trades.csv", T4, { converter });
  const names = ["report_currency", "rate", "rate_date", "rate_source"];
  // The trades close at 13:00 and at 14:00: gross 10 and 10, fees 0.21 and 0.43.
  expect(picked(rows, ...names, "gross_pnl_converted", "fees_converted", "net_converted")).toEqual([
    "EUR 13 2025-02-28 own.csv USDT 130 2.73 127.27",
    "EUR 14 2025-02-28 own.csv USDT 140 6.02 133.98",
  ]);
});

describe("open-positions.csv and open-lots.csv", () => {
  // T1: B12@100, B17@99, S9@101, S4@105, B3@103. Average 19 @ 99.9800362976; FIFO 16@99, 3@103; LIFO 12@100,
  // 4@99, 3@103.
  const T1 = "B12@100/0.12 B17@99 S9@101 S4@105 B3@103/0.03";

  test("T1, one position by the chosen method", () => {
    const columns = ["method", "side", "quantity", "average_open_price", "open_value", "deferred_fee", "lots"];
    const [fifo] = rowsOf("open-positions.csv", T1);
    // (16 × 99 + 3 × 103) ÷ 19 = 1893 ÷ 19
    expect(picked([fifo ?? {}], ...columns)).toEqual(["FIFO long 19 99.631578947368421053 1893 0.03 2"]);
    const [average, ...others] = rowsOf("open-positions.csv", T1, { method: "average" });
    expect(others).toEqual([]);
    expect(average?.["method"]).toBe("Average cost");
    expect(average?.["average_open_price"]).toMatch(/^99\.9800362976\d{8}$/);
    expect(average?.["open_value"]).toMatch(/^1899\.6206896551\d+$/);
  });

  test("T1, the lots of the chosen method", () => {
    const columns = ["method", "side", "quantity", "open_price", "open_value", "open_match_id", "deferred_fee"];
    expect(picked(rowsOf("open-lots.csv", T1), ...columns)).toEqual([
      "FIFO long 16 99 1584 M2 0",
      "FIFO long 3 103 309 M5 0.03",
    ]);
    expect(picked(rowsOf("open-lots.csv", T1, { method: "lifo" }), ...columns)).toEqual([
      "LIFO long 12 100 1200 M1 0.12",
      "LIFO long 4 99 396 M2 0",
      "LIFO long 3 103 309 M5 0.03",
    ]);
    const [pool, ...others] = picked(rowsOf("open-lots.csv", T1, { method: "average" }), ...columns);
    expect(pool).toMatch(/^Average cost long 19 99\.9800362976\d{8} 1899\.6206896551\d+ M1 /);
    expect(others).toEqual([]);
  });

  test("are converted at the rate of the period's last day, or tell that it is missing", () => {
    const asked: string[] = [];
    const endConverter = (isMissing: boolean) =>
      converterOf({
        convert: (amount) => ({ amount, rate: "1", rateDate: "", source: "a test" }),
        convertIfKnown: (amount, currency, time) => {
          asked.push(`${currency} ${new Date(time).toISOString()}`);
          return isMissing
            ? null
            : { amount: amount.times(exactly("0.5")), rate: "0.5", rateDate: "2025-12-31", source: "own.csv USDT" };
        },
      });
    const names = [
      "report_currency",
      "rate",
      "rate_date",
      "rate_source",
      "open_value_converted",
      "deferred_fee_converted",
    ];
    const position = (isMissing: boolean) => rowsOf("open-positions.csv", T1, { converter: endConverter(isMissing) });
    expect(picked(position(false), ...names)).toEqual(["EUR 0.5 2025-12-31 own.csv USDT 946.5 0.015"]);
    expect(picked(position(true), ...names)).toEqual(["EUR   missing: there is no rate into EUR for 2025-12-31  "]);
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
    const columns = ["market", "side", "quantity", "open_value", "lots", "status"];
    const options = { declared, fromBeginning: true };
    expect(picked(rowsOf("open-positions.csv", fills, options), ...columns)).toEqual([
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
    expect(picked(rowsOf("fees.csv", `B1@2/${fee}`), "basis_points_of_volume")).toEqual([points]);
  });
});

describe("the summary files", () => {
  // T21: P1 paid 0.31, recognised 0.21, deferred 0.10, net 9.79 (expensed 9.69); P2 paid 0.12, recognised
  // 0.22, net 19.78 (expensed 19.88).
  test("T21, three fee figures in two months and in total", () => {
    const fills = [
      ...fillsFrom("B2@100/0.20 S1@110/0.11", { from: Date.UTC(2025, 0, 30) }),
      ...fillsFrom("S1@120/0.12", { from: Date.UTC(2025, 1, 3) }),
    ];
    const columns = [
      "fees_paid",
      "fees_recognised",
      "deferred_fees_at_start",
      "deferred_fees_at_end",
      "realised_pnl_net_of_fees_excl_funding",
      "realised_pnl_fees_expensed_excl_funding",
      "open_value_at_end",
    ];
    expect(picked(rowsOf("summary.csv", fills), "currency", ...columns)).toEqual(["USDT 0.43 0.43 0 0 29.57 29.57 0"]);
    expect(picked(rowsOf("summary-months.csv", fills), "month", "currency", ...columns)).toEqual([
      "2025-01 USDT 0.31 0.21 0 0.1 9.79 9.69 100",
      "2025-02 USDT 0.12 0.22 0.1 0 19.78 19.88 0",
    ]);
    const days = ["day", "market", "fees_paid", "fees_recognised", "realised_pnl_net_of_fees_excl_funding"];
    // Recognised on 30 January: half of the opening fee, and the closing fee.
    expect(picked(rowsOf("summary-days.csv", fills), ...days)).toEqual([
      "2025-01-30 BTC-USDT 0.31 0.21 9.79",
      "2025-02-03 BTC-USDT 0.12 0.22 19.78",
    ]);
  });

  // The second of two lots is dearer. For the sale at 130, FIFO takes the lot at 100; the average is 110.
  test("the chosen method comes first, the totals of the other one are in columns with its name, and no row is repeated", () => {
    const fills = "B1@100/0.1 B1@120/0.1 S1@130/0.1";
    const columns = ["gross_pnl", "fees_recognised", "realised_pnl_net_of_fees_excl_funding"];
    const of = (prefix: string) => columns.map((name) => prefix + name);
    expect(picked(rowsOf("summary.csv", fills), "method", ...columns, ...of("average_cost_"))).toEqual([
      "FIFO 30 0.2 29.8 20 0.2 19.8",
    ]);
    expect(picked(rowsOf("summary.csv", fills, { method: "average" }), "method", ...columns, ...of("fifo_"))).toEqual([
      "Average cost 20 0.2 19.8 30 0.2 29.8",
    ]);
  });

  test("currencies are separate, and a short's open value is negative", () => {
    const fills = [...fillsFrom("B1@100 S1@110"), ...fillsFrom("S2@50/0.1", { market: "ETH-USD" })];
    const columns = ["currency", "fills", "gross_pnl", "open_value_at_end"];
    expect(picked(rowsOf("summary.csv", fills), ...columns)).toEqual(["USD 1 0 -100", "USDT 2 10 0"]);
    expect(picked(rowsOf("summary-months.csv", fills), "month", ...columns)).toEqual([
      "2025-03 USD 1 0 -100",
      "2025-03 USDT 2 10 0",
    ]);
    expect(picked(rowsOf("summary-days.csv", fills), "day", "market", ...columns.slice(0, 3))).toEqual([
      "2025-03-01 BTC-USDT USDT 2 10",
      "2025-03-01 ETH-USD USD 1 0",
    ]);
  });

  test("unknown figures are empty, and the row is marked as incomplete", () => {
    const fills = [...fillsFrom("S1@110/0.1", { market: "A-USD" }), ...fillsFrom("B1@100 S1@110", { market: "B-USD" })];
    const declared = [{ market: "B-USD", quantity: ZERO, price: null, asOf: 0, where: "line 2" }];
    const options = { fromBeginning: false, declared };
    const columns = ["closes", "closes_with_unknown_pnl", "gross_pnl", "fees_paid", "open_value_at_end", "is_complete"];
    for (const path of ["summary.csv", "summary-months.csv"]) {
      expect(picked(rowsOf(path, fills, options), ...columns)).toEqual(["1 1 10 0.1  no"]);
    }
    const why = ["market", "closes_with_unknown_pnl", "gross_pnl", "fees_paid", "is_complete", "incomplete_because"];
    expect(picked(rowsOf("summary-days.csv", fills, options), ...why)).toEqual([
      "A-USD 1  0.1 no opening_unknown",
      "B-USD 0 10 0 yes ",
    ]);
    expect(picked(rowsOf("summary.csv", fills, options), "incomplete_because")).toEqual(["opening_unknown"]);
  });

  test("funding: empty without a file; with one, both totals in its own currency", () => {
    const time = Date.UTC(2025, 2, 5);
    const usd = exactly("-2.5");
    const columns = ["currency", "funding", "realised_pnl_net_incl_funding", "is_complete"];
    expect(picked(rowsOf("summary.csv", "B1@100 S1@110/0.5"), ...columns)).toEqual(["USDT   yes"]);
    const options = {
      funding: [
        { time, market: "BTC-USDT", amount: usd, currency: "USDT" },
        { time, market: "BTC-USDT", amount: exactly("1"), currency: "BTC" },
      ],
    };
    for (const path of ["summary.csv", "summary-months.csv"]) {
      expect(picked(rowsOf(path, "B1@100 S1@110/0.5", options), ...columns), path).toEqual([
        "BTC 1 1 yes",
        "USDT -2.5 7 yes",
      ]);
    }
  });

  test("a market that only carries a position is included", () => {
    const fills = fillsFrom("S2@50/0.1", { from: Date.UTC(2024, 5, 1) });
    const options = { period: customPeriod("2025-01-01", "2025-03-01") };
    const columns = ["fills", "gross_pnl", "open_value_at_start", "open_value_at_end"];
    expect(picked(rowsOf("summary.csv", fills, options), ...columns)).toEqual(["0 0 -100 -100"]);
    expect(rowsOf("summary-months.csv", fills, options)).toEqual([]);
  });

  test("converted amounts are sums of lines; unknown amounts are not converted", () => {
    const fills = [...fillsFrom("S1@110/0.1", { market: "A-USD" }), ...fillsFrom("B1@100 S1@110", { market: "B-USD" })];
    const declared = [{ market: "B-USD", quantity: ZERO, price: null, asOf: 0, where: "line 2" }];
    const converter = converterOf({
      convert: (amount) => ({
        amount: amount.times(exactly("0.5")),
        rate: "0.5",
        rateDate: "2025-01-01",
        source: "own.csv",
      }),
    });
    const books = booksOf(fills, { fromBeginning: false, declared });
    const tables = tablesOf(books, { declared, converter });
    const columns = ["report_currency", "gross_pnl_converted", "net_converted", "fees_paid_converted"];
    expect(picked(rowsIn(tables, "summary-days.csv"), "market", ...columns)).toEqual([
      "A-USD EUR   0.05",
      "B-USD EUR 5 5 0",
    ]);
    const fees = ["market", "liquidity", "fees_paid_converted", "net_fees_converted"];
    expect(picked(rowsIn(tables, "fees.csv"), ...fees)).toEqual(["A-USD taker 0.05 0.05", "B-USD taker 0 0"]);
  });
});
