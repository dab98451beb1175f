import { describe, expect, test } from "vitest";
import { booksOf, fillsFrom } from "../../../accounting/make.ts";
import { importsOf } from "./files.ts";
import { READERS, readImport } from "./readers.ts";

/**
 * How each tool's own documentation treats a received fee. No tool accepts a negative fee: all templates have
 * positive amounts, and BittyTax refuses others (t_row.py).
 */
const SOURCES: Readonly<Record<string, { readonly word: string; readonly source: string; readonly readme: string }>> = {
  "koinly.csv": {
    word: "realized gain",
    source:
      "support.koinly.io 9490023 lists all tags for deposits: Realized PNL is the only one that counts among other gains, where futures fees are too; Fee refund 'remains an acquisition'. 9490027: realized gain is its word in a CSV file, 'on all deposit/withdrawal rows that are related to pnl'",
    readme: "In other gains they stand against the futures fees.",
  },
  "cointracking.csv": {
    word: "Other Income",
    source: "cointracking.freshdesk.com 29000049593: 'You can manually add fees using Other Fee or Other Income'",
    readme: "They are income there, not less fees.",
  },
  "summ.csv": {
    word: "rebate",
    source: "help.cryptotaxcalculator.io 5777675, valid transaction types",
    readme: "Rebates have the type rebate.",
  },
  "cointracker.csv": {
    word: "margin rebate",
    source:
      "support.cointracker.io 4413049710225: 'Margin rebate indicates a fee refunded for a margin transaction (the opposite of a margin fee)'",
    readme: "which CoinTracker calls the opposite of a margin fee.",
  },
  "bittytax.csv": {
    word: "Margin-Fee-Rebate",
    source:
      "BittyTax's documentation of types: 'Tokens received as a rebate of margin fees'; tax.py, CalculateMarginTrading",
    readme: "its report has them beside the fees of the market.",
  },
  "blockpit.csv": {
    word: "Derivative Profit",
    source:
      "help.blockpit.io 13586376244124: what is 'either positive or negative' is 'Derivative Fee or Derivative Profit'; there is no other label for derivatives",
    readme: "Among derivatives they stand against the fees.",
  },
  "rotki.csv": {
    word: "Income",
    source: "rotki_events.py: Deposit, Withdrawal, Income, Loss, Spend, Staking are all types that there are",
    readme: "rotki has no type for a fee that is received.",
  },
};

const { texts } = importsOf(booksOf(fillsFrom("B1@100/-0.30/maker B1@100/0.10")));
const readme = (texts.get("README.txt") ?? "").replaceAll(/\n {2}/g, " ");

describe.each(READERS)("a rebate in $file", (reader) => {
  const { word, source, readme: sentence } = SOURCES[reader.file] ?? { word: "", source: "", readme: "" };

  test("has the tool's own word, and README.txt tells how the tool treats it", () => {
    const [rebate, fee] = readImport(reader, texts.get(reader.file) ?? "");
    expect(rebate, source).toMatchObject({ label: word, received: true, amount: 3n * 10n ** 35n });
    expect(fee).toMatchObject({ received: false, amount: 10n ** 35n });
    const [, section = ""] = readme.split(`\n${reader.file}, for `);
    expect(section.split("\n\n")[0]).toContain(sentence);
  });

  test("reduces the fees of its day in daily/, even if the tool has no word for it", () => {
    const rows = readImport(reader, texts.get(`daily/${reader.file}`) ?? "");
    expect(rows.map(({ received, amount }) => [received, amount])).toEqual([[true, 2n * 10n ** 35n]]);
    const more =
      importsOf(booksOf(fillsFrom("B1@100/-0.30/maker B1@100/0.50"))).texts.get(`daily/${reader.file}`) ?? "";
    const fees = readImport(reader, more);
    expect(fees.map(({ received, amount }) => [received, amount])).toEqual([[false, 2n * 10n ** 35n]]);
  });
});
