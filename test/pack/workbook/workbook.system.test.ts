import { describe, expect, test } from "vitest";
import { type Amount, ZERO } from "../../../lambda/core/amount.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { type Books, type BooksOptions, booksOf } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { drawFills, workbookOf } from "../books.ts";
import { currencyOf, Exact, exact, sumsOf } from "../sums.ts";
import {
  activityOf,
  comparedFigures,
  feeRows,
  lotRows,
  monthRows,
  namesOf,
  positionRows,
  realisedRows,
  summaryFigures,
  tradeRows,
} from "./expected.ts";
import {
  evaluate,
  NO_READER,
  type ReadWorkbook,
  type Row,
  readWorkbook,
  roundingOf,
  rowsOf,
  sheetOf,
  shown,
  textOf,
} from "./grid.ts";

const PERIOD = parsePeriod("uk-2024-25");
/** Some fills before the period, and some with an unknown opening position. */
const FROM = Date.UTC(2024, 0, 1);

interface Case {
  readonly name: string;
  readonly fills: number;
  readonly options: BooksOptions;
}

const CASES: readonly Case[] = [
  { name: "20,000 fills, first in, first out", fills: 20_000, options: {} },
  { name: "no fill at all", fills: 0, options: {} },
  {
    name: "average entry, and funding",
    fills: 900,
    options: {
      method: "average",
      funding: [
        { time: Date.UTC(2024, 4, 1), market: "BTC-USDT", amount: exactly("-0.0000000123456789"), currency: "USDT" },
        { time: Date.UTC(2024, 5, 1), market: "BTC-USD", amount: exactly("0.7"), currency: "USD" },
      ],
    },
  },
  {
    name: "openings not known, one declared without its price, a break, and fills that cannot be typed",
    fills: 900,
    options: {
      method: "hifo",
      fromBeginning: false,
      declared: [
        { market: "BTC-USDT", quantity: ZERO, price: null, asOf: FROM, where: "line 2" },
        { market: "ETH-USDT", quantity: exactly("1"), price: null, asOf: Date.UTC(2024, 6, 1), where: "line 3" },
        {
          market: "BTC-USDT",
          quantity: exactly("1"),
          price: exactly("500"),
          asOf: Date.UTC(2024, 9, 1),
          breakFrom: Date.UTC(2024, 7, 10),
          where: "line 4",
        },
      ],
      isLinear: (market) => market !== "DOGE-USD",
    },
  },
];

function booksFor({ fills, options }: Case): Books {
  const drawn = drawFills(fills, FROM, PERIOD.to);
  const spoiled =
    options.fromBeginning === false ? drawn.map((fill, at) => (at === 700 ? { ...fill, price: "1e5" } : fill)) : drawn;
  return booksOf(spoiled, { period: PERIOD, ...options });
}

function split(rows: readonly Row[]): { readonly rows: readonly Row[]; readonly totals: readonly Row[] } {
  const isTotal = (row: Row) => Object.values(row)[0] === "Total";
  return { rows: rows.filter((row) => !isTotal(row)), totals: rows.filter(isTotal) };
}

