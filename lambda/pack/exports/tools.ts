import { isoTime } from "../../core/time.ts";
import { isFunding, isReceived, isTransfer, type Kind, type Movement } from "./movements.ts";

/** How a tax tool wants the movements. docs/adding.md lists the steps to add a tool. */
export interface Tool {
  readonly name: string;
  /** Within imports/. */
  readonly file: string;
  /** Its word for each kind. */
  readonly words: Readonly<Record<Kind, string>>;
  /** In order: the name of each, and what it holds. Nothing: it stays empty. */
  readonly columns: readonly (readonly [head: string, of?: TextOf<ToolRow> | ((row: ToolRow) => string)])[];
  /** The widths of the columns. Given: the tool asks for a spreadsheet. */
  readonly sheetWidths?: readonly number[];
  /** True: every cell is quoted, including the header. */
  readonly quoted?: boolean;
  /** How to import it, and what to know of the tool: sentences. */
  readonly advice: string;
}

/** A movement in a tool's words. Rows that differ only in their text are merged. */
interface ToolRow extends Movement {
  /** The time: in whole seconds, cut off and never rounded, in three forms; and to the millisecond. */
  readonly dashed: string;
  readonly dotted: string;
  readonly slashed: string;
  readonly iso: string;
  readonly ms: string;
  readonly word: string;
  /** The amount with every digit, and at least two places. */
  readonly digits: string;
  /** The account, for columns that name an exchange or a wallet: `fillbook main`. */
  readonly source: string;
  /** The amount and its currency, on the side where cash is received or sent. The other side is empty. */
  readonly received: string;
  readonly receivedIn: string;
  readonly sent: string;
  readonly sentIn: string;
}

type TextOf<Row> = { [Key in keyof Row]: Row[Key] extends string ? Key : never }[keyof Row];

/** The cells of a movement. */
export function cellsOf({ words, columns }: Tool, movement: Movement): string[] {
  const { kind, time, symbol, account } = movement;
  const [whole, fraction = ""] = String(movement.amount).split(".");
  const digits = `${whole}.${fraction.padEnd(2, "0")}`;
  const iso = isoTime(time);
  const [date, clock] = [iso.slice(0, 10), iso.slice(11, 19)];
  const [year, month, day] = date.split("-");
  const [received, sent] = isReceived(kind) ? [digits, ""] : ["", digits];
  const row: ToolRow = {
    ...movement,
    dashed: `${date} ${clock}`,
    dotted: `${day}.${month}.${year} ${clock}`,
    slashed: `${month}/${day}/${year} ${clock}`,
    iso,
    ms: String(time),
    word: words[kind],
    digits,
    source: `fillbook ${account}`,
    received,
    receivedIn: received && symbol,
    sent,
    sentIn: sent && symbol,
  };
  return columns.map(([, of = () => ""]) => (typeof of === "string" ? row[of] : of(row)));
}

/** National currencies, which the tool treats differently from coins. */
const FIAT: ReadonlySet<string> = new Set(
  "AED AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF ILS INR JPY KRW MXN NOK NZD PLN SEK SGD THB TRY USD ZAR".split(" "),
);

function typeOf({ kind, currency, word }: ToolRow): string {
  return isTransfer(kind) && FIAT.has(currency) ? `fiat-${kind}` : word;
}

/** The universal template. */
const KOINLY: Tool = {
  name: "Koinly",
  file: "koinly.csv",
  /** Of the deposit tags in Koinly's help, only one counts as a gain. A received fee has no other. */
  words: {
    profit: "realized gain",
    loss: "realized gain",
    fee: "futures fee",
    rebate: "realized gain",
    fundingReceived: "realized gain",
    fundingPaid: "funding fee",
    deposit: "",
    withdrawal: "",
  },
  columns: [
    ["Date", "dashed"],
    ["Sent Amount", "sent"],
    ["Sent Currency", "sentIn"],
    ["Received Amount", "received"],
    ["Received Currency", "receivedIn"],
    ["Fee Amount"],
    ["Fee Currency"],
    ["Net Worth Amount"],
    ["Net Worth Currency"],
    ["Tag", "word"],
    ["Description", "description"],
    ["TxHash"],
  ],
  advice:
    "Use a separate wallet and Koinly's universal format. Koinly skips rows that equal a row it has or once had, and rows before the lock date.",
};

