import type { Tool } from "./tool.ts";

/** The universal template. */
export const KOINLY: Tool = {
  name: "Koinly",
  file: "koinly.csv",
  /** Of the deposit tags in Koinly's help, only one counts as a gain. A received fee has no other. */
  words: {
    profit: "realized gain",
    loss: "realized gain",
    fee: "futures fee",
    rebate: "realized gain",
    fundingReceived: "realized gain",
    fundingPaid: "funding fee",
    deposit: "",
    withdrawal: "",
  },
  columns: [
    ["Date", "dashed"],
    ["Sent Amount", "sent"],
    ["Sent Currency", "sentIn"],
    ["Received Amount", "received"],
    ["Received Currency", "receivedIn"],
    ["Fee Amount"],
    ["Fee Currency"],
    ["Net Worth Amount"],
    ["Net Worth Currency"],
    ["Tag", "word"],
    ["Description", "description"],
    ["TxHash"],
  ],
  advice:
    "Use a separate wallet and Koinly's universal format. Koinly skips rows that equal a row it has or once had, and rows before the lock date.",
};
