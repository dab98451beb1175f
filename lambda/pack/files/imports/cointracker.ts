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
  rebates: "Rebates have the tag margin rebate, which CoinTracker calls the opposite of a margin fee.",
  advice: [
    "CoinTracker shows net gains of futures in its tax centre, but leaves them out of its tax forms: take them from summary.csv.",
    "Deposits and withdrawals have no tag: CoinTracker makes a transfer of each whose other side it finds in another of your wallets.",
    "It has no column that tells rows apart: the same file imported twice is most likely counted twice.",
  ],
  status:
    "header and the tags margin gain, margin loss and margin fee: CoinTracker's help pages; that its times are UTC, that margin rebate is the tag of its category Margin rebate, and the tags for funding: unverified.",
};
