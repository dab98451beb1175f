/** The kinds of movements, in the order of the words below. */
export const KINDS = "profit loss fee rebate fundingReceived fundingPaid deposit withdrawal".split(" ") as Kind[];

export type Kind = "profit" | "loss" | "fee" | "rebate" | "fundingReceived" | "fundingPaid" | "deposit" | "withdrawal";

/** What is known of a tool from its vendor: all that the tests of its file need. */
export interface KnownTool {
  /** Within imports/. */
  readonly file: string;
  /** Its finest time unit, in milliseconds. */
  readonly resolution: number;
  readonly time: RegExp;
  /**
   * What each column holds: a name, `-` if it must be empty, or `=` and what it must be. Amounts are `in` or `out`, or
   * on the side that the word says.
   */
  readonly columns: string;
  /** The columns by which it distinguishes rows. None: it treats every row as separate. */
  readonly twin: readonly string[];
  /** Its word for each kind; no tool accepts a negative fee for a rebate. */
  readonly words: readonly string[];
  /** The file of the example, B1@100/0.10 S3@110/0.33 B2@112/0.21, to the byte. */
  readonly sample: readonly string[];
}

const DASHED = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d) (?<clock>\d\d:\d\d:\d\d)$/;
const SIDES = ["in", "inCurrency", "out", "outCurrency"];

