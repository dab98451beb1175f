import type { Tool, Words } from "./tool.ts";

const TYPES: Words = {
  profit: "Income",
  loss: "Loss",
  fee: "Loss",
  rebate: "Income",
  fundingReceived: "Income",
  fundingPaid: "Loss",
  deposit: "Deposit",
  withdrawal: "Withdrawal",
};

/** Rotki's generic events have no type for futures, so income and loss are used. */
export const ROTKI: Tool = {
  name: "rotki",
  file: "rotki.csv",
  words: TYPES,
  columns: ["Type", "Location", "Currency", "Amount", "Fee", "Fee Currency", "Description", "Timestamp"],
  line: ({ kind, symbol, digits, description }, date) =>
    `${TYPES[kind]},external,${symbol},${digits},,,${description},${date}`,
  date: ({ time }) => String(time),
  unitMs: 1,
  rebates: "Rebates come as income: rotki has no type for a fee that is received.",
  advice: [
    "Import it as rotki's generic events.",
    "rotki has no type for futures: profits, rebates and funding received come as income, losses, fees and funding paid as loss.",
    "It makes a new event of each row in each import: a file imported twice is counted twice.",
  ],
  status: "columns, types and times: the source code of rotki's importer, which could not be installed to be tried.",
};
