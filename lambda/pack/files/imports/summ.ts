import { dashedSeconds, type Tool, type Words } from "./tool.ts";

const TYPES: Words = {
  profit: "realized-profit",
  loss: "realized-loss",
  fee: "margin-fee",
  rebate: "rebate",
  fundingReceived: "realized-profit",
  fundingPaid: "margin-fee",
};

/** The advanced CSV of Summ, which was CryptoTaxCalculator. */
export const SUMM: Tool = {
  name: "Summ (formerly CryptoTaxCalculator)",
  file: "summ.csv",
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
  line: ({ kind, symbol, digits, id, description }, date) =>
    `${date},${TYPES[kind]},${symbol},${digits},,,,,,,,${id},${description},,`,
  date: dashedSeconds,
  unitMs: 1000,
  advice: [
    "Import it as an advanced CSV, with the date format YYYY-MM-DD HH:mm:ss.",
    "Summ tells rows apart by the column ID: a row that it has already is not added again.",
    "Its rows go to the derivatives trading report as income, not to capital gains.",
  ],
  status:
    "columns, date format and types: Summ's help pages; the exact header line: a program of others that writes the file; the types for funding: unverified.",
};
