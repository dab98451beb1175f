import type { Decimal } from "decimal.js";
import { beforeAll, describe, expect, test } from "vitest";
import type { RoundTrip } from "../../../../lambda/accounting/booked.ts";
import type { MethodRole } from "../../../../lambda/accounting/method.ts";
import type { MarketStatement } from "../../../../lambda/accounting/statement.ts";
import { localTime } from "../../../../lambda/core/period.ts";
import { pageOf } from "../books.ts";
import {
  carriedOf,
  currencyOf,
  Exact,
  exact,
  monthOf,
  orderOf,
  plain,
  type Sums,
  sumsOf,
  total,
  units,
} from "../sums.ts";
import { CASES, type Case } from "./cases.ts";
import { NO_READER, type ReadPage, readPages, rowsOf } from "./read.ts";

const pages = new Map<string, ReadPage>();

/** The number that ends the ids of a currency's tables. */
function currenciesOf(page: ReadPage): [currency: string, number: string][] {
  return page.tables
    .filter(({ id }) => id.startsWith("summary-"))
    .map(({ id, currency }) => [currency ?? "", id.slice("summary-".length)]);
}

/** A result as the page must give it: what is not known is no zero. */
function result(amount: Decimal, { untyped, blank, closes }: Sums): string {
  return untyped + blank > 0 && closes === 0 ? "not known" : plain(amount);
}

function netOf({ gross, fees }: Sums, role: MethodRole): Decimal {
  return gross[role].minus(fees[role]);
}

function by({ books }: Case, of: (role: MethodRole) => string): string[] {
  return orderOf(books).map(of);
}

/** Carried over a border in one currency: of what is known, and whether that is all. */
function carried(one: Case, currency: string, side: "before" | "after") {
  const markets = one.books.statement.markets.filter(({ market }) => market.endsWith(`-${currency}`));
  const shown = (of: "value" | "fees") =>
    by(one, (role) => {
      const held = carriedOf(markets, side, role);
      return held[of].isZero() && !held.isKnown ? "not known" : plain(held[of]);
    });
  return { value: shown("value"), fees: shown("fees") };
}

function resultCells({ books }: Case, sums: Sums): string[] {
  return orderOf(books).flatMap((role) => [
    result(sums.gross[role], sums),
    result(sums.fees[role], sums),
    result(netOf(sums, role), sums),
  ]);
}

