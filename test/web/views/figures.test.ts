import { describe, expect, test } from "vitest";
import { type Amount, wholeNumber } from "../../../lambda/core/amount.ts";
import { sumsIn } from "../../../lambda/web/data/key-figures.ts";
import { moneySection, netLine } from "../../../lambda/web/views/figures.ts";
import { exactly } from "../../support/amounts.ts";
import { netsOf } from "../data/nets-of.ts";
import { figuresOf } from "./samples.ts";

const textOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

describe("the money on a pack's page", () => {
  const { markup } = moneySection(figuresOf());

  test("is shown in tiles as the report writes it: digits grouped in threes, two places", () => {
    const tiles = [...markup.matchAll(/<div><dt>(?<name>.*?)<\/dt><dd>(?<value>.*?)<\/dd>/g)].map(({ groups }) =>
      textOf(`${groups?.["name"]}: ${groups?.["value"]}`).trim(),
    );
    expect(tiles.slice(0, 6)).toEqual([
      "Net realised PnL, incl. funding: −120,478.93 after fees",
      "Gross PnL: +133,809.83 before fees",
      "Fees: 9,515.78 of closed positions",
      "Funding: −3,815.12 plus: received",
      "Volume: 29,368,255.44 3,052 fills",
      "Open at the end: 2 positions and 1 market not known",
    ]);
    expect(tiles.slice(6)).toEqual([
      "Net realised PnL, excl. funding: not known after fees",
      "Gross PnL: not known before fees",
      "Fees: not known of closed positions",
      "Volume: not known 1 fill",
      "Open at the end: 0 positions at cost not known",
    ]);
    expect(textOf(markup)).toContain("the PnL of 193 closes could not be calculated");
  });

  test("has a bar for each month with known PnL, and the amounts in a table", () => {
    expect(markup.match(/<rect class="fill-blue"/g)).toHaveLength(2);
    expect(markup.match(/<rect class="line-orange"/g)).toHaveLength(1);
    expect(textOf(markup)).toContain("2 with a gain, blue, above the zero line; 1 with a loss");
    expect(textOf(markup.slice(markup.indexOf("months-table-1")))).toMatch(/2025-04 −9,161.58 .*2025-05 not known/);
  });

  test("is rounded half even to the currency's minor unit, with the exact amount in the element", () => {
    const sums = sumsIn("currency,gross_pnl\nUSD,0.125\nEUR,0.135\nJPY,1234.5\n");
    const shown = moneySection({ ...sums, months: new Map(), open: null }).markup;
    expect(
      [...shown.matchAll(/<data value="(?<exact>[\d.]+)"[^>]*>(?<text>[^<]+)/g)].map(({ groups }) => [
        groups?.["exact"],
        groups?.["text"],
      ]),
    ).toEqual([
      ["0.125", "+0.12"],
      ["0.135", "+0.14"],
      ["1234.5", "+1,234"],
    ]);
  });

  test("shows four of many currencies, and counts the rest", () => {
    const text = `currency,gross_pnl\n${Array.from({ length: 7 }, (_, at) => `C${at},1`).join("\n")}`;
    const shown = textOf(moneySection({ ...sumsIn(text), months: new Map(), open: null }).markup);
    expect(shown).toContain("C3");
    expect(shown).not.toContain("C4");
    expect(shown).toContain("And 3 other currencies: summary.csv has them all.");
  });
});

describe("a converted pack", () => {
  const own = figuresOf();
  const converted = {
    currency: "EUR",
    net: exactly("-110000.50"),
    gross: exactly("123456.78"),
    fees: exactly("8500.99"),
    funding: null,
    unknownCloses: "193",
  };
  const { markup } = moneySection({ ...own, converted });

  test("has the converted totals on top, and each currency's own behind a click, with its chart in sight", () => {
    const text = textOf(markup);
    expect(text).toMatch(
      /^ EUR , converted Net realised PnL, excl\. funding −110,000\.50 after fees Gross PnL \+123,456\.78 before fees Fees 8,500\.99 of closed positions ▲ Partial total:/,
    );
    expect(text.indexOf("EUR , converted")).toBeLessThan(text.indexOf("−120,478.93"));
    const unfolded = textOf(markup.replaceAll(/<details>.*?<\/details>/gs, ""));
    expect(unfolded).not.toContain("−120,478.93");
    expect(unfolded).toContain("Net realised PnL, incl. funding, by month, USD");
    expect(markup).toContain("<summary>Amounts in ");
  });
});

describe("the chart of a long pack", () => {
  const monthsFrom = (year: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({
      month: `${year + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`,
      net: wholeNumber(at % 2 === 0 ? 3 : -1),
    }));
  const shownWith = (months: readonly { readonly month: string; readonly net: Amount | null }[]) => {
    const own = figuresOf();
    return moneySection({ ...own, months: new Map([["USD", months]]) }).markup;
  };
  const barsIn = (markup: string) => markup.match(/<rect class="(?:fill-blue|line-orange)"/g)?.length;

  test.each([
    [60, "month", 60],
    [61, "quarter", 21],
    [84, "quarter", 28],
    [181, "year", 16],
  ])("of %i months has a bar a %s", (count, unit, bars) => {
    const markup = shownWith(monthsFrom(2015, count));
    expect(textOf(markup)).toContain(`Net realised PnL, incl. funding, by ${unit}, USD`);
    expect(barsIn(markup)).toBe(bars);
    expect(textOf(markup.slice(markup.indexOf("months-table-1")))).toContain(
      "Net realised PnL, incl. funding, by month, USD",
    );
    expect(markup.match(/<th scope="row">\d{4}-\d{2}/g)).toHaveLength(count);
  });

  test("adds up what is known of its quarters, and draws none of which nothing is", () => {
    const months = monthsFrom(2015, 63).map((one, at) => ({ ...one, net: at < 3 || at === 4 ? null : one.net }));
    const markup = shownWith(months);
    // Of 21 quarters the first is not known. Of the second, −1 of April and of June are; all others have 5 or
    // 1.
    expect(textOf(markup)).toContain("19 with a gain, blue, above the zero line; 1 with a loss");
    expect(barsIn(markup)).toBe(20);
  });
});

test("a list shows the net of each currency, and nothing for a pack without totals", () => {
  expect(textOf(netLine(netsOf(figuresOf().totals))?.markup ?? "").trim()).toBe(
    "Net realised PnL, incl. funding, USD −120,478.93 ▲ partial total Net realised PnL, excl. funding, USDC not known",
  );
  expect([netLine(null), netLine([])]).toEqual([null, null]);
});
