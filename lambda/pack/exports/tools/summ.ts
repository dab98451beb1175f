import { isTransfer } from "../movements.ts";
import type { Tool, ToolRow } from "./tool.ts";

/** National currencies, which the tool treats differently from coins. */
const FIAT: ReadonlySet<string> = new Set(
  "AED AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS INR JPY KRW MXN NOK NZD PLN SEK SGD THB TRY USD ZAR".split(" "),
);

function typeOf({ kind, currency, word }: ToolRow): string {
  return isTransfer(kind) && FIAT.has(currency) ? `fiat-${kind}` : word;
}

/** The advanced CSV of Summ (formerly CryptoTaxCalculator). */
export const SUMM: Tool = {
  name: "Summ (formerly CryptoTaxCalculator)",
  file: "summ.csv",
  words: {
    profit: "realized-profit",
    loss: "realized-loss",
    fee: "margin-fee",
    rebate: "rebate",
    fundingReceived: "realized-profit",
    fundingPaid: "margin-fee",
    deposit: "receive",
    withdrawal: "send",
  },
  columns: [
    ["Timestamp (UTC)", "dashed"],
    ["Type", typeOf],
    ["Base Currency", "symbol"],
    ["Base Amount", "digits"],
    ["Quote Currency (Optional)"],
    ["Quote Amount (Optional)"],
    ["Fee Currency (Optional)"],
    ["Fee Amount (Optional)"],
    ["From (Optional)"],
    ["To (Optional)"],
    ["Blockchain (Optional)"],
    ["ID (Optional)", "id"],
    ["Description (Optional)", "description"],
    ["Reference Price Per Unit (Optional)"],
    ["Reference Price Currency (Optional)"],
  ],
  advice: "Use the advanced CSV with the date format YYYY-MM-DD HH:mm:ss. Summ identifies rows by the column ID.",
};