/** Of a market whose results are all known: position, total of both methods, sold less bought, and the way from one position to the other. */
function checksOf({ before, after }: MarketStatement, { untyped, blank, bought, sold, cash }: Sums) {
  const { position } = after;
  const shown = position === null ? "not known" : plain(units(position));
  const isKnown = before.blank === null && after.blank === null && untyped + blank === 0 && before.position !== null;
  if (!isKnown || position === null) {
    return [shown, "cannot be checked"];
  }
  const way = [units(before.position), bought, sold, units(position)].map(plain);
  return [shown, plain(cash), plain(cash), [...way, "✓ equal"]];
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

describe.skipIf(NO_READER !== "")(`the page, read by html5lib${NO_READER}`, () => {
  beforeAll(async () => {
    const read = await readPages(await Promise.all(CASES.map((one) => pageOf(one.books, one))));
    for (const [at, { name }] of CASES.entries()) {
      pages.set(name, read[at] as ReadPage);
    }
  });

  function pageNamed(name: string): ReadPage {
    return pages.get(name) as ReadPage;
  }

  describe.each(CASES)("$name", ({ name }) => {
    test("runs nothing, and asks nobody for anything", () => {
      const { elements, attributes } = pageNamed(name);
      const active = ["script", "link", "img", "iframe", "object", "embed", "form", "base", "svg:script", "svg:image"];
      expect(active.filter((element) => element in elements)).toEqual([]);
      expect(attributes.filter(([, key]) => /^on|^src|^style$|^ping$|href$/.test(key) && key !== "href")).toEqual([]);
      expect(attributes.filter(([, , value]) => /[a-z]+:\/\/|url\((?!#)|javascript:|@import/i.test(value))).toEqual([]);
    });

    test("links and names only what it has, once", () => {
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

    test("has its landmarks, one title and 16 parts", () => {
      const { elements, lang, title } = pageNamed(name);
      expect(lang).toBe("en");
      const wanted = { html: 1, title: 1, style: 1, header: 1, nav: 1, main: 1, footer: 1, h1: 1, section: 15 };
      expect(elements).toMatchObject(wanted);
      expect(title).toContain("excl. funding");
    });

    test("says of every table what it is, and which cells are heads", () => {
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

    test("describes every drawing, with its currency and what it leaves out", () => {
      const { drawings, tables } = pageNamed(name);
      const currencies = new Set(tables.flatMap(({ currency }) => (currency === null ? [] : [currency])));
      for (const { role, labelledby, texts } of drawings) {
        expect(role).toBe("img");
        const [title, description] = labelledby.map((id) => texts[id]);
        expect([title?.[0], description?.[0]]).toEqual(["svg:title", "svg:desc"]);
        expect(title?.[1]).toContain("excl. funding");
        expect([...currencies].some((currency) => title?.[1].includes(currency))).toBe(true);
        expect(description?.[1]).toMatch(/[Tt]able beneath/);
      }
      expect(drawings.length).toBe(pageNamed(name).elements["figure"] ?? 0);
    });
  });

  test("an incomplete statement says so wherever one may look", () => {
    const page = pageNamed("an incomplete year");
    expect(page.title).toMatch(/^INCOMPLETE/);
    expect(page.text).toContain("INCOMPLETE. Do not file from this statement.");
    expect(page.text).toContain("1 stretch of time not read");
    expect(page.text).toContain("No fills were reported between 2015-01-01 and 2025-10-03.");
    expect(page.text).toContain("asked for in ranges of up to 87 days;");
    expect(page.text).toContain("INCOMPLETE-summary.csv".replace("summary", "exceptions"));
    const [traded] = CASES;
    expect(pageNamed(traded?.name ?? "").text).not.toContain("INCOMPLETE");
  });

  test("a year with nothing in it has all parts, and no drawing", () => {
    const page = pageNamed("a year with nothing in it");
    expect(page.drawings).toEqual([]);
    expect(page.text).toContain("There is nothing in this period: no fill, and no open position.");
    expect(page.text).toContain("Fills in the totals: 0. Fills in the completeness proof: 0. ✓ equal");
  });

  describe.each(CASES)("amounts of $name", (one) => {
    const { booked, statement, context } = one.books;

    test("every number is the exact one, or begins it", () => {
      const data = pageNamed(one.name).tables.flatMap(({ rows }) =>
        rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.data)),
      );
      for (const { value, text, title, class: classes } of data) {
        const plain = text.replaceAll(",", "").replace("−", "-").replace("+", "");
        const isCut = classes.split(" ").includes("cut");
        expect(isCut ? [title, value.startsWith(plain)] : [title, bare(plain)]).toEqual(
          isCut ? [value, true] : [null, value],
        );
        expect(/[1-9]/.test(plain)).toBe(/[1-9]/.test(value)); // what is not zero does not look like it
        expect(text.includes("−")).toBe(value.startsWith("-"));
      }
    });

    test("the summary of each currency, by both methods", () => {
      const page = pageNamed(one.name);
      const currencies = currenciesOf(page);
      expect(new Set(currencies.map(([name]) => name))).toEqual(
        new Set(statement.markets.map(({ currency }) => currency).filter((name) => name !== "")),
      );
      for (const [currency, number] of currencies) {
        const sums = sumsOf(booked.filter((fill) => currencyOf(fill) === currency));
        const fees = sums.paid.plus(sums.rebates);
        const payments = context.funding?.filter((payment) => payment.currency === currency);
        const funding = total(payments?.map(({ amount }) => exact(amount)) ?? []);
        expect(Object.fromEntries(rowsOf(page, `summary-${number}`))).toEqual({
          gross: by(one, (role) => result(sums.gross[role], sums)),
          recognised: by(one, (role) => result(sums.gross[role].minus(netOf(sums, role)), sums)),
          net: by(one, (role) => result(netOf(sums, role), sums)),
          paid: by(one, () => plain(sums.paid)),
          rebates: by(one, () => plain(sums.rebates)),
          fees: by(one, () => plain(fees)),
          expensed: by(one, (role) => result(sums.gross[role].minus(fees), sums)),
          ...(payments === undefined
            ? {}
            : {
                funding: by(one, () => plain(funding)),
                "net-funding": by(one, (role) => result(netOf(sums, role).plus(funding), sums)),
                "expensed-funding": by(one, (role) => result(sums.gross[role].minus(fees).plus(funding), sums)),
              }),
          "open-start": carried(one, currency, "before").value,
          "open-end": carried(one, currency, "after").value,
          "deferred-start": carried(one, currency, "before").fees,
          "deferred-end": carried(one, currency, "after").fees,
        });
      }
    });

    test.each(["month", "market"] as const)("results, fees and volume by %s", (group) => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const own = booked.filter((fill) => currencyOf(fill) === currency);
        const groups = Map.groupBy(own, (fill) =>
          group === "month" ? monthOf(fill, context.period.zone) : (fill.fill.market ?? ""),
        );
        const months = group === "month" ? statement.months.map(({ name }) => name) : [];
        const names = [...new Set([...months, ...groups.keys()])];
        const rows = [
          ...names.map((name) => [name, sumsOf(groups.get(name) ?? [])] as const),
          ["total", sumsOf(own)] as const,
        ];
        const cellsOf = (table: string) => rows.map(([name]) => rowsOf(page, `${table}-${group}s-${number}`).get(name));
        expect(cellsOf("results")).toEqual(rows.map(([, sums]) => [grouped(sums.fills), ...resultCells(one, sums)]));
        expect(cellsOf("fees").map((cells) => cells?.slice(0, 4))).toEqual(
          rows.map(([, { paid, rebates, volume }]) => [paid, rebates, paid.plus(rebates), volume].map(plain)),
        );
        expect(cellsOf("volume")).toEqual(
          rows.map(([, { counts, volumes, volume }]) => [...counts.map(grouped), ...[...volumes, volume].map(plain)]),
        );
      }
    });

    test("days that add up, with their maximum and drawdown", () => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const own = booked.filter((fill) => currencyOf(fill) === currency);
        if (result(new Exact(0), sumsOf(own)) === "not known") {
          expect(page.text).toContain(`Cumulative realised, ${currency}, excl. funding: not known.`);
          expect(page.tables.map(({ id }) => id)).not.toContain(`cumulative-${number}`);
          continue;
        }
        const typed = own.filter(({ trade }) => trade !== null);
        const days = Map.groupBy(typed, ({ time }) => localTime(time, context.period.zone).slice(0, 10));
        let [cumulative, maximum] = [new Exact(0), new Exact(0)];
        const expected = [...days].map(([day, fills]) => {
          const net = netOf(sumsOf(fills), "primary");
          cumulative = cumulative.plus(net);
          maximum = Exact.max(cumulative, maximum);
          return [day, [net, cumulative, maximum, cumulative.minus(maximum)].map(plain)];
        });
        expect([...rowsOf(page, `cumulative-${number}`)]).toEqual(expected);
      }
    });

    test("what was bought and sold, and both methods with one total", () => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const fills = Map.groupBy(booked, ({ fill }) => fill.market);
        const own = statement.markets.filter((market) => market.currency === currency);
        const expected = own.map((market) => [market.market, checksOf(market, sumsOf(fills.get(market.market) ?? []))]);
        const methods = rowsOf(page, `methods-${number}`);
        const quantities = rowsOf(page, `quantities-${number}`);
        const shown = own.map(({ market }) => {
          const [position, , , , , both, cash, verdict] = methods.get(market) ?? [];
          return [market, verdict === "✓ equal" ? [position, both, cash, quantities.get(market)] : [position, verdict]];
        });
        expect(shown).toEqual(expected);
      }
    });

    test("fees that are paid are recognised or carried on", () => {
      const page = pageNamed(one.name);
      for (const [, number] of currenciesOf(page)) {
        const verdicts = [0, 1].flatMap((at) => [...rowsOf(page, `fee-check-${at}-${number}`).values()]);
        expect(verdicts.map((cells) => cells.at(-1)).filter((word) => word !== "cannot be checked")).toEqual(
          verdicts.filter((cells) => cells[0] !== "not known").map(() => "✓ equal"),
        );
      }
    });

    test("the largest gains and losses among all round trips", () => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const trips = booked.flatMap(({ trip }) => (trip?.currency === currency ? [trip] : []));
        const gains = trips.filter(({ gross }) => gross > 0n).toSorted((a, b) => compare(b, a));
        const losses = trips.filter(({ gross }) => gross < 0n).toSorted(compare);
        for (const [id, sorted] of [
          ["gains", gains],
          ["losses", losses],
        ] as const) {
          const shown = [`${id}-${number}`, `${id}-${number}-next`].flatMap((table) =>
            page.tables.some((own) => own.id === table) ? [...rowsOf(page, table).values()] : [],
          );
          expect(shown.map((cells) => cells.slice(1, 7))).toEqual(sorted.slice(0, 50).map(tripCells));
        }
        if (trips.length > 0) {
          const rows = rowsOf(page, `trips-${number}`);
          expect(rows.get("won")?.[0]).toBe(grouped(gains.length));
          expect(rows.get("lost")?.[0]).toBe(grouped(losses.length));
          expect(rows.get("total")?.slice(0, 2)).toEqual([
            grouped(trips.length),
            plain(total(trips.map(({ gross }) => exact(gross)))),
          ]);
        }
      }
    });
  });

  test("what is not known is never a zero", () => {
    const { name } = CASES[2] as Case;
    const page = pageNamed(name);
    const [, number = ""] = currenciesOf(page).find(([currency]) => currency === "USD") ?? [];
    const markets = rowsOf(page, `results-markets-${number}`);
    expect(markets.get("DOGE-USD")?.slice(1)).toEqual(Array.from({ length: 6 }, () => "not known"));
    expect(markets.get("ETH-USD")).not.toContain("not known");
    expect(page.text).toContain("DOGE-USD: the result of");
    expect(page.text).toContain("one of its fills cannot be read as a trade");
    expect(page.text).toContain("the position at its beginning is not known");
    expect(page.text).toContain("its opening position was declared without a price");
    const nothing = pageNamed((CASES[3] as Case).name);
    for (const [, at] of currenciesOf(nothing)) {
      const summary = rowsOf(nothing, `summary-${at}`);
      for (const key of ["gross", "recognised", "net", "expensed", "open-start", "open-end"]) {
        expect(summary.get(key)).toEqual(["not known", "not known"]);
      }
    }
  });

  test("amounts that were converted, in one total", () => {
    const page = pageNamed((CASES[2] as Case).name);
    const tiny = (units: number) => `${units < 0 ? "-" : ""}0.${"0".repeat(35)}${Math.abs(units)}`;
    expect(rowsOf(page, "converted-table").get("total")).toEqual(["", ...[-2, 2, -4, 4, -1, 4].map(tiny)]);
    expect([...rowsOf(page, "rates-table").values()]).toEqual([["2025-04", "0.7451", "122", "HMRC monthly"]]);
    expect([...rowsOf(page, "ties-table").values()]).toHaveLength(1);
  });
});

function bare(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Of results, the smaller first. */
function compare(a: RoundTrip, b: RoundTrip): number {
  return exact(a.gross).comparedTo(exact(b.gross));
}

function tripCells({ quantity, openValue, closeValue, gross, fees }: RoundTrip): string[] {
  return [units(quantity), ...[openValue, closeValue, gross, fees, gross - fees].map(exact)].map(plain);
}
