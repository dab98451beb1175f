import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { METHOD_NAMES } from "../../../lambda/accounting/method.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { type Drawn, drawn } from "../../accounting/draw-books.ts";
import { booksOf, fillsFrom, sumsOf } from "../../accounting/make.ts";
import { converterOf } from "../../accounting/rates/make.ts";
import { arbitraryFill, hostileText } from "../../support/arbitrary-fill.ts";
import { readCsv } from "../../support/rfc4180.ts";
import { exact, type Row, rowsIn, tablesOf, total } from "./make.ts";

const ONE = 10n ** 18n;

function made({ fills, options, cuts }: Drawn) {
  const books = booksOf(fills, options);
  const tables = tablesOf(books, { cuts });
  return { books, tables, rows: (path: string) => rowsIn(tables, path) };
}

function by(rows: readonly Row[], ...names: string[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => names.map((name) => row[name]).join(" "));
}

describe("over drawn books", () => {
  test.prop([drawn], { numRuns: 150 })("realised-pnl.csv adds up to summary.csv and exceptions.csv", (book) => {
    const one = made(book);
    const { books, rows } = one;
    const realised = by(rows("realised-pnl.csv"), "currency");
    for (const row of rows("summary.csv")) {
      const own = realised.get(row["currency"] ?? "") ?? [];
      const known = own.filter(({ status }) => status === "known");
      expect(row["method"]).toBe(METHOD_NAMES[books.context.methods.primary]);
      expectSums(known, row);
      expect(by(known, "close_match_id", "close_order_id").size).toBe(Number(row["closes"]));
      expect(own.length - known.length).toBe(Number(row["closes_with_unknown_pnl"]));
    }
    for (const row of rows("realised-pnl.csv").filter(({ status }) => status === "known")) {
      expectMatch(row);
    }
    const byReason = by(rows("realised-pnl.csv"), "market", "status");
    const noted = rows("exceptions.csv").filter(({ column }) => column === "closes_with_unknown_pnl");
    expect(
      new Map(noted.map(({ market, reason = "", value }) => [`${market} ${reason.split(":")[0]}`, value])),
    ).toEqual(
      new Map([...byReason].flatMap(([key, own]) => (key.endsWith(" known") ? [] : [[key, String(own.length)]]))),
    );
  });

  test.prop([drawn], { numRuns: 150 })("fees.csv adds up to the summary, and to the rows of fills.csv", (book) => {
    const { books, rows } = made(book);
    const fees = rows("fees.csv");
    expect(total(fees, "fills")).toBe(exact(String(books.booked.length)));
    const days = rows("summary-days.csv");
    const byMonth = Map.groupBy(days, (row) => [row["day"]?.slice(0, 7), row["market"], row["currency"]].join(" "));
    const own = by(fees, "month", "market", "currency");
    for (const [key, summary] of byMonth) {
      const parts = own.get(key) ?? [];
      for (const name of ["fills", "volume", "fees_paid", "rebates"]) {
        expect(total(parts, name)).toBe(total(summary, name));
      }
      expect(total(parts, "net_fees")).toBe(total(summary, "fees_paid") + total(summary, "rebates"));
    }
    expect([...own.keys()].filter((key) => !byMonth.has(key))).toEqual([]);
  });

  test.prop([drawn], { numRuns: 150 })("open lots add up to open-positions.csv", (book) => {
    const one = made(book);
    const { rows } = one;
    const positions = by(rows("open-positions.csv"), "market");
    const lots = by(rows("open-lots.csv"), "market");
    for (const { market, after } of one.books.holdings) {
      const [position, ...others] = positions.get(market) ?? [];
      expect(others).toEqual([]);
      expectPosition(after.blank !== null, position ?? {}, lots.get(market) ?? []);
    }
  });

  test.prop([drawn], { numRuns: 50 })("no two rows of a table have the same keys", (book) => {
    const { tables, rows } = made(book);
    for (const { path, keys = [] } of tables.makers.filter((maker) => (maker.keys ?? []).length > 0)) {
      expect(by(rows(path), ...keys).size, path).toBe(rows(path).length);
    }
  });

  test.prop([drawn], { numRuns: 150 })("every control holds, and applies unless something is blank", (book) => {
    const { books, rows } = made(book);
    const controls = rows("control-totals.csv");
    const isBlank = new Set(
      [
        ...books.holdings.filter(({ before, after }) => before.blank !== null || after.blank !== null),
        ...rows("realised-pnl.csv").filter(({ status }) => status !== "known"),
        ...sumsOf(books).cells.filter((cell) => cell.breaks > 0),
        ...books.booked.filter(({ trade }) => trade === null).map(({ fill }) => fill),
      ].map(({ market }) => market),
    );
    for (const row of controls) {
      expect(row["holds"]).toBe(row["reason"] === "" ? "yes" : "not applicable");
      expect(row["difference"]).toBe(row["reason"] === "" ? "0" : "");
      expect(exact(row["left"])).toBe(exact(row["right"]));
      if (!isBlank.has(row["market"] ?? "")) {
        expect(row["holds"]).toBe("yes");
      }
    }
    expect(controls.filter(({ market }) => market !== "")).toHaveLength(books.holdings.length * 5);
  });
});

