import { describe, expect, test } from "vitest";
import { ZERO } from "../../../lambda/core/amount.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { UnknownValues } from "../../../lambda/pack/tables/unknown-values.ts";
import { type Books, type BooksOptions, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { makeFill } from "../../support/make-fill.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { bytesOf, csvOf, packOf, WIDE } from "../pack.ts";
import { rowsIn, type TablesOptions, tablesOf } from "./make.ts";

const START = Date.UTC(2025, 0, 1);
const END = Date.UTC(2026, 0, 1);

function linesOf(books: Books, options: TablesOptions = {}): string[] {
  return rowsIn(tablesOf(books, options), "exceptions.csv").map(({ account: _, ...row }) =>
    Object.values(row).join(" | "),
  );
}

/** Lines about single fills. Lines about whole markets come after them. */
function fillLines(fills: readonly Fill[], options: BooksOptions & TablesOptions = {}): string[] {
  return linesOf(booksOf(fills, options), options).filter((line) => !/opening_|contract_type/.test(line));
}

function marketLines(books: Books, options: TablesOptions = {}): string[] {
  return linesOf(books, options).filter((line) => line.startsWith(" |  |  |"));
}

const sound = { matchId: "m1", orderId: "o1", market: "BTC-USD", fee: "0" };

describe("single fills", () => {
  test("fills that cannot be typed, in the words of archive/exceptions.ts", () => {
    const fill = makeFill({ ...sound, quantity: "1e30", liquidity: null });
    expect(fillLines([fill])).toEqual([
      "m1 | o1 | 2025-03-01T12:34:56.789Z | BTC-USD | quantity | not a decimal number with at most 20 digits before and 18 after the point; its exact text is in extra | 1e30",
      "m1 | o1 | 2025-03-01T12:34:56.789Z | BTC-USD | liquidity | missing | ",
      "m1 | o1 | 2025-03-01T12:34:56.789Z | BTC-USD |  | market_incomplete: this fill cannot be read as a trade; after it, PnL is not known until a position is declared | ",
    ]);
  });

  test("the two times on different sides of a border of the period: its first instant is included, its end is not", () => {
    const at = (filledAt: number | null, txCreated: number) => makeFill({ ...sound, filledAt, txCreated });
    const line = (created: string) =>
      `m1 | o1 | ${created} | BTC-USD | tx_created | cut-off: the fill was made in the period, but its transaction was created outside it | ${created}`;
    expect(fillLines([at(START, START - 1)])).toEqual([line("2024-12-31T23:59:59.999Z")]);
    expect(fillLines([at(END - 1, END)])).toEqual([line("2026-01-01T00:00:00.000Z")]);
    expect(fillLines([at(START, START), at(END - 1, END - 1), at(null, START)])).toEqual([]);
  });

  test("the same for a pack by the transaction's time", () => {
    const books = booksOf([makeFill({ ...sound, filledAt: START - 1, txCreated: START })], {
      timeOf: ({ txCreated }) => txCreated,
    });
    const basis = { ...books, context: { ...books.context, basis: "transaction" as const } };
    expect(linesOf(basis)[0]).toBe(
      "m1 | o1 | 2025-01-01T00:00:00.000Z | BTC-USD | filled_at | cut-off: the transaction was created in the period, but the fill was made outside it | 2024-12-31T23:59:59.999Z",
    );
    const cutOff = [makeFill({ ...sound, filledAt: START, txCreated: START - 1 })];
    expect(linesOf({ ...booksOf([]), context: basis.context }, { cutOff })).toEqual([
      "m1 | o1 | 2024-12-31T23:59:59.999Z | BTC-USD | tx_created | cut-off: the fill was made in the period, but its transaction was created outside it, so the fill is not in the pack | 2024-12-31T23:59:59.999Z",
    ]);
  });

  test("cut-off fills: outside the period, with their other time in it", () => {
    const cutOff = [
      makeFill({ ...sound, matchId: "before", filledAt: START - 1, txCreated: START }),
      makeFill({ ...sound, matchId: "after", filledAt: END, txCreated: END - 1 }),
    ];
    const reason =
      "cut-off: the transaction was created in the period, but the fill was made outside it and is not in the pack";
    expect(fillLines([], { cutOff })).toEqual([
      `before | o1 | 2025-01-01T00:00:00.000Z | BTC-USD | filled_at | ${reason} | 2024-12-31T23:59:59.999Z`,
      `after | o1 | 2025-12-31T23:59:59.999Z | BTC-USD | filled_at | ${reason} | 2026-01-01T00:00:00.000Z`,
    ]);
  });

  test("the two times more than 24 hours apart, either way", () => {
    const txCreated = START + 9 * DAY_MS;
    const apart = (ms: number) => makeFill({ ...sound, txCreated, filledAt: txCreated + ms });
    expect(fillLines([apart(DAY_MS), apart(-DAY_MS)])).toEqual([]);
    expect(fillLines([apart(DAY_MS + 1)])).toEqual([
      "m1 | o1 | 2025-01-10T00:00:00.000Z | BTC-USD | filled_at | filled_at and tx_created are more than 24 hours apart | 2025-01-11T00:00:00.001Z",
    ]);
    expect(fillLines([apart(-DAY_MS - 1)])).toHaveLength(1);
  });
});

describe("whole markets", () => {
  test("assumed contract types and opening positions", () => {
    const fills = ["A-USD", "B-USD", "C-USD", "D-USD"].flatMap((market) => fillsFrom("B1@1", { market }));
    const contractTypes = new Map([
      ["A-USD", "Vanilla"],
      ["C-USD", "Inverse"],
    ]);
    const declared = [
      { market: "D-USD", quantity: exactly("-1"), price: exactly("1"), asOf: START - 1, where: "line 2" },
    ];
    const books = booksOf(fills, { contractTypes, declared, isLinear: (market) => market !== "C-USD" });
    expect(marketLines(books).map((line) => line.replace(/^( \| ){3}/, "").replace(/: .*\|/, ":"))).toEqual([
      "A-USD |  | opening_assumed_flat: ",
      "B-USD |  | contract_type_assumed: ",
      "B-USD |  | opening_assumed_flat: ",
      "C-USD |  | unsupported_contract_type: Inverse",
      "C-USD | closes_with_unknown_pnl | unsupported_contract_type: 1",
      "D-USD |  | contract_type_assumed: ",
      "D-USD |  | opening_declared: -1",
    ]);
  });

  test("the opening is that of the period's start, said once: assumed before the first fill, declared, or not known", () => {
    const at = { quantity: exactly("1"), price: exactly("9"), where: "line 2" };
    const openings = (from: number, options: BooksOptions) =>
      marketLines(booksOf(fillsFrom("B1@1 S1@1", { from, stepMs: 2 * DAY_MS }), options))
        .map((line) => line.replace(/^( \| ){3}BTC-USDT \| {2}\| /, ""))
        .filter((line) => /^(opening|break|market)_[a-z_]+: /.test(line));
    const flat = "the position before the account's first fill in this market is assumed to be nil";
    // Fills from the account's beginning agree with the declaration.
    expect(openings(START - DAY_MS, { declared: [{ ...at, market: null, asOf: START }] })).toEqual([
      `opening_assumed_flat: ${flat}; fills alone cannot prove it | `,
    ]);
    const later = { ...at, market: "BTC-USDT", asOf: START + 9 * DAY_MS, breakFrom: START + 8 * DAY_MS };
    const unknown = "the position at the start of the period is not known: ";
    expect(openings(START, { fromBeginning: false, declared: [later] }).slice(1)).toEqual([
      `opening_unknown: ${unknown}the records do not start with the account, and no position was declared before | `,
    ]);
    const across = { ...later, breakFrom: START - DAY_MS / 2 };
    expect(openings(START - DAY_MS, { declared: [across] }).slice(1)).toEqual([
      `break_declared: ${unknown}fills before it are missing | `,
    ]);
  });

  test("a market whose position is unknown before the period, declared in it, and then unknown again", () => {
    const [a, b, c, d] = fillsFrom("B1@1 B1@1 B1@1 S1@1", { from: START - DAY_MS, stepMs: 2 * DAY_MS }) as Fill[];
    const broken = (fill: Fill | undefined) => ({ ...(fill as Fill), side: "hold" });
    const declared = [{ market: null, quantity: ZERO, price: null, asOf: START + 2 * DAY_MS, where: "line 2" }];
    const lines = linesOf(booksOf([broken(a), b as Fill, c as Fill, broken(d)], { declared }));
    expect(lines.filter((line) => line.includes("market_incomplete:")).map((line) => line.slice(0, 34))).toEqual([
      " |  |  | BTC-USDT |  | market_inco",
      "M4 | O4 | 2025-01-06T00:00:00.000Z",
      " |  |  | BTC-USDT | closes_with_un",
    ]);
  });

  test("a market with funding only has no assumptions", () => {
    const funding = [
      { time: START, market: "BTC-USDT", amount: exactly("0.000000000000000000000000000000000001"), currency: "USDT" },
    ];
    expect(linesOf(booksOf([], { funding }))).toEqual([]);
  });

  test("fills that share their time with a fill of the other side are counted", () => {
    const fills = fillsFrom("B1@100 =B1@101 B1@110 =S1@110 =S1@111 S1@112");
    expect(linesOf(booksOf(fills)).filter((line) => line.includes("ties"))).toEqual([
      " |  |  | BTC-USDT |  | ties: fills share their time with a fill of the other side, and the venue does not give their order; value: the number of these fills | 3",
    ]);
  });
});

describe("for the workbook and the report", () => {
  test("a thousand rows are kept, those about whole markets first; all are counted", () => {
    const fills = Array.from({ length: 1200 }, (_, at) =>
      makeFill({ ...sound, matchId: `m${at}`, liquidity: null, txCreated: START + at, filledAt: START + at }),
    );
    const { exceptions } = tablesOf(booksOf(fills), { cuts: [500, 900] });
    expect(exceptions.summary.count).toBe(1202);
    expect(exceptions.fills).toBe(1200);
    expect(exceptions.summary.ofFills).toBe(1200);
    expect(exceptions.summary.first).toHaveLength(1000);
    expect(
      exceptions.summary.first.slice(0, 3).map(({ reason, matchId }) => `${matchId} ${reason.split(":")[0]}`),
    ).toEqual(["null contract_type_assumed", "null opening_assumed_flat", "m0 missing"]);
  });

  test("a row that names a fill counts for that fill, also among those of its market", () => {
    const lost = makeFill({ ...sound, quantity: "1e30" });
    const { exceptions } = tablesOf(booksOf([lost]));
    const rows = exceptions.summary.first;
    expect(rows.map(({ reason }) => reason.split(":")[0])).toContain("market_incomplete");
    expect(exceptions.summary).toMatchObject({
      count: rows.length,
      ofFills: rows.filter(({ matchId }) => matchId === "m1").length,
    });
  });
});

test("fills of a market that is not ASCII have its characters by number", () => {
  expect(fillLines([makeFill({ ...sound, market: "CAFE\u0301-USD" })])[0]).toBe(
    "m1 | o1 | 2025-03-01T12:34:56.789Z | CAFE\u0301-USD | market | not a market name of 1 to 64 letters, digits and . _ -: CAFE\u0301[U+0301]-USD | CAFE\u0301-USD",
  );
});

// A field `rebate`, `feeCurrency: BNB`, `positionSide`, and a row with `fillType` `funding` change money unseen. The
// interface (2.2) shows `complete`; `limit` and `market`; `none`; `maker` and `taker`.

const REBATE =
  '2 fills have the field "rebate", which the venue\'s documentation does not name and fillbook does not book: it may be money; an example: "9.90"';
const FUNDING =
  '1 fill has the fill_type "funding", a value that the venue\'s documentation does not list; booked like any other fill, but it may be no trade';

const fills = fillsFrom("B1@100 B1@110 S1@130").map((fill, at) =>
  makeFill({ ...fill, ...(at === 2 ? { fillType: "funding" } : { extra: { rebate: at === 0 ? "9.90" : "1" } }) }),
);

test("are counted in exceptions.csv, one row a field or value, with an example", () => {
  const rows = rowsIn(tablesOf(booksOf(fills)), "exceptions.csv").filter(({ reason = "" }) => /^unknown_/.test(reason));
  expect(
    rows.map(({ match_id, order_id, column, reason, value }) => [match_id, order_id, column, reason, value]),
  ).toEqual([
    ["M1", "O1", "rebate", `unknown_field: ${REBATE}`, "9.90"],
    ["M3", "O3", "fill_type", `unknown_value: ${FUNDING}`, "funding"],
  ]);
});

test("come first among the points to note, and in what the terminal says", async () => {
  const store = memoryStore();
  const pack = await packOf(store, fills, {}, { from: 0, to: WIDE.to });
  expect(pack.notes.slice(0, 2)).toEqual([REBATE, FUNDING]);
  const page = bytesOf(store, pack, "report.html").toString().replaceAll("&quot;", '"').replaceAll("&#39;", "'");
  const points = page.slice(page.indexOf("Points to note"));
  expect(points.indexOf(REBATE)).toBeGreaterThan(0);
  expect(points.slice(0, points.indexOf(REBATE))).not.toContain("</li>");
  const columns = csvOf(store, pack, "exceptions.csv").map((row) => row[5]);
  expect(columns).toContain("rebate");
});

describe("the count", () => {
  const notesOf = (...all: readonly Parameters<UnknownValues["add"]>[]) => {
    const values = new UnknownValues();
    for (const one of all) {
      values.add(...one);
    }
    return values.notes(false);
  };

  test("has fills before the period too, since positions come from them", () => {
    const fill = makeFill({ extra: { positionSide: "LONG" } });
    expect(notesOf(["main", fill, true], ["main", fill])[0]).toMatch(/^2 fills \(1 before the period\) have the field/);
  });

  test.each([{ tradeType: "liquidation" }, { triggerType: "stop" }, { liquidity: "both" }])("%j", (value) => {
    expect(notesOf(["main", makeFill(value)])).toHaveLength(1);
  });

  test("has nothing that the interface shows, and nothing that is listed with its fill", () => {
    for (const liquidity of ["maker", "taker", null]) {
      for (const tradeType of ["limit", "market", null]) {
        expect(notesOf(["main", makeFill({ liquidity, tradeType, extra: { fees: {} } })])).toEqual([]);
      }
    }
  });

  test("is bounded for each column and for fields, so that none hides another, and says so", () => {
    const values = new UnknownValues();
    for (const at of Array.from({ length: 103 }, (_, place) => place)) {
      values.add("main", makeFill({ fillType: `type ${at}`, extra: { [`f${at % 99}`]: at } }));
    }
    values.add("main", makeFill({ fillType: "type 102", tradeType: "liquidation", extra: { realizedPnl: "-5000" } }));
    const [columns, notes] = [values.rows.map(({ column }) => column), values.notes(false)];
    expect(columns).toHaveLength(100 + 1 + 99 + 1 + 1);
    expect(notes).toHaveLength(columns.length);
    expect(columns).toEqual(expect.arrayContaining(["realizedPnl", "trade_type"]));
    expect(notes[100]).toMatch(
      /^up to 4 fills have the fill_type "type 100", or another than the 100 that are listed, a value/,
    );
    expect(notes.at(-1)).toContain('the trade_type "liquidation"');
  });
});
