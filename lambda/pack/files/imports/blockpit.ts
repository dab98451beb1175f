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
    "Blockpit's help asks for a spreadsheet: daily/blockpit.xlsx is one, with the rows of daily/blockpit.csv, all cells as text. Upload it in a manual integration, under the template of Blockpit.",
    "If it refuses a file, copy the rows into its present template, column by column, as text.",
  ],
  status:
    "columns: the source code of two programs that read Blockpit's files, and programs that write them; labels: Blockpit's help pages; Deposit and Withdrawal: the labels of its template, as programs of others list them; the spreadsheet, with the header in its first row and dates as text: two programs of others that write it for Blockpit; that it takes CSV, and the label for rebates: unverified; what it does with equal rows: not found.",
};
