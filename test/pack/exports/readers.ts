import { readCsv } from "../../support/rfc4180.ts";

/**
 * Reads the import files by each tool's own rules, without the writer's code.
 */

export interface ReadRow {
  /** ms UTC */
  readonly time: number;
  /** The tool's word for the movement. */
  readonly label: string;
  readonly received: boolean;
  /** × 10^36, above zero */
  readonly amount: bigint;
  readonly currency: string;
  /**
   * The market, if a column holds only that; null: there is no such column, or the row is not about a market.
   */
  readonly market: string | null;
  readonly id: string | null;
  /** Everything by which the tool distinguishes rows; null: it treats every row as separate. */
  readonly twin: string | null;
}

export interface Reader {
  readonly file: string;
  /** The tool's finest time unit, in milliseconds. */
  readonly resolution: number;
  readonly row: (cells: readonly string[]) => ReadRow;
}

/** Throws at the first line that the tool would refuse or misread. example.test.ts holds the headers. */
export function readImport({ file, row }: Reader, text: string): ReadRow[] {
  const [names = [], ...records] = readCsv(text);
  return records.map((cells, at) => {
    if (cells.length !== names.length) {
      throw new Error(`${file}, row ${at}: ${cells.length} cells`);
    }
    try {
      return row(cells);
    } catch (error) {
      throw new Error(`${file}, row ${at}: ${cells.join("|")}`, { cause: error });
    }
  });
}

function check(holds: boolean, what: string): void {
  if (!holds) {
    throw new Error(what);
  }
}

function empty(...cells: readonly (string | undefined)[]): void {
  check(
    cells.every((cell) => cell === ""),
    `not empty: ${cells}`,
  );
}

/** A plain decimal above zero, × 10^36. */
function amountOf(text: string): bigint {
  const { whole = "", fraction = "" } = /^(?<whole>0|[1-9]\d*)\.(?<fraction>\d{2,36})$/.exec(text)?.groups ?? {};
  check(fraction !== "", `not an amount: ${text}`);
  const amount = BigInt(whole + fraction.padEnd(36, "0"));
  check(amount > 0n, `zero: ${text}`);
  return amount;
}

/** Exactly one of two pairs of amount and currency is filled. */
function oneOf(received: readonly (string | undefined)[], sent: readonly (string | undefined)[]) {
  const isReceived = received[0] !== "";
  const [own, other] = isReceived ? [received, sent] : [sent, received];
  empty(...other);
  const [amount = "", currency = ""] = own;
  check(currency !== "", "no currency");
  return { received: isReceived, amount: amountOf(amount), currency };
}

function timeOf(text: string, pattern: RegExp): number {
  const { year, month, day, clock } = pattern.exec(text)?.groups ?? {};
  const iso = `${year}-${month}-${day}T${clock}Z`;
  const time = Date.parse(iso);
  check(!Number.isNaN(time) && new Date(time).toISOString().startsWith(iso.slice(0, 19)), `not a time: ${text}`);
  return time;
}

function labelOf(label: string | undefined, received: boolean, types: Readonly<Record<string, "in" | "out" | "both">>) {
  const direction = types[label ?? ""];
  check(direction === "both" || direction === (received ? "in" : "out"), `${label} is not for ${received}`);
  return label ?? "";
}

