import { describe, expect, test } from "vitest";
import type { OpenLot } from "../../../lambda/accounting/cost-book.ts";
import type { Cell } from "../../../lambda/accounting/cube/cell.ts";
import type { Sums } from "../../../lambda/accounting/cube/scopes.ts";
import type { Carried } from "../../../lambda/accounting/market-book.ts";
import { type Amount, tenTo } from "../../../lambda/core/amount.ts";
import type { Closing } from "../../../lambda/pack/make/maker.ts";
import { FillSums } from "../../../lambda/pack/tables/control.ts";
import { controlsTable } from "../../../lambda/pack/tables/controls.ts";
import { type Books, booksOf, fillsFrom, sumsOf } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { importsOf } from "../exports/files.ts";
import { type Row, rowsIn, type TablesOptions, tablesOf } from "./make.ts";

/** A year that begins long 1 @ 90, with one market in USDT and one in USD. */
const BOOKS = booksOf([
  ...fillsFrom("B1@90/0.09", { from: Date.UTC(2024, 11, 1) }),
  ...fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21 B5@120/-0.02/maker"),
  ...fillsFrom("S1@50/0.1 B1@40/0.1", { market: "ETH-USD" }),
]);

function controls(books: Books, options: TablesOptions = {}): Row[] {
  return rowsIn(tablesOf(books, options), "control-totals.csv");
}

function line({ control, market, currency, method, left, right, holds }: Row): string {
  return [control, market, currency, method, left, right, holds].join(" ").replaceAll(/ +/g, " ");
}

describe("control-totals.csv", () => {
  test("gives both sides of each identity, as the other files show them", () => {
    const { totals } = importsOf(BOOKS);
    const koinly = totals.filter(({ file }) => file === "imports/koinly.csv");
    expect(controls(BOOKS, { imports: koinly }).map(line)).toEqual([
      "fills_counted 6 6 yes",
      // 1 + 1 − 3 + 2 + 5 − … = 6: opening 1.
      "position BTC-USDT USDT 6 6 yes",
      "fees_split BTC-USDT USDT 0.62 0.62 yes",
      // −100 + 330 − 224 − 600 = −594
      "cash_flow BTC-USDT USDT FIFO -594 -594 yes",
      "fees_carried BTC-USDT USDT FIFO 0.71 0.71 yes",
      "open_lots BTC-USDT USDT FIFO 6 6 yes",
      "position ETH-USD USD 0 0 yes",
      "fees_split ETH-USD USD 0.2 0.2 yes",
      "cash_flow ETH-USD USD FIFO 10 10 yes",
      "fees_carried ETH-USD USD FIFO 0.2 0.2 yes",
      "open_lots ETH-USD USD FIFO 0 0 yes",
      "realised_gross USD 10 10 yes",
      "realised_fees USD 0.2 0.2 yes",
      // Long 2 of 90 + 100 at 110: 30; short 1 of 110 at 112: −2. Fees 0.09 + 0.10 + 0.33 + 0.105.
      "realised_gross USDT 28 28 yes",
      "realised_fees USDT 0.625 0.625 yes",
      "import_cash USD 9.8 9.8 yes",
      // 28 − 0.10 − 0.33 − 0.21 + 0.02
      "import_cash USDT 27.38 27.38 yes",
    ]);
  });

  test("import files tie out with transfers, also in a currency in which nothing is traded", () => {
    const transfers = [
      { time: Date.UTC(2025, 1, 1), currency: "USDT", amount: exactly("100"), note: "", line: 2 },
      { time: Date.UTC(2025, 1, 1), currency: "EUR", amount: exactly("-7"), note: "", line: 3 },
    ];
    const books = booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21"), { transfers });
    const koinly = importsOf(books).totals.filter(({ file }) => file === "imports/koinly.csv");
    const rows = controls(books, { imports: koinly }).filter(({ control }) => control === "import_cash");
    expect(rows.map(line)).toEqual(["import_cash EUR -7 -7 yes", "import_cash USDT 105.36 105.36 yes"]);
    expect(rows[0]?.["right_is"]).toBe(
      "gross_pnl − fees_paid − rebates + funding in summary.csv, plus the amounts in transfers.csv",
    );
  });

  test("a control that cannot be compared tells why", () => {
    const declared = [{ market: "B-USD", quantity: exactly("-3"), price: null, asOf: 0, where: "line 2" }];
    const fills = [
      ...fillsFrom("B1@1", { market: "A-USD" }),
      ...fillsFrom("B1@1", { market: "B-USD" }),
      ...fillsFrom("B1@1", { market: "C-USD" }),
    ];
    const books = booksOf(fills, { fromBeginning: false, declared, isLinear: (market) => market !== "C-USD" });
    const rows = controls(books, { declared }).filter(({ market }) => market !== "");
    expect(rows.map((row) => `${row["control"]} ${row["market"]} ${row["holds"]} ${row["reason"]}`)).toEqual(
      expect.arrayContaining([
        "position A-USD not applicable opening_unknown",
        "cash_flow A-USD not applicable opening_unknown",
        "position B-USD yes ",
        "fees_split B-USD yes ",
        "cash_flow B-USD not applicable quantity_known_cost_unknown",
        "open_lots B-USD not applicable quantity_known_cost_unknown",
      ]),
    );
    expect(rows.filter(({ holds, left = "", right = "" }) => holds !== "yes" && left + right !== "")).toEqual([]);
  });

  test("a position declared within the period counts at its start", () => {
    const declared = [
      { market: null, quantity: exactly("3"), price: exactly("100"), asOf: Date.UTC(2025, 1, 1), where: "2" },
    ];
    const books = booksOf(fillsFrom("S1@110/0.1 B2@120"), { fromBeginning: false, declared });
    expect(controls(books, { declared }).map(line)).toEqual(
      expect.arrayContaining(["position BTC-USDT USDT 4 4 yes", "cash_flow BTC-USDT USDT FIFO -130 -130 yes"]),
    );
    expect(controls(books, { declared: [] }).map(line)).toContain("position BTC-USDT USDT not applicable");
  });
});

