import { isFunding } from "../movements.ts";
import type { Tool } from "./tool.ts";

/** The custom CSV. */
export const COINTRACKING: Tool = {
  name: "CoinTracking",
  file: "cointracking.csv",
  words: {
    profit: "Derivatives / Futures Profit",
    loss: "Derivatives / Futures Loss",
    fee: "Margin Fee",
    rebate: "Other Income",
    fundingReceived: "Other Income",
    fundingPaid: "Other Fee",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  columns: [
    ["Type", "word"],
    ["Buy Amount", "received"],
    ["Buy Currency", "receivedIn"],
    ["Sell Amount", "sent"],
    ["Sell Currency", "sentIn"],
    ["Fee"],
    ["Fee Currency"],
    ["Exchange", "source"],
    ["Trade-Group", ({ kind, market }) => (isFunding(kind) ? "Funding Rate" : market)],
    ["Comment", ({ kind, description, text }) => (isFunding(kind) ? description : text)],
    ["Date", "dashed"],
  ],
  quoted: true,
  advice:
    "Set the time zone of the CoinTracking account to UTC first, and use the custom CSV. Rebates count as other income there.",
};