function expectSums(realised: readonly Row[], row: Row): void {
  expect(total(realised, "gross_pnl")).toBe(exact(row["gross_pnl"]));
  expect(total(realised, "open_fee") + total(realised, "close_fee")).toBe(exact(row["fees_recognised"]));
  const net = "realised_pnl_net_of_fees_excl_funding";
  expect(total(realised, net)).toBe(exact(row[net]));
}

/** Compares a market's row of open-positions.csv with its rows of open-lots.csv. */
function expectPosition(isBlank: boolean, position: Row, lots: readonly Row[]): void {
  if (isBlank) {
    expect([position["status"] === "known", position["open_value"], lots.length]).toEqual([false, "", 0]);
    return;
  }
  for (const name of ["quantity", "open_value", "deferred_fee"]) {
    expect(total(lots, name), name).toBe(exact(position[name]));
  }
  expect(lots.length).toBe(Number(position["lots"] ?? 0));
  expect(lots.every(({ side }) => side === position["side"])).toBe(true);
}

/** The identities within a row of realised-pnl.csv. */
function expectMatch(row: Row): void {
  const net = exact(row["realised_pnl_net_of_fees_excl_funding"]);
  expect(exact(row["proceeds"]) - exact(row["cost"])).toBe(net);
  expect(net + exact(row["open_fee"]) + exact(row["close_fee"])).toBe(exact(row["gross_pnl"]));
  const valueAt = (price: string) => (exact(row["quantity"]) / ONE) * (exact(row[price]) / ONE);
  const isLong = row["side"] === "long";
  expect(exact(row[isLong ? "proceeds" : "cost"])).toBe(
    valueAt("close_price") + (isLong ? -1n : 1n) * exact(row["close_fee"]),
  );
  if (row["method"] !== METHOD_NAMES.average) {
    expect(exact(row[isLong ? "cost" : "proceeds"])).toBe(
      valueAt("open_price") + (isLong ? 1n : -1n) * exact(row["open_fee"]),
    );
  }
}

test("an empty period has only headers and the count of its fills", () => {
  const tables = tablesOf(booksOf([]));
  for (const [path, text] of tables.texts) {
    expect(rowsIn(tables, path)).toHaveLength(path === "control-totals.csv" ? 1 : 0);
    expect(text.split("\r\n")).toHaveLength(path === "control-totals.csv" ? 3 : 2);
  }
});

const YEAR_MS = 365 * 86_400_000;
const START = Date.UTC(2025, 0, 1);

/** What a spreadsheet may run: one of these characters after byte order marks and spaces, except a number. */
function mayRun(cell: string): boolean {
  const first = cell.replace(/^[\uFEFF\p{Zs}\n\v\f\u2028\u2029]+/u, "")[0] ?? "";
  return "=+-@＝＋－＠\t\r\0".includes(first) && first !== "" && !/^-?\d+(\.\d+)?$/.test(cell);
}

function expectHarmless(fills: readonly Fill[], source: string): void {
  const converter = converterOf({
    to: source,
    convert: (amount) => ({ amount, rate: "1", rateDate: "2025-01-01", source }),
  });
  const tables = tablesOf(booksOf(fills), { converter, cutOff: fills.map((fill) => ({ ...fill, filledAt: 0 })) });
  for (const [path, text] of tables.texts) {
    const cells = readCsv(text.slice(1)).flat();
    expect(cells.filter(mayRun), path).toEqual([]);
    const maker = tables.makers.find((one) => one.path === path);
    const [, ...records] = readCsv(text.slice(1));
    expect(records).toHaveLength(maker?.rows ?? -1);
    expect(maker?.escaped).toBeLessThanOrEqual(cells.filter((cell) => cell.includes("'")).length);
  }
}

/** Closed trades with the text in every field. */
function closedWith(text: string): Fill[] {
  return fillsFrom("B1@1/0.1 S2@2 B1@1 B1@2").map((fill, at) => ({
    ...fill,
    matchId: `${text}${at}`,
    orderId: text,
    market: `${text}-${text}`,
    liquidity: text,
    tradeType: text,
  }));
}

const anyFill = arbitraryFill.map((fill) => {
  const time = START + (Math.abs(fill.txCreated) % YEAR_MS);
  return { ...fill, txCreated: time, filledAt: fill.filledAt === null ? null : time };
});

test.prop([fc.array(anyFill, { maxLength: 12 }), hostileText], { numRuns: 300 })(
  "any fills that the type allows, and any text in closed trades, are text in every table",
  (fills, text) => {
    expectHarmless(fills, text);
    expectHarmless(closedWith(text), text);
  },
);