const DASHED = /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d) (?<clock>\d\d:\d\d:\d\d)$/;
const TEXT = /^[\p{L}\p{N}%][^,"\r\n]*$/u;

const koinly: Reader = {
  file: "koinly.csv",
  resolution: 1000,
  row([
    date = "",
    sent,
    sentCurrency,
    received,
    receivedCurrency,
    fee,
    feeCurrency,
    worth,
    worthCurrency,
    tag,
    ...rest
  ]) {
    const [description = "", hash] = rest;
    empty(fee, feeCurrency, worth, worthCurrency, hash);
    check(TEXT.test(description), description);
    const side = oneOf([received, receivedCurrency], [sent, sentCurrency]);
    const tags = { "realized gain": "both", "futures fee": "both", "funding fee": "both", "": "both" } as const;
    const label = labelOf(tag, side.received, tags);
    // By its pages: time, currency, amount and hash. This reader also distinguishes rows by tag.
    const twin = [date, side.received, side.currency, side.amount, label].join();
    return { time: timeOf(date, DASHED), label, ...side, market: null, id: null, twin };
  },
};

const cointracking: Reader = {
  file: "cointracking.csv",
  resolution: 1000,
  row([type, buy, buyCurrency, sell, sellCurrency, fee, feeCurrency, exchange, group = "", comment = "", date = ""]) {
    empty(fee, feeCurrency);
    const isTransfer = type === "Deposit" || type === "Withdrawal";
    check(exchange === "fillbook main" && (isTransfer ? group === "" : TEXT.test(group)) && TEXT.test(comment), "text");
    const side = oneOf([buy, buyCurrency], [sell, sellCurrency]);
    const label = labelOf(type, side.received, {
      "Derivatives / Futures Profit": "in",
      "Derivatives / Futures Loss": "out",
      "Margin Fee": "out",
      "Other Income": "in",
      "Other Fee": "out",
      Deposit: "in",
      Withdrawal: "out",
    });
    const isFunding = group === "Funding Rate";
    check(isFunding === comment.includes(" funding "), comment);
    const twin = [date, type, side.currency, side.amount, group].join();
    return {
      time: timeOf(date, DASHED),
      label: isFunding ? `${label}, Funding Rate` : label,
      ...side,
      market: isFunding || isTransfer ? null : group,
      id: null,
      twin,
    };
  },
};

const summ: Reader = {
  file: "summ.csv",
  resolution: 1000,
  row([date = "", type = "", currency = "", amount = "", ...rest]) {
    empty(...rest.slice(0, 7), ...rest.slice(9));
    const [id = "", description = ""] = rest.slice(7);
    check(id !== "" && currency !== "" && TEXT.test(description), "text");
    const types = {
      "realized-profit": "in",
      rebate: "in",
      receive: "in",
      "fiat-deposit": "in",
      "realized-loss": "out",
      "margin-fee": "out",
      send: "out",
      "fiat-withdrawal": "out",
    } as const;
    const received = types[type as keyof typeof types] === "in";
    const label = labelOf(type, received, types);
    const isFiat = currency === "USD" || currency === "EUR"; // among the drawn currencies
    check(!(["receive", "send"].includes(type) && isFiat), type);
    check(!type.startsWith("fiat-") || isFiat, type);
    const time = timeOf(date, DASHED);
    return { time, label, received, amount: amountOf(amount), currency, market: null, id, twin: id };
  },
};

const cointracker: Reader = {
  file: "cointracker.csv",
  resolution: 1000,
  row([date = "", received, receivedCurrency, sent, sentCurrency, fee, feeCurrency, tag]) {
    empty(fee, feeCurrency);
    const side = oneOf([received, receivedCurrency], [sent, sentCurrency]);
    const tags = {
      "margin gain": "in",
      "margin rebate": "in",
      "margin loss": "out",
      "margin fee": "out",
      "": "both",
    } as const;
    const time = timeOf(date, /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4}) (?<clock>\d\d:\d\d:\d\d)$/);
    const label = labelOf(tag, side.received, tags);
    return { time, label, ...side, market: null, id: null, twin: [date, ...Object.values(side), label].join() };
  },
};

const bittytax: Reader = {
  file: "bittytax.csv",
  resolution: 1,
  row([
    type,
    buy,
    buyAsset,
    buyValue,
    sell,
    sellAsset,
    sellValue,
    fee,
    feeAsset,
    feeValue,
    wallet,
    date = "",
    note = "",
  ]) {
    empty(buyValue, sellValue, fee, feeAsset, feeValue);
    const isTransfer = type === "Deposit" || type === "Withdrawal";
    check(wallet === "fillbook main" && (isTransfer ? note === "" : TEXT.test(note) && !note.includes(" ")), "text");
    const side = oneOf([buy, buyAsset], [sell, sellAsset]);
    const types = {
      "Margin-Gain": "in",
      "Margin-Fee-Rebate": "in",
      "Margin-Loss": "out",
      "Margin-Fee": "out",
      Deposit: "in",
      Withdrawal: "out",
    } as const;
    const time = timeOf(date, /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T(?<clock>\d\d:\d\d:\d\d\.\d{3})Z$/);
    const label = labelOf(type, side.received, types);
    // The tool drops no row, but equal rows would look like a mistake.
    const twin = [date, side.currency, side.amount, label, note].join();
    return { time, label, ...side, market: isTransfer ? null : note, id: null, twin };
  },
};

const blockpit: Reader = {
  file: "blockpit.xlsx",
  resolution: 1000,
  row([date = "", integration, word, outAsset, out, inAsset, incoming, feeAsset, fee, comment = "", id = ""]) {
    empty(feeAsset, fee);
    check(integration === "fillbook main" && id !== "" && TEXT.test(comment), "text");
    const side = oneOf([incoming, inAsset], [out, outAsset]);
    const labels = {
      "Derivative Profit": "in",
      "Derivative Loss": "out",
      "Derivative Fee": "out",
      Deposit: "in",
      Withdrawal: "out",
    } as const;
    const time = timeOf(date, /^(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4}) (?<clock>\d\d:\d\d:\d\d)$/);
    return { time, label: labelOf(word, side.received, labels), ...side, market: null, id, twin: id };
  },
};

/** After the source of its importer. The package itself is in no index that pip knows (November 2026). */
const rotki: Reader = {
  file: "rotki.csv",
  resolution: 1,
  row([type, location, currency = "", amount = "", fee, feeCurrency, description = "", timestamp = ""]) {
    empty(fee, feeCurrency);
    check(location === "external" && currency !== "" && TEXT.test(description), "text");
    check(/^\d{13}$/.test(timestamp), timestamp);
    const received = type === "Income" || type === "Deposit";
    const label = labelOf(type, received, { Income: "in", Loss: "out", Deposit: "in", Withdrawal: "out" });
    const time = Number(timestamp);
    return { time, label, received, amount: amountOf(amount), currency, market: null, id: null, twin: null };
  },
};

export const READERS: readonly Reader[] = [koinly, cointracking, summ, cointracker, bittytax, blockpit, rotki];
