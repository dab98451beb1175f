import { isoTime } from "../../core/time.ts";
import { sides, type Tool, type Words } from "./tool.ts";

const TYPES: Words = {
  profit: "Margin-Gain",
  loss: "Margin-Loss",
  fee: "Margin-Fee",
  rebate: "Margin-Fee-Rebate",
  fundingReceived: "Margin-Fee-Rebate",
  fundingPaid: "Margin-Fee",
  deposit: "Deposit",
  withdrawal: "Withdrawal",
};

export const BITTYTAX: Tool = {
  name: "BittyTax",
  file: "bittytax.csv",
  words: TYPES,
  columns: [
    "Type",
    "Buy Quantity",
    "Buy Asset",
    "Buy Value in GBP",
    "Sell Quantity",
    "Sell Asset",
    "Sell Value in GBP",
    "Fee Quantity",
    "Fee Asset",
    "Fee Value in GBP",
    "Wallet",
    "Timestamp",
    "Note",
  ],
  line: (movement, date, source) => {
    const { received, sent } = sides(movement);
    // BittyTax adds up margin rows by wallet and note, so the note holds only the market.
    return `${TYPES[movement.kind]},${received},,${sent},,,,,${source},${date},${movement.market}`;
  },
  date: ({ time }) => isoTime(time),
  advice: "BittyTax looks up the values in GBP itself, and shows margin trading beside the capital gains.",
};
