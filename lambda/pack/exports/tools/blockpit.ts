import type { Tool } from "./tool.ts";

export const BLOCKPIT: Tool = {
  name: "Blockpit",
  file: "blockpit.xlsx",
  words: {
    profit: "Derivative Profit",
    loss: "Derivative Loss",
    fee: "Derivative Fee",
    rebate: "Derivative Profit",
    fundingReceived: "Derivative Profit",
    fundingPaid: "Derivative Fee",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  columns: [
    ["Date (UTC)", "dotted"],
    ["Integration Name", "source"],
    ["Label", "word"],
    ["Outgoing Asset", "sentIn"],
    ["Outgoing Amount", "sent"],
    ["Incoming Asset", "receivedIn"],
    ["Incoming Amount", "received"],
    ["Fee Asset (optional)"],
    ["Fee Amount (optional)"],
    ["Comment (optional)", "description"],
    ["Trx. ID (optional)", "id"],
  ],
  sheetWidths: [20, 20, 18, 10, 26, 10, 26, 10, 10, 60, 60],
  advice: "Upload it in a manual integration, as a file in Blockpit's template.",
};