describe.skipIf(NO_READER !== "").each(CASES)(`$name, read by openpyxl${NO_READER}`, (one) => {
  const books = booksFor(one);
  let workbook: ReadWorkbook;

  test("opens, and every sheet has its print and scroll settings", async () => {
    workbook = await readWorkbook(workbookOf(books));
    expect(workbook.broken).toBeNull();
    const names = [
      ...["Cover", "Summary", "Months", "Markets", "Realised", "Closed trades"],
      ...["Open positions", "Open lots", "Fees", "Exceptions"],
    ];
    expect(workbook.sheets.map(({ name }) => name)).toEqual(names);
    for (const { name, frozen, titles, landscape, fit } of workbook.sheets) {
      expect([landscape, fit], name).toEqual([true, [true, 1, 0]]);
      expect([frozen, titles], name).toEqual(name === "Cover" ? [null, null] : ["A3", "$1:$2"]);
    }
  });

  test("holds no time of its making, only the period's end", () => {
    const { created, modified, title, creator, entries } = workbook;
    expect([created, modified, title, creator]).toEqual([
      "2025-04-05T23:00:00",
      "2025-04-05T23:00:00",
      "main, uk-2024-25",
      "fillbook",
    ]);
    expect(new Set(entries.map(({ time }) => JSON.stringify(time)))).toEqual(new Set(["[1980,1,1,0,0,0]"]));
  });

  test("every formula gives its stored value", () => {
    for (const { name, cells } of workbook.sheets) {
      for (const { at, formula, value } of cells) {
        if (formula !== null) {
          const computed = evaluate(workbook, name, formula);
          const rest = computed.minus(value ?? Number.NaN).abs();
          const most = computed.abs().times("1e-9").plus(roundingOf(formula));
          expect(rest.lte(most), `${name} ${at} ${formula}`).toBe(true);
        }
      }
    }
  });

  test("Months, Fees, Realised, Closed trades, Open positions, Open lots: each cell", () => {
    const realised = split(rowsOf(sheetOf(workbook, "Realised"))).rows;
    const lots = split(rowsOf(sheetOf(workbook, "Open lots"))).rows;
    const months = split(rowsOf(sheetOf(workbook, "Months"))).rows;
    const fees = split(rowsOf(sheetOf(workbook, "Fees"))).rows;
    const trades = split(rowsOf(sheetOf(workbook, "Closed trades"))).rows;
    const positions = split(rowsOf(sheetOf(workbook, "Open positions"))).rows;
    if (one.fills === 0) {
      const texts = [months, fees, realised, trades, positions, lots].map((rows) =>
        rows.flatMap((row) => Object.values(row)),
      );
      expect(texts.map((text) => text.filter(Boolean))).toEqual([
        ["There was no activity in the period."],
        ["No fee was charged in the period."],
        ["Nothing was closed in the period."],
        ["No trade was closed in the period."],
        ["No position is open at the end of the period."],
        ["No position is open at the end of the period, or its cost is not known."],
      ]);
      return;
    }
    expect(months).toMatchObject(monthRows(books));
    expect(fees).toMatchObject(feeRows(books));
    expect(realised).toMatchObject(realisedRows(books));
    expect(trades).toMatchObject(tradeRows(books));
    const known = positions.filter((row) => row["Open value"] !== null);
    expect(known).toMatchObject(positionRows(books));
    expect(lots).toMatchObject(lotRows(books));
    const unknown = [...realised, ...positions].filter((row) => row["Open value"] === null);
    expect(unknown.filter(({ Status }) => !/^[a-z_]+$/.test(Status ?? ""))).toEqual([]);
  });

  test("Markets: each cell, and a reason if a position or PnL is unknown", () => {
    const { rows } = split(rowsOf(sheetOf(workbook, "Markets")));
    const position = (value: Amount | null) => (value === null ? null : shown(exact(value)));
    const expected = books.holdings.map(({ market, currency, before, after }) => {
      const own = books.booked.filter(({ fill }) => fill.market === market);
      return {
        Market: market,
        Currency: currency,
        "Position at the start": position(before.position),
        "Position at the end": position(after.position),
        ...activityOf(books, own, (payment) => payment.market === market),
      };
    });
    const shownRows = rows.filter(({ Currency }) => Currency !== null);
    expect(shownRows).toMatchObject(expected);
    for (const row of [...shownRows, ...rowsOf(sheetOf(workbook, "Months"))]) {
      const isUnknown = Object.entries(row).some(
        ([head, value]) => value === null && /Position at|realised PnL, excl/.test(head),
      );
      if (isUnknown && row["Account"] !== "Total" && row["Currency"] !== null) {
        expect(row["Incomplete because"], JSON.stringify(row)).toMatch(/[a-z_]+/);
      }
    }
  });

  test("Summary: each figure, and its exact text", () => {
    const names = namesOf(books);
    const rows = rowsOf(sheetOf(workbook, "Summary"));
    const blocks = [...new Set(books.booked.map(currencyOf))].flatMap((currency) => [
      { currency, name: names.primary, figures: summaryFigures(books, currency) },
      { currency, name: names.reference, figures: comparedFigures(books, currency) },
    ]);
    for (const { currency, name, figures } of blocks) {
      for (const [figure, text] of Object.entries(figures)) {
        const row = rows.find((held) => held["Currency"] === currency && held["Figure"] === figure);
        expect(row?.[`Exact: ${name}`], `${currency} ${figure}`).toBe(text);
        expect(row?.[name], `${currency} ${figure}`).toBe(text === null ? null : shown(new Exact(text)));
        expect(text !== null || row?.["Note"]?.startsWith("Not known"), `${currency} ${figure}`).toBe(true);
      }
    }
    const trips = books.booked.flatMap(({ trip }) => (trip === null ? [] : [trip]));
    const closed = rows.find(({ Figure }) => Figure === "Closed trades, from flat back to flat");
    expect(closed?.[names.primary]).toBe(String(trips.length));
  });

  test("Cover: the first numbers are net PnL of each currency, rounded half even to its minor unit", () => {
    const cells = new Map(sheetOf(workbook, "Cover").cells.map((cell) => [cell.at, textOf(cell)]));
    const rows = Array.from({ length: 40 }, (_, at) => ["A", "B", "C"].map((letter) => cells.get(letter + (at + 1))));
    const hasFunding = books.own.funding !== null;
    const label = hasFunding ? "Net realised PnL, incl. funding" : "Net realised PnL, excl. funding";
    for (const currency of new Set(books.booked.map(currencyOf))) {
      const row = rows.find(([text]) => text === `${label}, ${currency}`);
      const expected = [summaryFigures(books, currency), comparedFigures(books, currency)].map((figures) => {
        const text = figures[label];
        return text && new Exact(new Exact(text).toFixed(2, Exact.ROUND_HALF_EVEN)).toFixed();
      });
      expect(row?.slice(1).map((text) => text ?? null)).toEqual(expected);
    }
    expect(rows[2]?.slice(1)).toEqual([namesOf(books).primary, namesOf(books).reference]);
  });

  test.each(["Months", "Markets", "Fees"])(
    "%s has an exact total for each currency, and no total across currencies",
    (name) => {
      const { totals } = split(rowsOf(sheetOf(workbook, name)));
      const currencies = [...new Set(books.booked.map(currencyOf))];
      expect(totals.map(({ Currency }) => Currency).sort()).toEqual(currencies.sort());
      for (const total of totals) {
        const { volume, paid, rebates } = sumsOf(books.booked.filter((one) => currencyOf(one) === total["Currency"]));
        expect([total["Volume"], total["Fees paid"], total["Rebates"]]).toEqual([volume, paid, rebates].map(shown));
      }
    },
  );

  test("no cell is text that should be a number, or a number that should be text", () => {
    for (const { name, cells } of workbook.sheets) {
      for (const { at, type, format, formula } of cells) {
        expect(["s", "n", "d", "f"], `${name} ${at}`).toContain(type);
        expect(type === "s", `${name} ${at}`).toBe(format === "@");
        expect(type === "f", `${name} ${at}`).toBe(formula !== null);
      }
    }
  });
});
