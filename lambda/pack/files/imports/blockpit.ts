import { seconds, sides, type Tool, type Words } from "./tool.ts";

const LABELS: Words = {
  profit: "Derivative Profit",
  loss: "Derivative Loss",
  fee: "Derivative Fee",
  rebate: "Derivative Profit",
  fundingReceived: "Derivative Profit",
  fundingPaid: "Derivative Fee",
  deposit: "Deposit",
  withdrawal: "Withdrawal",
};

export const BLOCKPIT: Tool = {
  name: "Blockpit",
  file: "blockpit.csv",
  words: LABELS,
  columns: [
    "Date (UTC)",
    "Integration Name",
    "Label",
    "Outgoing Asset",
    "Outgoing Amount",
    "Incoming Asset",
    "Incoming Amount",
    "Fee Asset (optional)",
    "Fee Amount (optional)",
    "Comment (optional)",
    "Trx. ID (optional)",
  ],
  line: (movement, date, source) => {
    const { kind, description, id } = movement;
    const { received, sent } = sides(movement, (amount, currency) => `${currency},${amount}`);
    return `${date},${source},${LABELS[kind]},${sent},${received},,,${description},${id}`;
  },
  date: (movement) => seconds(movement, (year, month, day) => `${day}.${month}.${year}`),
  unitMs: 1000,
  rebates:
    "Rebates are Derivative Profit: Blockpit has no label for a derivative fee that is received. Among derivatives they stand against the fees.",
  advice: [
    "Blockpit speaks of an XLSX template: if it refuses the CSV, copy the rows into its present template, column by column, as text.",
  ],
  status:
    "columns: the source code of two programs that read Blockpit's files, and programs that write them; labels: Blockpit's help pages; that it takes CSV, and the label for rebates: unverified; what it does with equal rows: not found.",
};
