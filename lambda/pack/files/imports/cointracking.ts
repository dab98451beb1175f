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
    "Rebates are Other Income, the type that CoinTracking names for fees that are received: it has no negative fee. They are income there, not less fees.",
  advice: [
    "Set the time zone of the CoinTracking account to UTC before the import: it reads the dates in the account's zone.",
    "Import it as a custom CSV.",
  ],
  status:
    "header line: programs of others, in three spellings with the same order of columns; types: CoinTracking's help page, and the exact words in four programs of others; Margin Fee for trading fees: programs of others, which differ; what it does with equal rows: not found.",
};
