import { describe, expect, test } from "vitest";
import { Accounts } from "../../../../lambda/accounting/accounts.ts";
import { Ties } from "../../../../lambda/accounting/ties.ts";
import type { PlainFill } from "../../../../lambda/core/plain-fill.ts";
import { planOf } from "../../../accounting/draw.ts";
import { type Books, type BooksOptions, booksOf, fillsFrom } from "../../../accounting/make.ts";
import { makeFill } from "../../../support/make-fill.ts";
import { rowsIn, type TablesOptions, tablesOf } from "./make.ts";

const START = Date.UTC(2025, 0, 1);
const END = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

function linesOf(books: Books, options: TablesOptions = {}): string[] {
  return rowsIn(tablesOf(books, options), "exceptions.csv").map((row) => Object.values(row).join(" | "));
}

/** Lines about single fills. Lines about whole markets come after them. */
function fillLines(fills: readonly PlainFill[], options: BooksOptions & TablesOptions = {}): string[] {
  return linesOf(booksOf(fills, options), options).filter((line) => !/opening_|contract_type/.test(line));
}

function marketLines(books: Books, options: TablesOptions = {}): string[] {
  return linesOf(books, options).filter((line) => line.startsWith(" |  |  |"));
}

const sound = { matchId: "m1", orderId: "o1", market: "BTC-USD", fee: "0" };

