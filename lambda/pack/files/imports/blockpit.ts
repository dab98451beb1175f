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
    "Rebates have the label Derivative Profit, because Blockpit has no label for a derivative fee that is received. Among derivatives, they offset the fees.",
  advice: [
    "Blockpit's help asks for a spreadsheet: use daily/blockpit.xlsx, which has the rows of daily/blockpit.csv with all cells as text. Upload it in a manual integration, as a file in Blockpit's template.",
    "If Blockpit refuses the file, copy the rows into its current template, column by column, as text.",
  ],
  status:
    "The columns are from other programs that read or write Blockpit's files. The labels are from Blockpit's help pages; Deposit and Withdrawal are labels of its template, as listed by other programs. The layout of the spreadsheet (header in the first row, dates as text) is from two other programs that write it. Not verified: that Blockpit accepts CSV, and the label for rebates. Not found: how Blockpit treats equal rows.",
};
