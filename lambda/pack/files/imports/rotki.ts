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
  rebates: "Rebates have the type income, because rotki has no type for a fee that is received.",
  advice: [
    "Import it as rotki's generic events.",
    "rotki has no types for futures. Profits, rebates and funding received have the type income; losses, fees and funding paid have the type loss.",
    "rotki creates a new event for each row at each import, so a file that is imported twice is counted twice.",
  ],
  status:
    "The columns, types and times are from the source code of rotki's importer. It could not be installed, so the file was not tested with it.",
};
