import { isFunding } from "./movements.ts";
import { dashedSeconds, sides, type Tool, type Words } from "./tool.ts";

const TYPES: Words = {
  profit: "Derivatives / Futures Profit",
  loss: "Derivatives / Futures Loss",
  fee: "Margin Fee",
  rebate: "Other Income",
  fundingReceived: "Other Income",
  fundingPaid: "Other Fee",
  deposit: "Deposit",
  withdrawal: "Withdrawal",
};

/** The custom CSV. */
export const COINTRACKING: Tool = {
  name: "CoinTracking",
  file: "cointracking.csv",
  words: TYPES,
  columns: [
    "Type",
    "Buy Amount",
    "Buy Currency",
    "Sell Amount",
    "Sell Currency",
    "Fee",
    "Fee Currency",
    "Exchange",
    "Trade-Group",
    "Comment",
    "Date",
  ],
  line: (movement, date, source) => {
    const { received, sent } = sides(movement, (amount, currency) => `"${amount}","${currency}"`, '"",""');
    const [group, comment] = isFunding(movement.kind)
      ? ["Funding Rate", movement.description]
      : [movement.market, movement.text];
    return `"${TYPES[movement.kind]}",${received},${sent},"","","${source}","${group}","${comment}","${date}"`;
  },
  date: dashedSeconds,
  quoted: true,
  advice:
    "Set the time zone of the CoinTracking account to UTC first, and use the custom CSV. Rebates count as other income there.",
};
