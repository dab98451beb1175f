import { beforeAll, describe, expect, test } from "vitest";
import { formatAmount } from "../../../../lambda/accounting/amount.ts";
import type { RoundTrip } from "../../../../lambda/accounting/booked.ts";
import type { Carried, MarketStatement } from "../../../../lambda/accounting/statement.ts";
import { formatUnits } from "../../../../lambda/core/decimal.ts";
import { CASES, type Case } from "./cases.ts";
import { pageOf } from "./make.ts";
import { NO_READER, type ReadPage, readPages, rowsOf } from "./read.ts";
import { byMarket, byMonth, result, type Sums, settledIn, sumsOf } from "./sums.ts";

const pages = new Map<string, ReadPage>();
const METHODS = [0, 1] as const;

/** The number that ends the ids of a currency's tables. */
function currenciesOf(page: ReadPage): [currency: string, number: string][] {
  return page.tables
    .filter(({ id }) => id.startsWith("summary-"))
    .map(({ id, currency }) => [currency ?? "", id.slice("summary-".length)]);
}

/** Carried over a border in one currency: of what is known, and whether that is all. */
function carried({ books }: Case, currency: string, side: "before" | "after") {
  const all = books.statement.markets.filter((market) => market.market.endsWith(`-${currency}`));
  const isAll = all.every((market) => market[side].blank === null);
  const sum = (of: (one: Carried) => bigint) => all.reduce((total, market) => total + of(market[side]), 0n);
  const value = (method: 0 | 1) =>
    sum(({ lots }) => lots[method].reduce((total, lot) => total + lot.sign * lot.value, 0n));
  const fees = (method: 0 | 1) => sum(({ lots }) => lots[method].reduce((total, lot) => total + lot.fee, 0n));
  const shown = (amount: bigint) => (amount === 0n && !isAll ? "not known" : formatAmount(amount));
  return { value: METHODS.map((method) => shown(value(method))), fees: METHODS.map((method) => shown(fees(method))) };
}

function resultCells(sums: Sums): string[] {
  return METHODS.flatMap((method) => [
    result(sums.gross[method], sums),
    result(sums.fees[method], sums),
    result(sums.gross[method] - sums.fees[method], sums),
  ]);
}

