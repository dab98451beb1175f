import type { Tool } from "./tool.ts";

export const BITTYTAX: Tool = {
  name: "BittyTax",
  file: "bittytax.csv",
  words: {
    profit: "Margin-Gain",
    loss: "Margin-Loss",
    fee: "Margin-Fee",
    rebate: "Margin-Fee-Rebate",
    fundingReceived: "Margin-Fee-Rebate",
    fundingPaid: "Margin-Fee",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  columns: [
    ["Type", "word"],
    ["Buy Quantity", "received"],
    ["Buy Asset", "receivedIn"],
    ["Buy Value in GBP"],
    ["Sell Quantity", "sent"],
    ["Sell Asset", "sentIn"],
    ["Sell Value in GBP"],
    ["Fee Quantity"],
    ["Fee Asset"],
    ["Fee Value in GBP"],
    ["Wallet", "source"],
    ["Timestamp", "iso"],
    // BittyTax adds up margin rows by wallet and note, so the note holds only the market.
    ["Note", "market"],
  ],
  advice: "BittyTax looks up the values in GBP itself, and shows margin trading beside the capital gains.",
};
