import { seconds, sides, type Tool, type Words } from "./tool.ts";

const TAGS: Words = {
  profit: "margin gain",
  loss: "margin loss",
  fee: "margin fee",
  rebate: "margin rebate",
  fundingReceived: "margin gain",
  fundingPaid: "margin fee",
  deposit: "",
  withdrawal: "",
};

export const COINTRACKER: Tool = {
  name: "CoinTracker",
  file: "cointracker.csv",
  words: TAGS,
  columns: [
    "Date",
    "Received Quantity",
    "Received Currency",
    "Sent Quantity",
    "Sent Currency",
    "Fee Amount",
    "Fee Currency",
    "Tag",
  ],
  line: (movement, date) => {
    const { received, sent } = sides(movement);
    return `${date},${received},${sent},,,${TAGS[movement.kind]}`;
  },
  date: (movement) => seconds(movement, (year, month, day) => `${month}/${day}/${year}`),
  unitMs: 1000,
  rebates: "Rebates have the tag margin rebate, which CoinTracker describes as the opposite of a margin fee.",
  advice: [
    "CoinTracker shows net gains of futures in its tax centre, but not in its tax forms. Take the figures for the forms from summary.csv.",
    "Deposits and withdrawals have no tag. If CoinTracker finds the other side in another of your wallets, it records a transfer.",
    "The file has no column that identifies rows, so a file that is imported twice is most likely counted twice.",
  ],
  status:
    "CoinTracker's help pages give the header and the tags margin gain, margin loss and margin fee. Not verified: that times are UTC, that margin rebate is the tag of the category Margin rebate, and the tags for funding.",
};
