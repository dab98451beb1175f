import type { Decimal } from "decimal.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { Booked, RoundTrip } from "../../../lambda/accounting/booked.ts";
import type { Holding } from "../../../lambda/accounting/holdings.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import { localTime } from "../../../lambda/core/period.ts";
import { pageOf } from "../books.ts";
import { carriedOf, currencyOf, Exact, exact, monthOf, plain, type Sums, sumsOf, total } from "../sums.ts";
import { CASES, type Case } from "./cases.ts";
import { NO_READER, type ReadPage, readPages, rowsOf } from "./read.ts";

const pages = new Map<string, ReadPage>();

/** The number that ends the ids of a currency's tables. */
function currenciesOf(page: ReadPage): [currency: string, number: string][] {
  return page.tables
    .filter(({ id }) => id.startsWith("statement-"))
    .map(({ id, currency }) => [currency ?? "", id.slice("statement-".length)]);
}

/** PnL as the page must show it. An unknown amount is not zero. */
function result(amount: Decimal, { untyped, blank, closes }: Sums): string {
  return untyped + blank > 0 && closes === 0 ? "not known" : plain(amount);
}

type Result = Pick<Sums, "gross" | "fees">;

function netOf({ gross, fees }: Result): Decimal {
  return gross.minus(fees);
}

/** Payments in the user's file; null: there is no file. */
function fundingOf(
  { books: { own } }: Case,
  currency: string,
  isMeant: (payment: { readonly time: number; readonly market: string | null }) => boolean = () => true,
): Decimal | null {
  const paid = own.funding?.filter((payment) => payment.currency === currency && isMeant(payment));
  return paid === undefined ? null : total(paid.map(({ amount }) => exact(amount)));
}

/** Fees of markets with some unknown PnL; null: there are none. */
function feesWithoutPnl(booked: readonly Booked[]): string | null {
  const unknown = [...Map.groupBy(booked, ({ fill }) => fill.market).values()]
    .map(sumsOf)
    .filter(({ untyped, blank }) => untyped + blank > 0);
  return unknown.length === 0 ? null : plain(total(unknown.map(({ paid, rebates }) => paid.plus(rebates))));
}

/** Carried over a border in one currency. Not known if it is not known of one market. */
function carried(one: Case, currency: string, side: "before" | "after") {
  const markets = one.books.holdings.filter(({ market }) => market.endsWith(`-${currency}`));
  const held = carriedOf(markets, side);
  const shown = (of: "value" | "fees") => [held.isKnown ? plain(held[of]) : "not known", ""];
  return { value: shown("value"), fees: shown("fees") };
}

/** The net PnL of each match. */
function netsOf({ realised, trade }: Booked): Decimal[] {
  return (realised?.matches ?? []).map(({ openValue, closeValue, openFee, closeFee }) =>
    exact(closeValue)
      .minus(exact(openValue))
      .times(trade?.sign === 1 ? -1 : 1)
      .minus(exact(openFee))
      .minus(exact(closeFee)),
  );
}

/** The figures of the first page. */
function statementOf(one: Case, currency: string): Record<string, string[]> {
  const sums = sumsOf(one.books.booked.filter((fill) => currencyOf(fill) === currency));
  const funding = fundingOf(one, currency);
  const [start, end] = [carried(one, currency, "before"), carried(one, currency, "after")];
  // The method of the statement, and the one for comparison.
  const both = (of: (one: Result) => Decimal) => [sums, sums.compared].map((one) => result(of(one), sums));
  const nets = one.books.booked.filter((fill) => currencyOf(fill) === currency).flatMap(netsOf);
  const sumOf = (isMeant: (net: Decimal) => boolean) => [result(total(nets.filter(isMeant)), sums), ""];
  return {
    gross_pnl: both(({ gross }) => gross),
    fees_recognised: both(({ fees }) => fees),
    realised_pnl_net_of_fees_excl_funding: both(netOf),
    gains: sumOf((net) => net.gt(0)),
    losses: sumOf((net) => net.lt(0)),
    ...(funding === null
      ? {}
      : {
          funding: [plain(funding), plain(funding)],
          realised_pnl_net_incl_funding: both((own) => netOf(own).plus(funding)),
        }),
    open_value_at_start: start.value,
    open_value_at_end: end.value,
    deferred_fees_at_start: start.fees,
    deferred_fees_at_end: end.fees,
    net_fees: [plain(sums.paid.plus(sums.rebates)), ""],
  };
}

