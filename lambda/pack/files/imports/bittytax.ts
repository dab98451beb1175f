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
  rebates: "Rebates have the type Margin-Fee-Rebate. The report of BittyTax shows them beside the fees of the market.",
  advice: [
    "Run the command bittytax with the file.",
    "The values in GBP are empty, because BittyTax looks up prices itself, including the price of USDT.",
    "The report of BittyTax shows margin trading beside the capital gains, not as part of them. It adds up by wallet and note, which are the account and the market here.",
  ],
  status:
    "The columns, types and rules are from the source code of BittyTax 0.6.0, and its importer reads this file in fillbook's tests. Not verified: the types for funding, which are an open question in BittyTax too.",
};