describe("single fills", () => {
  test("fills that cannot be typed, in the words of fills/exceptions.ts", () => {
    const fill = makeFill({ ...sound, quantity: "1e3", liquidity: null });
    expect(fillLines([fill])).toEqual([
      "m1 | o1 | 2025-03-01T12:34:56.789Z | BTC-USD | quantity | not a plain decimal of at most 20 digits before and 18 after the point: its exact text is in extra | 1e3",
      "m1 | o1 | 2025-03-01T12:34:56.789Z | BTC-USD | liquidity | missing | ",
      "m1 | o1 | 2025-03-01T12:34:56.789Z | BTC-USD |  | market_incomplete: from this fill on, which cannot be read as a trade, PnL is not known until a position is declared | ",
    ]);
  });

  test("the two times on different sides of a border of the period: its first instant is included, its end is not", () => {
    const at = (filledAt: number | null, txCreated: number) => makeFill({ ...sound, filledAt, txCreated });
    const line = (created: string) =>
      `m1 | o1 | ${created} | BTC-USD | tx_created | cut-off: filled in the period, but its transaction was created outside of it | ${created}`;
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
      "m1 | o1 | 2025-01-01T00:00:00.000Z | BTC-USD | filled_at | cut-off: its transaction was created in the period, but it was filled outside of it | 2024-12-31T23:59:59.999Z",
    );
    const cutOff = [makeFill({ ...sound, filledAt: START, txCreated: START - 1 })];
    expect(linesOf({ ...booksOf([]), context: basis.context }, { cutOff })).toEqual([
      "m1 | o1 | 2024-12-31T23:59:59.999Z | BTC-USD | tx_created | cut-off: filled in the period, but its transaction was created outside of it, and it is not in the pack | 2024-12-31T23:59:59.999Z",
    ]);
  });

  test("cut-off fills: outside the period, with their other time in it", () => {
    const cutOff = [
      makeFill({ ...sound, matchId: "before", filledAt: START - 1, txCreated: START }),
      makeFill({ ...sound, matchId: "after", filledAt: END, txCreated: END - 1 }),
      makeFill({ ...sound, matchId: "out", filledAt: END, txCreated: END }),
      makeFill({ ...sound, matchId: "own", filledAt: START, txCreated: START }),
      makeFill({ ...sound, matchId: "old", filledAt: null, txCreated: END }),
    ];
    const reason =
      "cut-off: its transaction was created in the period, but it was filled outside of it, and is not in the pack";
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
      "m1 | o1 | 2025-01-10T00:00:00.000Z | BTC-USD | filled_at | more than 24 hours lie between it and tx_created | 2025-01-11T00:00:00.001Z",
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
      { market: "D-USD", quantity: -(10n ** 18n), price: 10n ** 18n, asOf: START - 1, where: "line 2" },
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

  test("closes without PnL are counted by reason", () => {
    const [a, b, c, d] = fillsFrom("S1@1 S1@1 B1@1 B1@1") as [PlainFill, PlainFill, PlainFill, PlainFill];
    const books = booksOf([a, b, { ...c, price: null }, d], { fromBeginning: false });
    expect(marketLines(books).map((line) => line.replace(/^( \| ){3}/, "").replace(/: .*\|/, ":"))).toEqual([
      "BTC-USDT |  | contract_type_assumed: ",
      "BTC-USDT |  | opening_unknown: ",
      "BTC-USDT | closes_with_unknown_pnl | opening_unknown: 2",
      "BTC-USDT | closes_with_unknown_pnl | market_incomplete: 1",
    ]);
    expect(linesOf(books)).toContain(
      "M3 | O3 | 2025-03-01T14:00:00.000Z | BTC-USDT |  | market_incomplete: from this fill on, which cannot be read as a trade, PnL is not known until a position is declared | ",
    );
  });

  test("a market whose position is unknown before the period, declared in it, and then unknown again", () => {
    const [a, b, c, d] = fillsFrom("B1@1 B1@1 B1@1 S1@1", { from: START - DAY_MS, stepMs: 2 * DAY_MS }) as PlainFill[];
    const broken = (fill: PlainFill | undefined) => ({ ...(fill as PlainFill), side: "hold" });
    const declared = [{ market: null, quantity: 0n, price: null, asOf: START + 2 * DAY_MS, where: "line 2" }];
    const lines = linesOf(booksOf([broken(a), b as PlainFill, c as PlainFill, broken(d)], { declared }));
    expect(lines.filter((line) => line.includes("market_incomplete:")).map((line) => line.slice(0, 34))).toEqual([
      " |  |  | BTC-USDT |  | market_inco",
      "M4 | O4 | 2025-01-06T00:00:00.000Z",
      " |  |  | BTC-USDT | closes_with_un",
    ]);
  });

  test("a market with funding only has no assumptions", () => {
    const funding = [{ time: START, market: "BTC-USDT", amount: 1n, currency: "USDT" }];
    expect(linesOf(booksOf([], { funding }))).toEqual([]);
  });

  // T18: B1@100, then B1@110 and S1@110 at one time: average 5 or 10, LIFO 0 or 10.
  test("T18, figures that depend on the order of ties", () => {
    const fills = fillsFrom("B1@100/1 B1@110 =S1@110");
    const plan = planOf("lifo");
    const ties = new Ties(plan, new Accounts(plan));
    expect([...ties.book(fills, fills.length)].flat()).toHaveLength(3);
    const lines = linesOf(booksOf(fills, { method: "lifo" }), { ties: ties.markets });
    const reason = "ties: 2 fills share their time with another, and their order is not known; in reverse order";
    expect(lines.filter((line) => line.includes("ties"))).toEqual([
      ` |  |  | BTC-USDT | gross_pnl | ${reason} LIFO gives another figure | 0 in the order of fills.csv, 10 in reverse`,
      ` |  |  | BTC-USDT | fees_recognised | ${reason} LIFO gives another figure | 0 in the order of fills.csv, 1 in reverse`,
      ` |  |  | BTC-USDT | gross_pnl | ${reason} Average cost gives another figure | 5 in the order of fills.csv, 10 in reverse`,
      ` |  |  | BTC-USDT | fees_recognised | ${reason} Average cost gives another figure | 0.5 in the order of fills.csv, 1 in reverse`,
    ]);
    const [tied] = ties.markets;
    const refused = linesOf(booksOf(fills), { ties: tied === undefined ? [] : [{ ...tied, reversible: false }] });
    expect(refused.at(-1)).toContain("matches.csv names lots that are not open in reverse order");
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
    const lost = makeFill({ ...sound, quantity: "1e3" });
    const { exceptions } = tablesOf(booksOf([lost]));
    const rows = exceptions.summary.first;
    expect(rows.map(({ reason }) => reason.split(":")[0])).toContain("market_incomplete");
    expect(exceptions.summary).toMatchObject({
      count: rows.length,
      ofFills: rows.filter(({ matchId }) => matchId === "m1").length,
    });
  });
});

describe("markets that look the same", () => {
  const ofMarket = (market: string, matchId: string) => makeFill({ ...sound, market, matchId });
  const aboutLooks = (fills: readonly PlainFill[]) =>
    marketLines(booksOf(fills)).filter((line) => line.includes("looks_alike"));
  const reason =
    "looks_alike: the name of another market looks the same; value: this name and the other, with the numbers of their signs";

  test.each([
    ["CAF\u00C9-USD", "CAFE\u0301-USD", "CAF\u00C9[U+00C9]-USD", "CAFE\u0301[U+0301]-USD"],
    ["BTC-USD", "\u0412TC-USD", "BTC-USD", "\u0412[U+0412]TC-USD"],
    ["SOL-USD", "S0L-USD", "SO[U+004F]L-USD", "S0[U+0030]L-USD"],
  ])("%s and %s are both noted, with the numbers of their signs", (one, other, oneSpelt, otherSpelt) => {
    const lines = aboutLooks([ofMarket(one, "m1"), ofMarket(other, "m2"), ofMarket("ETH-USD", "m3")]);
    expect(lines.toSorted()).toEqual(
      [
        ` |  |  | ${one} |  | ${reason} | ${oneSpelt}, and not ${otherSpelt}`,
        ` |  |  | ${other} |  | ${reason} | ${otherSpelt}, and not ${oneSpelt}`,
      ].toSorted(),
    );
  });

  test("fills of a market that is not ASCII have its characters by number; usual markets have no note", () => {
    expect(fillLines([ofMarket("CAFE\u0301-USD", "m1")])[0]).toBe(
      "m1 | o1 | 2025-03-01T12:34:56.789Z | CAFE\u0301-USD | market | not a market name of 1 to 64 letters, digits and . _ -: CAFE\u0301[U+0301]-USD | CAFE\u0301-USD",
    );
    expect(aboutLooks([ofMarket("BTC-USD", "m1"), ofMarket("BTC-USDC", "m2"), ofMarket("btc-USD", "m3")])).toEqual([]);
  });
});