/** For a month or a market: fills, volume and fees as charged, funding, then PnL. */
function breakdownCells(sums: Sums, funding: Decimal | null): string[] {
  return [
    grouped(sums.fills),
    plain(sums.volume),
    plain(sums.paid.plus(sums.rebates)),
    ...(funding === null ? [] : [plain(funding)]),
    result(sums.gross, sums),
    result(sums.fees, sums),
    result(netOf(sums).plus(funding ?? 0), sums),
  ];
}

/** Whether PnL and holdings are known throughout the period. */
function isFollowed({ before, after }: Holding, { untyped, blank }: Sums): boolean {
  return before.blank === null && after.blank === null && untyped + blank === 0 && before.position !== null;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

describe.skipIf(NO_READER !== "")(`the page, read by html5lib${NO_READER}`, () => {
  beforeAll(async () => {
    const read = await readPages(CASES.map((one) => pageOf(one.books, one)));
    for (const [at, { name }] of CASES.entries()) {
      pages.set(name, read[at] as ReadPage);
    }
  });

  function pageNamed(name: string): ReadPage {
    return pages.get(name) as ReadPage;
  }

  describe.each(CASES)("$name", ({ name }) => {
    test("runs no script, and sends no requests", () => {
      const { elements, attributes } = pageNamed(name);
      const active = ["script", "link", "img", "iframe", "object", "embed", "form", "base", "svg:script", "svg:image"];
      expect(active.filter((element) => element in elements)).toEqual([]);
      expect(attributes.filter(([, key]) => /^on|^src|^style$|^ping$|href$/.test(key) && key !== "href")).toEqual([]);
      expect(attributes.filter(([, , value]) => /[a-z]+:\/\/|url\((?!#)|javascript:|@import/i.test(value))).toEqual([]);
    });

    test("links only to existing targets, and has unique ids", () => {
      const { ids, attributes } = pageNamed(name);
      expect(new Set(ids).size).toBe(ids.length);
      const links = attributes.filter(([, key]) => key === "href").map(([, , value]) => value);
      const labels = attributes
        .filter(([, key]) => key === "aria-labelledby")
        .flatMap(([, , value]) => value.split(" "));
      const fills = attributes
        .filter(([, key]) => key === "fill")
        .map(([, , value]) => value.slice("url(#".length, -1));
      expect(links.every((link) => link.startsWith("#"))).toBe(true);
      const known = new Set(ids);
      const missing = [...links.map((link) => link.slice(1)), ...labels, ...fills].filter((id) => !known.has(id));
      expect(missing).toEqual([]);
    });

    test("has its landmarks, one title and all sections", () => {
      const { elements, lang, title } = pageNamed(name);
      expect(lang).toBe("en");
      const wanted = { html: 1, title: 1, style: 1, header: 1, nav: 1, main: 1, footer: 1, h1: 1 };
      expect(elements).toMatchObject(wanted);
      const { converter, books } = CASES.find((one) => one.name === name) as Case;
      expect(elements["section"]).toBe(converter ? 9 : 8);
      expect(title).toMatch(/^(?:INCOMPLETE: )?Trading statement: account /);
      expect(title).toContain(books.own.funding === null ? "excl. funding" : "incl. funding");
    });

    test("gives every table a caption and marked head cells", () => {
      for (const { id, captions, rows } of pageNamed(name).tables) {
        expect([id, captions.length]).toEqual([id, 1]);
        const scopes = rows.flatMap(({ part, cells }) =>
          cells.flatMap((cell, at) => (cell.name === "th" || at === 0 ? [[part, cell.name, cell.scope]] : [])),
        );
        const heads = scopes.filter(([part]) => part === "thead");
        expect(heads.every(([, element, scope]) => element === "th" && /^col(group)?$/.test(scope ?? ""))).toBe(true);
        const others = scopes.filter(([part]) => part !== "thead");
        expect(others.every(([, element, scope]) => element === "th" && scope === "row")).toBe(true);
        const widths = new Set(rows.filter(({ part }) => part !== "thead").map(({ cells }) => cells.length));
        expect(widths.size).toBeLessThanOrEqual(1);
      }
    });

    test("describes every drawing, with its currency and what it omits", () => {
      const { drawings, tables } = pageNamed(name);
      const currencies = new Set(tables.flatMap(({ currency }) => (currency === null ? [] : [currency])));
      for (const { role, labelledby, texts } of drawings) {
        expect(role).toBe("img");
        const [title, description] = labelledby.map((id) => texts[id]);
        expect([title?.[0], description?.[0]]).toEqual(["svg:title", "svg:desc"]);
        expect(title?.[1]).toMatch(/PnL.*excl\. funding$/);
        expect([...currencies].some((currency) => title?.[1].includes(currency))).toBe(true);
        expect(description?.[1]).toMatch(/table by month|summary-days\.csv/);
      }
      expect(drawings.length).toBe(pageNamed(name).elements["figure"] ?? 0);
    });
  });

  test("an incomplete statement is marked everywhere", () => {
    const page = pageNamed("an incomplete year");
    expect(page.title).toMatch(/^INCOMPLETE/);
    expect(page.text).toContain("INCOMPLETE. Do not file from this statement.");
    expect(page.text).toContain("1 range of time could not be read");
    expect(page.text).toContain("requested in ranges of up to 7 days.");
    expect(page.text).toContain("Fills of the account that the venue no longer reports: 3.");
    expect(page.text).toContain("INCOMPLETE-summary.csv".replace("summary", "exceptions"));
    const [traded] = CASES;
    expect(pageNamed(traded?.name ?? "").text).not.toContain("INCOMPLETE");
  });

  test("an empty year has all sections, and no drawing", () => {
    const page = pageNamed("a year with nothing in it");
    expect(page.drawings).toEqual([]);
    expect(page.text).toContain("This period has no fills and no open position.");
    expect(rowsOf(page, "controls").get("fills_counted")?.slice(2)).toEqual(["0", "0", "yes"]);
  });

  describe.each(CASES)("amounts of $name", (one) => {
    const { booked, holdings, months: all, own: given, context } = one.books;

    test("every number is exact or the nearest cent, and tells which", () => {
      const data = pageNamed(one.name).tables.flatMap(({ rows }) =>
        rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.data)),
      );
      for (const { value, text, title } of data) {
        const shown = text.replaceAll(",", "").replace("−", "-").replace("+", "");
        const rounded = [new Exact(value).toFixed(2), plain(new Exact(value).toDecimalPlaces(8))];
        if (title === null) {
          expect(bare(shown)).toBe(value);
        } else {
          expect(title).toBe(value);
          expect(rounded.map((one) => one.replace(/^-(?=[0.]*$)/, ""))).toContain(shown);
        }
      }
    });

    test("the statement of each currency, and its results by the other method", () => {
      const page = pageNamed(one.name);
      const currencies = currenciesOf(page);
      expect(new Set(currencies.map(([name]) => name))).toEqual(
        new Set(holdings.map(({ currency }) => currency).filter((name) => name !== "")),
      );
      for (const [currency, number] of currencies) {
        const own = booked.filter((fill) => currencyOf(fill) === currency);
        const { "fees-unknown": unknownFees, ...figures } = Object.fromEntries(rowsOf(page, `statement-${number}`));
        expect(figures).toEqual(statementOf(one, currency));
        // A market with a break may have full PnL in every fill, but fills are still missing.
        if (!given.breaks.some(({ market }) => market.endsWith(`-${currency}`))) {
          const fees = feesWithoutPnl(own);
          expect(unknownFees).toEqual(fees === null ? undefined : [fees, ""]);
        }
      }
    });

    test.each(["month", "market"] as const)("volume, fees and PnL by %s", (group) => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const own = booked.filter((fill) => currencyOf(fill) === currency);
        const keyOf = (fill: Booked) =>
          group === "month" ? monthOf(fill, context.period.zone) : (fill.fill.market ?? "");
        const groups = Map.groupBy(own, keyOf);
        const months = group === "month" ? all.map(({ name }) => name) : [];
        const names = [...new Set([...months, ...groups.keys()])];
        const funding = (name: string) =>
          fundingOf(one, currency, ({ time, market }) =>
            group === "month" ? monthOf({ time }, context.period.zone) === name : market === name,
          );
        const expected = [
          ...names.map((name) => [name, breakdownCells(sumsOf(groups.get(name) ?? []), funding(name))] as const),
          ["total", breakdownCells(sumsOf(own), fundingOf(one, currency))] as const,
        ];
        const rows = rowsOf(page, `${group}s-${number}`);
        expect(expected.map(([name]) => [name, rows.get(name)])).toEqual(expected);
      }
    });

    test("the largest drawdown is that of the days", () => {
      const page = pageNamed(one.name);
      for (const [currency] of currenciesOf(page)) {
        const own = booked.filter((fill) => currencyOf(fill) === currency);
        if (result(new Exact(0), sumsOf(own)) === "not known") {
          expect(page.text).toContain(`Cumulative realised PnL, ${currency}, excl. funding: not known.`);
          continue;
        }
        const typed = own.filter(({ trade }) => trade !== null);
        const days = Map.groupBy(typed, ({ time }) => localTime(time, context.period.zone).slice(0, 10));
        let [cumulative, maximum] = [new Exact(0), new Exact(0)];
        const drawdowns = [...days].map(([day, fills]) => {
          cumulative = cumulative.plus(netOf(sumsOf(fills)));
          maximum = Exact.max(cumulative, maximum);
          return { day, drawdown: cumulative.minus(maximum) };
        });
        const [deepest] = drawdowns.toSorted((a, b) => a.drawdown.cmp(b.drawdown));
        expect(page.text).toContain(
          deepest === undefined || deepest.drawdown.isZero() ? "No drawdown." : `, at the end of ${deepest.day}.`,
        );
      }
    });

    test("positions, cash and fees of each market are controlled, with both sides", () => {
      const rows = rowsOf(pageNamed(one.name), "controls");
      const fills = Map.groupBy(booked, ({ fill }) => fill.market);
      for (const held of holdings) {
        const { market, currency, before, after } = held;
        const sums = sumsOf(fills.get(market) ?? []);
        const of = (control: string) => rows.get(`${control} main ${market} ${currency}`)?.slice(2, 5) ?? null;
        if (!isFollowed(held, sums) || given.breaks.some((own) => own.market === market) || of("position") === null) {
          continue;
        }
        const way = exact(before.position ?? ZERO)
          .plus(sums.bought)
          .minus(sums.sold);
        expect(way.equals(exact(after.position ?? ZERO)), market).toBe(true);
        const [start, end] = [carriedOf([held], "before"), carriedOf([held], "after")];
        const cash = sums.gross.plus(start.value).minus(end.value);
        expect(cash.equals(sums.cash), market).toBe(true);
        const fees = start.fees.plus(sums.paid).plus(sums.rebates);
        for (const [control, side] of [
          ["position", way],
          ["cash_flow", cash],
          ["fees_carried", fees],
        ] as const) {
          expect([control, of(control)]).toEqual([control, [plain(side), plain(side), "yes"]]);
        }
      }
    });

    test("the largest gains and losses among all round trips", () => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const trips = booked.flatMap(({ trip }) => (trip?.currency === currency ? [trip] : []));
        const gains = trips.filter(({ gross }) => gross.gt(ZERO)).toSorted((a, b) => compare(b, a));
        const losses = trips.filter(({ gross }) => gross.lt(ZERO)).toSorted(compare);
        expect(tripsOf(page, `gains-${number}`)).toEqual(gains.slice(0, 5).map(tripCells));
        expect(tripsOf(page, `losses-${number}`)).toEqual(losses.slice(0, 5).map(tripCells));
        if (trips.length > 0) {
          const many = `${grouped(trips.length)} closed trade${trips.length === 1 ? "" : "s"}`;
          expect(page.text).toContain(
            `${many}: ${grouped(gains.length)} with a gain and ${grouped(losses.length)} with a loss, before fees.`,
          );
        }
      }
    });
  });

  test("unknown amounts are never zero", () => {
    const { name } = CASES[2] as Case;
    const page = pageNamed(name);
    const [, number = ""] = currenciesOf(page).find(([currency]) => currency === "USD") ?? [];
    const markets = rowsOf(page, `markets-${number}`);
    expect(markets.get("DOGE-USD")?.slice(4)).toEqual(Array.from({ length: 3 }, () => "not known"));
    expect(markets.get("ETH-USD")).not.toContain("not known");
    expect(page.text).toMatch(/DOGE-USD: PnL of \d+ fills could not be calculated, because /);
    expect(page.text).toContain("one of its fills cannot be read as a trade");
    expect(page.text).toContain("its opening position is not known");
    expect(page.text).toContain("its opening position was declared without a price");
    const nothing = pageNamed((CASES[3] as Case).name);
    for (const [, at] of currenciesOf(nothing)) {
      const summary = rowsOf(nothing, `statement-${at}`);
      for (const key of ["gross_pnl", "fees_recognised", "realised_pnl_net_of_fees_excl_funding"]) {
        expect(summary.get(key)).toEqual(["not known", "not known"]);
      }
      for (const key of ["open_value_at_start", "open_value_at_end"]) {
        expect(summary.get(key)).toEqual(["not known", ""]);
      }
    }
  });

  test("converted amounts have one total", () => {
    const page = pageNamed((CASES[2] as Case).name);
    const rows = [...rowsOf(page, "converted-table")].filter(([name]) => name !== "total");
    const known = (text = "") => (/^-?[\d.]+$/.test(text) ? new Exact(text) : new Exact(0));
    const sums = [1, 2, 3, 4, 5, 6].map((at) => plain(total(rows.map(([, cells]) => known(cells[at])))));
    expect(rowsOf(page, "converted-table").get("total")).toEqual(["", ...sums]);
    const uses = [...rowsOf(page, "rates-table").values()];
    expect(uses.map((cells) => cells.filter((_, at) => at !== 2))).toEqual([
      ["2025-04", "2", "HMRC monthly"],
      ["2025-04", "2", "HMRC monthly"],
    ]);
  });
});

function bare(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** By PnL, the smaller first. */
function compare(a: RoundTrip, b: RoundTrip): number {
  return exact(a.gross).comparedTo(exact(b.gross));
}

/** Quantity and amounts of the trades in a table that may be missing. */
function tripsOf(page: ReadPage, id: string): string[][] {
  return page.tables.some((own) => own.id === id)
    ? [...rowsOf(page, id).values()].map((cells) => cells.slice(1, 7))
    : [];
}

function tripCells({ quantity, openValue, closeValue, gross, fees }: RoundTrip): string[] {
  return [quantity, openValue, closeValue, gross, fees, gross.minus(fees)].map(exact).map(plain);
}