describe("a control that fails stops the pack, and is named", () => {
  const SUMS = sumsOf(BOOKS);
  const more = (amount: Amount): Amount => amount.plus(tenTo(-36));
  /** The cell with all closes of BTC-USDT, changed. */
  const cell = (change: (one: Cell) => Partial<Cell>): Partial<Sums> => ({
    cells: SUMS.cells.map((one) =>
      one.market === "BTC-USDT" && one.kind === "taker" ? { ...one, ...change(one) } : one,
    ),
  });
  const atEnd = (change: (one: Carried) => Partial<Carried>): Partial<Sums> => ({
    holdings: SUMS.holdings.map((one) => ({ ...one, after: { ...one.after, ...change(one.after) } })),
  });
  const lots = (change: (lot: OpenLot) => Partial<OpenLot>) =>
    atEnd((one) => ({ lots: one.lots.map((lot) => ({ ...lot, ...change(lot) })) }));

  test.each<[string, Partial<Sums>]>([
    ["cash_flow of BTC-USDT, USDT, FIFO", cell(({ gross }) => ({ gross: more(gross) }))],
    ["fees_carried of BTC-USDT, USDT, FIFO", cell(({ fees }) => ({ fees: more(fees) }))],
    ["cash_flow of BTC-USDT", lots(({ value }) => ({ value: more(value) }))],
    ["fees_carried of BTC-USDT", lots(({ fee }) => ({ fee: more(fee) }))],
    ["position of BTC-USDT", atEnd(() => ({ position: exactly("0.000000000000000001") }))],
    ["open_lots of BTC-USDT, USDT, FIFO", lots(({ quantity }) => ({ quantity: quantity.plus(tenTo(-18)) }))],
    ["fills_counted", cell(({ untyped }) => ({ untyped: untyped + 1 }))],
    ["fees_split of BTC-USDT", cell(({ feesPaid }) => ({ feesPaid: more(feesPaid) }))],
  ])("%s", (name, changed) => {
    expect(() => controls(BOOKS, { told: { sums: { ...SUMS, ...changed } } })).toThrow(
      expect.objectContaining({ kind: "untrusted", message: expect.stringContaining(`control-totals.csv: ${name}`) }),
    );
  });

  test("missing rows of realised-pnl.csv", () => {
    const books = booksOf(fillsFrom("B1@100/0.1 S1@110/0.1"));
    const sums = new FillSums();
    for (const posted of books.booked) {
      sums.add({ ...posted, realised: posted.realised && { ...posted.realised, matches: [] } });
    }
    const table = controlsTable(books.context, { sums, imports: () => [], form: null, transfers: [] });
    const closing = { sums: sumsOf(books), proof: { fills: 2, declaredTrades: 0 } } as Closing;
    expect(() => [...(table.rows.atEnd?.(closing) ?? [])]).toThrow(
      /realised_gross of USDT failed: .* is 0, but .* is 10$/,
    );
  });

  test("an import file with other movements", () => {
    const imports = [{ file: "imports/koinly.csv", currency: "USDT", in: exactly("28"), out: tenTo(-36) }];
    expect(() => controls(BOOKS, { imports })).toThrow(/import_cash of USD failed: .*imports\/koinly.csv/);
  });
});
