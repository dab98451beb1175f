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
  date: ({ iso }) => iso,
  unitMs: 1,
  rebates: "Rebates are Margin-Fee-Rebate: its report has them beside the fees of the market.",
  advice: [
    "Give the file to the command bittytax.",
    "The values in GBP are empty: BittyTax looks prices up, also that of USDT.",
    "Its report has margin trading beside the capital gains, not in them; it adds up by wallet and note, here the account and the market.",
  ],
  status:
    "columns, types and rules: BittyTax's source code, version 0.6.0, whose own importer reads the file in fillbook's tests; the types for funding: unverified, and open in BittyTax too.",
};
