import { isFunding } from "./cash.ts";
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
  unitMs: 1000,
  quoted: true,
  rebates:
    "Rebates have the type Other Income, which CoinTracking recommends for fees that are received, because it has no negative fees. They count as income there, and do not reduce the fees.",
  advice: [
    "Set the time zone of the CoinTracking account to UTC before the import, because CoinTracking reads dates in the time zone of the account.",
    "Import it as a custom CSV.",
  ],
  status:
    "The header line is from other programs, which spell it in three ways with the same order of columns. The types are from CoinTracking's help page, and their exact words from four other programs. Other programs do not agree on Margin Fee for trading fees. Not found: how CoinTracking treats equal rows.",
};