/** The custom CSV. */
const COINTRACKING: Tool = {
  name: "CoinTracking",
  file: "cointracking.csv",
  words: {
    profit: "Derivatives / Futures Profit",
    loss: "Derivatives / Futures Loss",
    fee: "Margin Fee",
    rebate: "Other Income",
    fundingReceived: "Other Income",
    fundingPaid: "Other Fee",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  columns: [
    ["Type", "word"],
    ["Buy Amount", "received"],
    ["Buy Currency", "receivedIn"],
    ["Sell Amount", "sent"],
    ["Sell Currency", "sentIn"],
    ["Fee"],
    ["Fee Currency"],
    ["Exchange", "source"],
    ["Trade-Group", ({ kind, market }) => (isFunding(kind) ? "Funding Rate" : market)],
    ["Comment", ({ kind, description, text }) => (isFunding(kind) ? description : text)],
    ["Date", "dashed"],
  ],
  quoted: true,
  advice:
    "Set the time zone of the CoinTracking account to UTC first, and use the custom CSV. Rebates count as other income there.",
};

/** The advanced CSV of Summ (formerly CryptoTaxCalculator). */
const SUMM: Tool = {
  name: "Summ (formerly CryptoTaxCalculator)",
  file: "summ.csv",
  words: {
    profit: "realized-profit",
    loss: "realized-loss",
    fee: "margin-fee",
    rebate: "rebate",
    fundingReceived: "realized-profit",
    fundingPaid: "margin-fee",
    deposit: "receive",
    withdrawal: "send",
  },
  columns: [
    ["Timestamp (UTC)", "dashed"],
    ["Type", typeOf],
    ["Base Currency", "symbol"],
    ["Base Amount", "digits"],
    ["Quote Currency (Optional)"],
    ["Quote Amount (Optional)"],
    ["Fee Currency (Optional)"],
    ["Fee Amount (Optional)"],
    ["From (Optional)"],
    ["To (Optional)"],
    ["Blockchain (Optional)"],
    ["ID (Optional)", "id"],
    ["Description (Optional)", "description"],
    ["Reference Price Per Unit (Optional)"],
    ["Reference Price Currency (Optional)"],
  ],
  advice: "Use the advanced CSV with the date format YYYY-MM-DD HH:mm:ss. Summ identifies rows by the column ID.",
};

const COINTRACKER: Tool = {
  name: "CoinTracker",
  file: "cointracker.csv",
  words: {
    profit: "margin gain",
    loss: "margin loss",
    fee: "margin fee",
    rebate: "margin rebate",
    fundingReceived: "margin gain",
    fundingPaid: "margin fee",
    deposit: "",
    withdrawal: "",
  },
  columns: [
    ["Date", "slashed"],
    ["Received Quantity", "received"],
    ["Received Currency", "receivedIn"],
    ["Sent Quantity", "sent"],
    ["Sent Currency", "sentIn"],
    ["Fee Amount"],
    ["Fee Currency"],
    ["Tag", "word"],
  ],
  advice: "CoinTracker's tax forms leave futures out: take their figures from summary.csv.",
};

const BITTYTAX: Tool = {
  name: "BittyTax",
  file: "bittytax.csv",
  words: {
    profit: "Margin-Gain",
    loss: "Margin-Loss",
    fee: "Margin-Fee",
    rebate: "Margin-Fee-Rebate",
    fundingReceived: "Margin-Fee-Rebate",
    fundingPaid: "Margin-Fee",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  columns: [
    ["Type", "word"],
    ["Buy Quantity", "received"],
    ["Buy Asset", "receivedIn"],
    ["Buy Value in GBP"],
    ["Sell Quantity", "sent"],
    ["Sell Asset", "sentIn"],
    ["Sell Value in GBP"],
    ["Fee Quantity"],
    ["Fee Asset"],
    ["Fee Value in GBP"],
    ["Wallet", "source"],
    ["Timestamp", "iso"],
    // BittyTax adds up margin rows by wallet and note, so the note holds only the market.
    ["Note", "market"],
  ],
  advice: "BittyTax looks up the values in GBP itself, and shows margin trading beside the capital gains.",
};

/** Rotki's generic events have no type for futures, so income and loss are used. */
const ROTKI: Tool = {
  name: "rotki",
  file: "rotki.csv",
  words: {
    profit: "Income",
    loss: "Loss",
    fee: "Loss",
    rebate: "Income",
    fundingReceived: "Income",
    fundingPaid: "Loss",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  columns: [
    ["Type", "word"],
    ["Location", () => "external"],
    ["Currency", "symbol"],
    ["Amount", "digits"],
    ["Fee"],
    ["Fee Currency"],
    ["Description", "description"],
    ["Timestamp", "ms"],
  ],
  advice: "Use rotki's generic events, which have no types for futures: gains are income, losses and fees are losses.",
};

const BLOCKPIT: Tool = {
  name: "Blockpit",
  file: "blockpit.xlsx",
  words: {
    profit: "Derivative Profit",
    loss: "Derivative Loss",
    fee: "Derivative Fee",
    rebate: "Derivative Profit",
    fundingReceived: "Derivative Profit",
    fundingPaid: "Derivative Fee",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  columns: [
    ["Date (UTC)", "dotted"],
    ["Integration Name", "source"],
    ["Label", "word"],
    ["Outgoing Asset", "sentIn"],
    ["Outgoing Amount", "sent"],
    ["Incoming Asset", "receivedIn"],
    ["Incoming Amount", "received"],
    ["Fee Asset (optional)"],
    ["Fee Amount (optional)"],
    ["Comment (optional)", "description"],
    ["Trx. ID (optional)", "id"],
  ],
  sheetWidths: [20, 20, 18, 10, 26, 10, 26, 10, 10, 60, 60],
  advice: "Upload it in a manual integration, as a file in Blockpit's template.",
};

/** Each has a file in imports/. */
export const TOOLS: readonly Tool[] = [KOINLY, COINTRACKING, SUMM, COINTRACKER, BITTYTAX, ROTKI, BLOCKPIT];
