import type { Tool } from "./tool.ts";

/** Rotki's generic events have no type for futures, so income and loss are used. */
export const ROTKI: Tool = {
  name: "rotki",
  file: "rotki.csv",
  words: {
    profit: "Income",
    loss: "Loss",
    fee: "Loss",
    rebate: "Income",
    fundingReceived: "Income",
    fundingPaid: "Loss",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  columns: [
    ["Type", "word"],
    ["Location", () => "external"],
    ["Currency", "symbol"],
    ["Amount", "digits"],
    ["Fee"],
    ["Fee Currency"],
    ["Description", "description"],
    ["Timestamp", "ms"],
  ],
  advice: "Use rotki's generic events, which have no types for futures: gains are income, losses and fees are losses.",
};
