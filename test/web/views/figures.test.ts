import { describe, expect, test } from "vitest";
import { netsOf, totalsIn } from "../../../lambda/web/data/key-figures.ts";
import { moneySection, netLine } from "../../../lambda/web/views/figures.ts";
import { figuresOf } from "./samples.ts";

const textOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

describe("the money on a pack's page", () => {
  const { markup } = moneySection(figuresOf());

  test("is shown in tiles as the report writes it: digits grouped in threes, two places", () => {
    const tiles = [...markup.matchAll(/<div><dt>(?<name>.*?)<\/dt><dd>(?<value>.*?)<\/dd>/g)].map(({ groups }) =>
      textOf(`${groups?.["name"]}: ${groups?.["value"]}`).trim(),
    );
    expect(tiles.slice(0, 6)).toEqual([
      "Net realised PnL: −120,478.93 after fees, incl. funding",
      "Gross PnL: +133,809.83 before fees",
      "Fees: 9,515.78 of closed positions",
      "Funding: −3,815.12 plus: received",
      "Volume: 29,368,255.44 3,052 fills",
      "Open at the end: 2 positions and 1 market not known",
    ]);
    expect(tiles.slice(6)).toEqual([
      "Net realised PnL: not known after fees, excl. funding",
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
    expect(textOf(markup)).toContain("2 with a gain, blue and above the line; 1 with a loss");
    expect(textOf(markup.slice(markup.indexOf("months-table-1")))).toMatch(/2025-04 −9,161.58 .*2025-05 not known/);
  });

  test("is rounded half even to the currency's minor unit, with the exact amount in the element", () => {
    const totals = totalsIn("currency,gross_pnl\nUSD,0.125\nUSD,0.135\nJPY,1234.5\n");
    const shown = moneySection({ totals, months: new Map(), open: null }).markup;
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
    const shown = textOf(moneySection({ totals: totalsIn(text), months: new Map(), open: null }).markup);
    expect(shown).toContain("C3");
    expect(shown).not.toContain("C4");
    expect(shown).toContain("And 3 other currencies: summary.csv has them all.");
  });
});

test("a list shows the net of each currency, and nothing for a pack without totals", () => {
  expect(textOf(netLine(netsOf(figuresOf().totals))?.markup ?? "").trim()).toBe(
    "Net realised PnL, USD , incl. funding −120,478.93 ▲ partial total Net realised PnL, USDC , excl. funding not known",
  );
  expect([netLine(null), netLine([])]).toEqual([null, null]);
});
