/** The kinds of movements, in the order of the words below. */
export const KINDS = [
  "profit",
  "loss",
  "fee",
  "rebate",
  "fundingReceived",
  "fundingPaid",
  "deposit",
  "withdrawal",
] as const;

export type Kind = (typeof KINDS)[number];

/**
 * Each tool's word for a movement. Sources for a rebate, a received fee; no tool accepts a negative fee (BittyTax
 * refuses it, t_row.py):
 * - Koinly: support.koinly.io 9490023 lists all tags for deposits: Realized PNL is the only one that counts among
 *   other gains, where futures fees are too; "Fee refund" remains an acquisition.
 * - CoinTracking: "You can manually add fees using Other Fee or Other Income" (cointracking.freshdesk.com
 *   29000049593).
 * - Summ: help.cryptotaxcalculator.io 5777675, valid transaction types.
 * - CoinTracker: "Margin rebate indicates a fee refunded for a margin transaction" (support.cointracker.io
 *   4413049710225).
 * - BittyTax: "Tokens received as a rebate of margin fees" (its types; tax.py, CalculateMarginTrading).
 * - Blockpit: what is "either positive or negative" is "Derivative Fee or Derivative Profit"; there is no other label
 *   for derivatives (help.blockpit.io 13586376244124).
 * - rotki: Deposit, Withdrawal, Income, Loss, Spend, Staking are all types that there are (rotki_events.py).
 *
 * Sources for deposits and withdrawals:
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
const WORDS: Readonly<Record<string, readonly string[]>> = {
  "koinly.csv": [
    ...["realized gain", "realized gain", "futures fee", "realized gain"],
    ...["realized gain", "funding fee", "", ""],
  ],
  "cointracking.csv": [
    ...["Derivatives / Futures Profit", "Derivatives / Futures Loss", "Margin Fee", "Other Income"],
    ...["Other Income, Funding Rate", "Other Fee, Funding Rate", "Deposit", "Withdrawal"],
  ],
  "summ.csv": [
    ...["realized-profit", "realized-loss", "margin-fee", "rebate"],
    ...["realized-profit", "margin-fee", "receive", "send"],
  ],
  "cointracker.csv": [
    ...["margin gain", "margin loss", "margin fee", "margin rebate"],
    ...["margin gain", "margin fee", "", ""],
  ],
  "bittytax.csv": [
    ...["Margin-Gain", "Margin-Loss", "Margin-Fee", "Margin-Fee-Rebate"],
    ...["Margin-Fee-Rebate", "Margin-Fee", "Deposit", "Withdrawal"],
  ],
  "blockpit.xlsx": [
    ...["Derivative Profit", "Derivative Loss", "Derivative Fee", "Derivative Profit"],
    ...["Derivative Profit", "Derivative Fee", "Deposit", "Withdrawal"],
  ],
  "rotki.csv": [...["Income", "Loss", "Loss", "Income"], ...["Income", "Loss", "Deposit", "Withdrawal"]],
};

export function wordOf(file: string, kind: Kind, currency: string): string {
  if (file === "summ.csv" && ["USD", "EUR"].includes(currency) && (kind === "deposit" || kind === "withdrawal")) {
    return `fiat-${kind}`;
  }
  return WORDS[file]?.[KINDS.indexOf(kind)] ?? "?";
}
