/**
 * Each tool's word for a movement. The words for a received fee are in rebates.test.ts. Sources for deposits
 * and withdrawals:
 * - Koinly: a row with only received or only sent, without a tag (support.koinly.io 9490023, "Without any
 *   tags, deposits are considered acquisitions").
 * - CoinTracking: Deposit, Withdrawal (cointracking.freshdesk.com 29000042783).
 * - Summ: receive and send, "a transfer of cryptocurrency to a wallet or exchange"; for a local currency
 *   fiat-deposit and fiat-withdrawal (the types of help.cryptotaxcalculator.io 5777675, as other programs
 *   repeat them).
 * - CoinTracker: Receive and Send, which have no CSV tag (support.cointracker.io 4413049710225).
 * - BittyTax: Deposit, Withdrawal (its source code, bt_types.py).
 * - Blockpit: Deposit, Withdrawal (the labels of its template, as other programs that fill it list them).
 * - rotki: Deposit, Withdrawal (its source code, rotki_events.py).
 */
export const WORDS = {
  "koinly.csv": {
    profit: "realized gain",
    loss: "realized gain",
    fee: "futures fee",
    rebate: "realized gain",
    fundingReceived: "realized gain",
    fundingPaid: "funding fee",
    deposit: "",
    withdrawal: "",
  },
  "cointracking.csv": {
    profit: "Derivatives / Futures Profit",
    loss: "Derivatives / Futures Loss",
    fee: "Margin Fee",
    rebate: "Other Income",
    fundingReceived: "Other Income, Funding Rate",
    fundingPaid: "Other Fee, Funding Rate",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  "summ.csv": {
    profit: "realized-profit",
    loss: "realized-loss",
    fee: "margin-fee",
    rebate: "rebate",
    fundingReceived: "realized-profit",
    fundingPaid: "margin-fee",
    deposit: "receive",
    withdrawal: "send",
  },
  "cointracker.csv": {
    profit: "margin gain",
    loss: "margin loss",
    fee: "margin fee",
    rebate: "margin rebate",
    fundingReceived: "margin gain",
    fundingPaid: "margin fee",
    deposit: "",
    withdrawal: "",
  },
  "bittytax.csv": {
    profit: "Margin-Gain",
    loss: "Margin-Loss",
    fee: "Margin-Fee",
    rebate: "Margin-Fee-Rebate",
    fundingReceived: "Margin-Fee-Rebate",
    fundingPaid: "Margin-Fee",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  "blockpit.xlsx": {
    profit: "Derivative Profit",
    loss: "Derivative Loss",
    fee: "Derivative Fee",
    rebate: "Derivative Profit",
    fundingReceived: "Derivative Profit",
    fundingPaid: "Derivative Fee",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  "rotki.csv": {
    profit: "Income",
    loss: "Loss",
    fee: "Loss",
    rebate: "Income",
    fundingReceived: "Income",
    fundingPaid: "Loss",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
} as const;
