import type { Tool } from "./tool.ts";

export const COINTRACKER: Tool = {
  name: "CoinTracker",
  file: "cointracker.csv",
  words: {
    profit: "margin gain",
    loss: "margin loss",
    fee: "margin fee",
    rebate: "margin rebate",
    fundingReceived: "margin gain",
    fundingPaid: "margin fee",
    deposit: "",
    withdrawal: "",
  },
  columns: [
    ["Date", "slashed"],
    ["Received Quantity", "received"],
    ["Received Currency", "receivedIn"],
    ["Sent Quantity", "sent"],
    ["Sent Currency", "sentIn"],
    ["Fee Amount"],
    ["Fee Currency"],
    ["Tag", "word"],
  ],
  advice: "CoinTracker's tax forms leave futures out: take their figures from summary.csv.",
};