/** Of a market whose results are all known: position, total of both methods, sold less bought, and the way from one position to the other. */
function checksOf({ before, after }: MarketStatement, sums: Sums) {
  const { position } = after;
  const shown = position === null ? "not known" : formatUnits(position);
  const isKnown = before.blank === null && after.blank === null && sums.unknown === 0 && before.position !== null;
  if (!isKnown || position === null) {
    return [shown, "cannot be checked"];
  }
  const way = [before.position, sums.bought, sums.sold, position].map((units) => formatUnits(units));
  return [shown, formatAmount(sums.cash), formatAmount(sums.cash), [...way, "✓ equal"]];
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

function feeCells({ paid, rebates, volume }: Sums): string[] {
  const all = Object.values(volume).reduce((sum, one) => sum + one, 0n);
  return [paid, rebates, paid + rebates, all].map(formatAmount);
}

function volumeCells({ counts, volume }: Sums): string[] {
  const all = Object.values(volume).reduce((sum, one) => sum + one, 0n);
  return [...Object.values(counts).map(grouped), ...[...Object.values(volume), all].map(formatAmount)];
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

    test("tells of amounts only that they are excluding funding, or with the user's", () => {
      const { tables } = pageNamed(name);
      const silent = tables
        .filter(({ currency }) => currency !== null)
        .map(({ captions }) => captions.join(" "))
        .filter((caption) => !/excl\. funding|Position at the beginning|Fees carried/.test(caption));
      expect(silent).toEqual([]);
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
        const sums = sumsOf(settledIn(booked, currency));
        const fees = sums.paid + sums.rebates;
        const both = (of: (method: 0 | 1) => string) => METHODS.map(of);
        const funding = context.funding
          ?.filter((payment) => payment.currency === currency)
          .reduce((sum, { amount }) => sum + amount, 0n);
        expect(Object.fromEntries(rowsOf(page, `summary-${number}`))).toEqual({
          gross: both((method) => result(sums.gross[method], sums)),
          recognised: both((method) => result(sums.fees[method], sums)),
          net: both((method) => result(sums.gross[method] - sums.fees[method], sums)),
          paid: both(() => formatAmount(sums.paid)),
          rebates: both(() => formatAmount(sums.rebates)),
          fees: both(() => formatAmount(fees)),
          expensed: both((method) => result(sums.gross[method] - fees, sums)),
          ...(funding === undefined
            ? {}
            : {
                funding: both(() => formatAmount(funding)),
                "net-funding": both((method) => result(sums.gross[method] - sums.fees[method] + funding, sums)),
                "expensed-funding": both((method) => result(sums.gross[method] - fees + funding, sums)),
              }),
          "open-start": carried(one, currency, "before").value,
          "open-end": carried(one, currency, "after").value,
          "deferred-start": carried(one, currency, "before").fees,
          "deferred-end": carried(one, currency, "after").fees,
        });
      }
    });

    test.each(["month", "market"] as const)("results, fees and volume by %s", (by) => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const own = settledIn(booked, currency);
        const groups = by === "month" ? byMonth(own, context.period.zone) : byMarket(own);
        const empty = statement.months.filter(({ name }) => by === "month" && !groups.has(name));
        const rows: [string, Sums][] = [
          ...[...groups].map(([name, fills]): [string, Sums] => [name, sumsOf(fills)]),
          ...empty.map(({ name }): [string, Sums] => [name, sumsOf([])]),
          ["total", sumsOf(own)],
        ];
        const cellsOf = (table: string) => rows.map(([name]) => rowsOf(page, `${table}-${by}s-${number}`).get(name));
        expect(cellsOf("results")).toEqual(rows.map(([, sums]) => [grouped(sums.fills), ...resultCells(sums)]));
        expect(cellsOf("fees").map((cells) => cells?.slice(0, 4))).toEqual(rows.map(([, sums]) => feeCells(sums)));
        expect(cellsOf("volume")).toEqual(rows.map(([, sums]) => volumeCells(sums)));
      }
    });

    test("days that add up, with their maximum and drawdown", () => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const own = settledIn(booked, currency);
        if (result(0n, sumsOf(own)) === "not known") {
          expect(page.text).toContain(`Cumulative realised, ${currency}, excl. funding: not known.`);
          expect(page.tables.map(({ id }) => id)).not.toContain(`cumulative-${number}`);
          continue;
        }
        const days = Map.groupBy(
          own.filter(({ trade }) => trade !== null),
          ({ time }) => new Intl.DateTimeFormat("en-CA", { timeZone: context.period.zone }).format(time),
        );
        let cumulative = 0n;
        let maximum = 0n;
        const expected = [...days].map(([day, fills]) => {
          const sums = sumsOf(fills);
          const net = sums.gross[context.chosen] - sums.fees[context.chosen];
          cumulative += net;
          maximum = cumulative > maximum ? cumulative : maximum;
          return [day, [net, cumulative, maximum, cumulative - maximum].map(formatAmount)];
        });
        expect([...rowsOf(page, `cumulative-${number}`)]).toEqual(expected);
      }
    });

    test("what was bought and sold, and both methods with one total", () => {
      const page = pageNamed(one.name);
      for (const [currency, number] of currenciesOf(page)) {
        const fills = byMarket(settledIn(booked, currency));
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
        const verdicts = METHODS.flatMap((method) => [...rowsOf(page, `fee-check-${method}-${number}`).values()]);
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
            formatAmount(trips.reduce((sum, { gross }) => sum + gross, 0n)),
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

function compare(a: RoundTrip, b: RoundTrip): number {
  if (a.gross === b.gross) {
    return 0;
  }
  return a.gross < b.gross ? -1 : 1;
}

function tripCells({ quantity, openValue, closeValue, gross, fees }: RoundTrip): string[] {
  return [formatUnits(quantity), ...[openValue, closeValue, gross, fees, gross - fees].map(formatAmount)];
}
