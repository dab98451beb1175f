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
  advice: "Use rotki's generic events, which have no types for futures: gains are income, losses and fees are losses.",
};
