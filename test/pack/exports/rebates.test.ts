import { describe, expect, test } from "vitest";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { importsOf } from "./files.ts";
import { READERS, readImport } from "./readers.ts";

/**
 * How each tool's own documentation treats a received fee. No tool accepts a negative fee: all templates have
 * positive amounts, and BittyTax refuses others (t_row.py).
 */
const SOURCES: Readonly<Record<string, { readonly word: string; readonly source: string }>> = {
  "koinly.csv": {
    word: "realized gain",
    source:
      "support.koinly.io 9490023 lists all tags for deposits: Realized PNL is the only one that counts among other gains, where futures fees are too; Fee refund 'remains an acquisition'. 9490027: realized gain is its word in a CSV file, 'on all deposit/withdrawal rows that are related to pnl'",
  },
  "cointracking.csv": {
    word: "Other Income",
    source: "cointracking.freshdesk.com 29000049593: 'You can manually add fees using Other Fee or Other Income'",
  },
  "summ.csv": {
    word: "rebate",
    source: "help.cryptotaxcalculator.io 5777675, valid transaction types",
  },
  "cointracker.csv": {
    word: "margin rebate",
    source:
      "support.cointracker.io 4413049710225: 'Margin rebate indicates a fee refunded for a margin transaction (the opposite of a margin fee)'",
  },
  "bittytax.csv": {
    word: "Margin-Fee-Rebate",
    source:
      "BittyTax's documentation of types: 'Tokens received as a rebate of margin fees'; tax.py, CalculateMarginTrading",
  },
  "blockpit.xlsx": {
    word: "Derivative Profit",
    source:
      "help.blockpit.io 13586376244124: what is 'either positive or negative' is 'Derivative Fee or Derivative Profit'; there is no other label for derivatives",
  },
  "rotki.csv": {
    word: "Income",
    source: "rotki_events.py: Deposit, Withdrawal, Income, Loss, Spend, Staking are all types that there are",
  },
};

describe.each(READERS)("a rebate in $file", (reader) => {
  const { word, source } = SOURCES[reader.file] ?? { word: "", source: "" };
  const rowsOf = (fills: string) =>
    readImport(reader, importsOf(booksOf(fillsFrom(fills))).texts.get(reader.file) ?? "");

  test("has the tool's own word if it is larger than the fees of its day", () => {
    const rows = rowsOf("B1@100/-0.30/maker B1@100/0.10");
    expect(rows, source).toMatchObject([{ label: word, received: true, amount: 2n * 10n ** 35n }]);
  });

  test("reduces the fees of its day, even if the tool has no word for it", () => {
    const rows = rowsOf("B1@100/-0.30/maker B1@100/0.50");
    expect(rows).toMatchObject([{ received: false, amount: 2n * 10n ** 35n }]);
  });
});
