import { isTransfer, type Movement } from "./movements.ts";
import { dashedSeconds, type Tool, type Words } from "./tool.ts";

/** National currencies, which the tool treats differently from coins. */
const FIAT: ReadonlySet<string> = new Set(
  "AED AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS INR JPY KRW MXN NOK NZD PLN SEK SGD THB TRY USD ZAR".split(" "),
);

const TYPES: Words = {
  profit: "realized-profit",
  loss: "realized-loss",
  fee: "margin-fee",
  rebate: "rebate",
  fundingReceived: "realized-profit",
  fundingPaid: "margin-fee",
  deposit: "receive",
  withdrawal: "send",
};

function typeOf({ kind, currency }: Movement): string {
  return isTransfer(kind) && FIAT.has(currency) ? `fiat-${kind}` : TYPES[kind];
}

/** The advanced CSV of Summ (formerly CryptoTaxCalculator). */
export const SUMM: Tool = {
  name: "Summ (formerly CryptoTaxCalculator)",
  file: "summ.csv",
  words: TYPES,
  columns: [
    "Timestamp (UTC)",
    "Type",
    "Base Currency",
    "Base Amount",
    "Quote Currency (Optional)",
    "Quote Amount (Optional)",
    "Fee Currency (Optional)",
    "Fee Amount (Optional)",
    "From (Optional)",
    "To (Optional)",
    "Blockchain (Optional)",
    "ID (Optional)",
    "Description (Optional)",
    "Reference Price Per Unit (Optional)",
    "Reference Price Currency (Optional)",
  ],
  line: (movement, date) => {
    const { symbol, digits, id, description } = movement;
    return `${date},${typeOf(movement)},${symbol},${digits},,,,,,,,${id},${description},,`;
  },
  date: dashedSeconds,
  advice: "Use the advanced CSV with the date format YYYY-MM-DD HH:mm:ss. Summ identifies rows by the column ID.",
};