/** In the order of a pack. */
export const KNOWN_TOOLS: readonly KnownTool[] = [
  {
    file: "koinly.csv",
    resolution: 1000,
    time: DASHED,
    columns: "time,out,outCurrency,in,inCurrency,-,-,-,-,word,text,-",
    // By its pages: time, currency, amount and hash. This reader also distinguishes rows by tag.
    twin: ["time", ...SIDES, "word"],
    // support.koinly.io 9490023 lists all tags for deposits: Realized PNL is the only one that counts among other
    // gains, where futures fees are too; "Fee refund" remains an acquisition. "Without any tags, deposits are
    // considered acquisitions": a row with only received or only sent.
    words: [
      ...["realized gain", "realized gain", "futures fee", "realized gain"],
      ...["realized gain", "funding fee", "", ""],
    ],
    sample: [
      "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Tag,Description,TxHash",
      "2025-03-01 10:00:00,,,10.00,USDT,,,,,realized gain,BTC-USDT profits of 2025-03-01 (1 fill),",
      "2025-03-01 10:00:00,4.00,USDT,,,,,,,realized gain,BTC-USDT losses of 2025-03-01 (1 fill),",
      "2025-03-01 10:00:00,0.64,USDT,,,,,,,futures fee,BTC-USDT fees less rebates of 2025-03-01 (3 fills),",
    ],
  },
  {
    file: "cointracking.csv",
    resolution: 1000,
    time: DASHED,
    columns: "word,in,inCurrency,out,outCurrency,-,-,=fillbook main,market,text,time",
    twin: ["time", "word", ...SIDES, "market"],
    // "You can manually add fees using Other Fee or Other Income" (cointracking.freshdesk.com 29000049593); Deposit,
    // Withdrawal: 29000042783.
    words: [
      ...["Derivatives / Futures Profit", "Derivatives / Futures Loss", "Margin Fee", "Other Income"],
      ...["Other Income, Funding Rate", "Other Fee, Funding Rate", "Deposit", "Withdrawal"],
    ],
    sample: [
      '"Type","Buy Amount","Buy Currency","Sell Amount","Sell Currency","Fee","Fee Currency","Exchange","Trade-Group","Comment","Date"',
      '"Derivatives / Futures Profit","10.00","USDT","","","","","fillbook main","BTC-USDT","profits of 2025-03-01 (1 fill)","2025-03-01 10:00:00"',
      '"Derivatives / Futures Loss","","","4.00","USDT","","","fillbook main","BTC-USDT","losses of 2025-03-01 (1 fill)","2025-03-01 10:00:00"',
      '"Margin Fee","","","0.64","USDT","","","fillbook main","BTC-USDT","fees less rebates of 2025-03-01 (3 fills)","2025-03-01 10:00:00"',
    ],
  },
  {
    file: "summ.csv",
    resolution: 1000,
    time: DASHED,
    columns: "time,word,currency,amount,-,-,-,-,-,-,-,id,text,-,-",
    twin: ["id"],
    // help.cryptotaxcalculator.io 5777675, valid transaction types: receive and send are "a transfer of cryptocurrency
    // to a wallet or exchange"; for a local currency fiat-deposit and fiat-withdrawal, as other programs repeat them.
    words: [
      ...["realized-profit", "realized-loss", "margin-fee", "rebate"],
      ...["realized-profit", "margin-fee", "receive", "send"],
    ],
    sample: [
      "Timestamp (UTC),Type,Base Currency,Base Amount,Quote Currency (Optional),Quote Amount (Optional),Fee Currency (Optional),Fee Amount (Optional),From (Optional),To (Optional),Blockchain (Optional),ID (Optional),Description (Optional),Reference Price Per Unit (Optional),Reference Price Currency (Optional)",
      "2025-03-01 10:00:00,realized-profit,USDT,10.00,,,,,,,,daily/2025-03-01/BTC-USDT/USDT/profit,BTC-USDT profits of 2025-03-01 (1 fill),,",
      "2025-03-01 10:00:00,realized-loss,USDT,4.00,,,,,,,,daily/2025-03-01/BTC-USDT/USDT/loss,BTC-USDT losses of 2025-03-01 (1 fill),,",
      "2025-03-01 10:00:00,margin-fee,USDT,0.64,,,,,,,,daily/2025-03-01/BTC-USDT/USDT/fee,BTC-USDT fees less rebates of 2025-03-01 (3 fills),,",
    ],
  },
  {
    file: "cointracker.csv",
    resolution: 1000,
    time: /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4}) (?<clock>\d\d:\d\d:\d\d)$/,
    columns: "time,in,inCurrency,out,outCurrency,-,-,word",
    twin: ["time", ...SIDES, "word"],
    // "Margin rebate indicates a fee refunded for a margin transaction"; Receive and Send have no CSV tag
    // (support.cointracker.io 4413049710225).
    words: [...["margin gain", "margin loss", "margin fee", "margin rebate"], ...["margin gain", "margin fee", "", ""]],
    sample: [
      "Date,Received Quantity,Received Currency,Sent Quantity,Sent Currency,Fee Amount,Fee Currency,Tag",
      "03/01/2025 10:00:00,10.00,USDT,,,,,margin gain",
      "03/01/2025 10:00:00,,,4.00,USDT,,,margin loss",
      "03/01/2025 10:00:00,,,0.64,USDT,,,margin fee",
    ],
  },
  {
    file: "bittytax.csv",
    resolution: 1,
    time: /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<clock>\d\d:\d\d:\d\d\.\d{3})Z$/,
    columns: "word,in,inCurrency,-,out,outCurrency,-,-,-,-,=fillbook main,time,market",
    // The tool drops no row, but equal rows would look like a mistake.
    twin: ["time", ...SIDES, "word", "market"],
    // "Tokens received as a rebate of margin fees" (bt_types.py; tax.py, CalculateMarginTrading). It refuses a negative
    // fee (t_row.py).
    words: [
      ...["Margin-Gain", "Margin-Loss", "Margin-Fee", "Margin-Fee-Rebate"],
      ...["Margin-Fee-Rebate", "Margin-Fee", "Deposit", "Withdrawal"],
    ],
    sample: [
      "Type,Buy Quantity,Buy Asset,Buy Value in GBP,Sell Quantity,Sell Asset,Sell Value in GBP,Fee Quantity,Fee Asset,Fee Value in GBP,Wallet,Timestamp,Note",
      "Margin-Gain,10.00,USDT,,,,,,,,fillbook main,2025-03-01T10:00:00.000Z,BTC-USDT",
      "Margin-Loss,,,,4.00,USDT,,,,,fillbook main,2025-03-01T10:00:00.000Z,BTC-USDT",
      "Margin-Fee,,,,0.64,USDT,,,,,fillbook main,2025-03-01T10:00:00.000Z,BTC-USDT",
    ],
  },
  // After the source of its importer, rotki_events.py. Its package is in no index that pip knows (November 2026).
  {
    file: "rotki.csv",
    resolution: 1,
    time: /^(?<ms>\d{13})$/,
    columns: "word,=external,currency,amount,-,-,text,time",
    twin: [],
    // Deposit, Withdrawal, Income, Loss, Spend, Staking are all types that there are.
    words: [...["Income", "Loss", "Loss", "Income"], ...["Income", "Loss", "Deposit", "Withdrawal"]],
    sample: [
      "Type,Location,Currency,Amount,Fee,Fee Currency,Description,Timestamp",
      "Income,external,USDT,10.00,,,BTC-USDT profits of 2025-03-01 (1 fill),1740823200000",
      "Loss,external,USDT,4.00,,,BTC-USDT losses of 2025-03-01 (1 fill),1740823200000",
      "Loss,external,USDT,0.64,,,BTC-USDT fees less rebates of 2025-03-01 (3 fills),1740823200000",
    ],
  },
  {
    file: "blockpit.xlsx",
    resolution: 1000,
    time: /^(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4}) (?<clock>\d\d:\d\d:\d\d)$/,
    columns: "time,=fillbook main,word,outCurrency,out,inCurrency,in,-,-,text,id",
    twin: ["id"],
    // What is "either positive or negative" is "Derivative Fee or Derivative Profit"; there is no other label for
    // derivatives (help.blockpit.io 13586376244124). Deposit, Withdrawal: the labels of its template, as other programs
    // that fill it list them.
    words: [
      ...["Derivative Profit", "Derivative Loss", "Derivative Fee", "Derivative Profit"],
      ...["Derivative Profit", "Derivative Fee", "Deposit", "Withdrawal"],
    ],
    sample: [
      "Date (UTC),Integration Name,Label,Outgoing Asset,Outgoing Amount,Incoming Asset,Incoming Amount,Fee Asset (optional),Fee Amount (optional),Comment (optional),Trx. ID (optional)",
      "01.03.2025 10:00:00,fillbook main,Derivative Profit,,,USDT,10.00,,,BTC-USDT profits of 2025-03-01 (1 fill),daily/2025-03-01/BTC-USDT/USDT/profit",
      "01.03.2025 10:00:00,fillbook main,Derivative Loss,USDT,4.00,,,,,BTC-USDT losses of 2025-03-01 (1 fill),daily/2025-03-01/BTC-USDT/USDT/loss",
      "01.03.2025 10:00:00,fillbook main,Derivative Fee,USDT,0.64,,,,,BTC-USDT fees less rebates of 2025-03-01 (3 fills),daily/2025-03-01/BTC-USDT/USDT/fee",
    ],
  },
];

export function wordOf(file: string, kind: Kind, currency: string): string {
  if (file === "summ.csv" && ["USD", "EUR"].includes(currency) && (kind === "deposit" || kind === "withdrawal")) {
    return `fiat-${kind}`;
  }
  return KNOWN_TOOLS.find((tool) => tool.file === file)?.words[KINDS.indexOf(kind)] ?? "?";
}
