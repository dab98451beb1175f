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
  advice: "CoinTracker's tax forms leave futures out: take their figures from summary.csv.",
};
