import { isBlank } from "../../accounting/booked.ts";
import { isBrokenIn } from "../../accounting/breaks.ts";
import type { Posted } from "../../accounting/posted.ts";
import { type Amount, least, tenTo, totalOf, ZERO } from "../../core/amount.ts";
import { minorUnit, quoteCurrencyOf } from "../../core/currency.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { clockText, type Period } from "../../core/period.ts";
import { isWithin, rangeFinder } from "../../core/ranges.ts";
import { compareText } from "../../core/text.ts";
import type { StatedBalance } from "../../inputs/tables.ts";
import type { Agreement, Cash, PackAccount, PackContext } from "../make/maker.ts";
import { account, count, currency, money, note, REQUIRED, SIGNED, text, time } from "./column.ts";
import { type MatchedTransfer, matchTransfers } from "./match-transfers.ts";
import type { Table } from "./table.ts";

/** balance.csv: opening cash + PnL − fees + funding ± transfers = closing cash. */
export const CASH: Table<Cash> = {
  path: "balance.csv",
  description:
    "Proof of cash: opening cash + PnL − fees + funding ± transfers = closing cash, by account and currency, compared with the statements in balances.csv. A statement includes every movement before its time. Without statements, the file shows the movements alone. Cash excludes the unrealised PnL of open positions.",
  columns: [
    account<Cash>((row) => row.account),
    {
      ...currency<Cash>((row) => row.currency),
      description: "Currency of every amount in the row. Empty: fills whose market is not known.",
    },
    time(
      "from",
      "Start of the row's range: movements at this time or later are included.",
      ({ from }) => from,
      REQUIRED,
    ),
    time("to", "End of the row's range: movements before this time are included.", ({ to }) => to, REQUIRED),
    money(
      "opening_cash",
      "Cash balance at from, according to balances.csv. Empty without a statement.",
      ({ opening }) => opening?.amount,
      SIGNED,
    ),
    money(
      "gross_pnl",
      "Realised PnL before fees, by average cost, as venues book it to the cash. Excludes fills whose PnL is not known. Empty if none is known.",
      ({ gross }) => gross,
    ),
    money("net_fees", "Fees less rebates, as in fees.csv. Empty if none is known.", ({ fees }) => fees),
    money("funding", "From funding.csv. Empty if none was given.", ({ funding }) => funding),
    money(
      "transfers",
      "Deposits less withdrawals, from transfers.csv. Empty if none was given.",
      ({ transfers }) => transfers,
    ),
    money(
      ["transfers_between_accounts", "Of which between accounts"],
      "Of transfers: from and to other accounts of this pack, as in transfers.csv.",
      ({ between }) => between,
    ),
    money(
      "movement",
      "gross_pnl − net_fees + funding + transfers. Empty if gross_pnl is.",
      ({ movement }) => movement,
      SIGNED,
    ),
    money("calculated_closing_cash", "opening_cash + movement.", ({ opening, movement }) =>
      movement === null ? null : opening?.amount.plus(movement),
    ),
    money(
      "stated_closing_cash",
      "Cash balance at to, according to balances.csv. Empty without a statement.",
      ({ closing }) => closing?.amount,
      SIGNED,
    ),
    money("difference", "stated_closing_cash − calculated_closing_cash.", ({ difference }) => difference, SIGNED),
    count(
      "fills_not_known",
      "Number of fills whose PnL or fee is not known. Their effect is part of the difference.",
      ({ unknown }) => unknown,
      REQUIRED,
    ),
    text(
      "result",
      "agrees: rounding explains the difference, because it is less than one unit of the last digit of the statements and less than one cent (or the smallest unit of the currency). differs: the difference is larger. not known, no statement: see reason.",
      ({ result }) => result,
      REQUIRED,
    ),
    note(
      "reason",
      "Why nothing was compared: which statements balances.csv lacks, and the times of the nearest statements that it has, in the pack's time zone.",
      ({ missing }) => missing,
    ),
    note("opening_note", "Note of the statement at from, as in balances.csv.", ({ opening }) => opening?.note),
    note("closing_note", "Note of the statement at to, as in balances.csv.", ({ closing }) => closing?.note),
  ],
  rows: { atEnd: ({ cash }) => cash },
};

const NOTHING = {
  ...{ gross: ZERO, fees: ZERO, funding: ZERO, transfers: ZERO, between: ZERO },
  /** Closes whose PnL is known; fills whose fee is, and is not; breaks. */
  ...{ closes: 0, charged: 0, uncharged: 0, breaks: 0, unknown: 0 },
};

interface Span extends Pick<Cash, "from" | "to" | "opening" | "closing" | "missing"> {
  /** What is added up of it. */
  readonly moved: { -readonly [Key in keyof typeof NOTHING]: (typeof NOTHING)[Key] };
}

/** The spans of an account and a currency. */
interface Spans {
  readonly own: PackAccount;
  readonly code: string;
  /** By time, without a gap. */
  readonly all: readonly Span[];
  /** The span of a time of the period. */
  readonly at: (time: number) => Span;
}

/**
 * Adds up the cash between each two of the user's statements. Those within the period and at its ends count. Its
 * size grows with statements, not with fills.
 */
export class CashTally {
  readonly #context: Pick<PackContext, "accounts" | "period" | "methods">;
  /** By account and currency. */
  readonly #spans = new Map<string, Spans>();
  /** Of all accounts, within the period, by time. */
  readonly transfers: readonly MatchedTransfer[];

  constructor(context: Pick<PackContext, "accounts" | "period" | "methods">) {
    this.#context = context;
    const given = context.accounts.flatMap(({ account: name, transfers }) =>
      (transfers ?? []).map((one) => ({ ...one, account: name })),
    );
    this.transfers = matchTransfers(given).filter((one) => isWithin(context.period, one.time));
  }

  add(batch: readonly Posted[]): void {
    for (const posted of batch) {
      const { account: name, trade, fill } = posted;
      const { primary } = this.#context.methods;
      const spans = this.#of(name, trade?.currency ?? quoteCurrencyOf(fill.market) ?? "");
      addFill(spans.at(posted.time), posted, primary === "average");
    }
  }

  #of(name: string, code: string): Spans {
    return getOrMake(this.#spans, `${name}\n${code}`, () => {
      const own = this.#context.accounts.find((one) => one.account === name) as PackAccount;
      const given = own.balances.filter((one) => one.currency === code);
      const all = spansBetween(code, this.#context.period, given);
      return { own, code, all, at: rangeFinder(all) };
    });
  }

  /** By account, currency and time. Once, after all fills. */
  end(): readonly Cash[] {
    const { accounts, period } = this.#context;
    for (const { account: name, funding, balances, breaks } of accounts) {
      for (const payment of funding ?? []) {
        const { moved } = this.#of(name, payment.currency).at(payment.time);
        moved.funding = moved.funding.plus(payment.amount);
      }
      for (const { currency: code } of balances.filter(({ time: when }) => period.from <= when && when <= period.to)) {
        this.#of(name, code);
      }
      for (const one of breaks.filter((any) => isBrokenIn(any, period))) {
        const { all } = this.#of(name, quoteCurrencyOf(one.market) ?? "");
        for (const { moved } of all.filter((span) => isBrokenIn(one, span))) {
          moved.breaks += 1;
        }
      }
    }
    for (const { account: name, currency: code, time: when, amount, other } of this.transfers) {
      const { moved } = this.#of(name, code).at(when);
      moved.transfers = moved.transfers.plus(amount);
      moved.between = moved.between.plus(other === null ? ZERO : amount);
    }
    return [...this.#spans]
      .sort(([a], [b]) => compareText(a, b))
      .flatMap(([, { own, code, all }]) => all.map((span) => cashOf(span, code, own)));
  }
}

function cashOf({ moved, ...span }: Span, code: string, own: PackAccount): Cash {
  const { closes, charged, uncharged, breaks, unknown } = moved;
  const gross = closes > 0 || unknown + breaks === 0 ? moved.gross : null;
  const fees = charged > 0 || uncharged === 0 ? moved.fees : null;
  const funding = own.funding && moved.funding;
  const [transfers, between] = [own.transfers && moved.transfers, own.transfers && moved.between];
  const movement = gross && fees && totalOf([gross, fees.neg(), funding ?? ZERO, transfers ?? ZERO], (one) => one);
  const { opening, closing } = span;
  const stated = opening && closing && ([opening.amount, closing.amount] as const);
  const difference = stated && movement && stated[1].minus(stated[0].plus(movement));
  return {
    ...{ ...span, account: own.account, currency: code },
    missing: span.missing ?? (movement === null ? "no PnL of that time is known" : null),
    ...{ gross, fees, funding, transfers, between, unknown, movement, difference },
    result: stated === null ? "no statement" : agreementOf(code, difference, stated),
  };
}

/** `given`: the statements of the currency by time, including those outside the period. */
function spansBetween(code: string, period: Period, given: readonly StatedBalance[]): Span[] {
  const balances = given.filter(({ time: when }) => when >= period.from && when <= period.to);
  const statedAt = (when: number) => balances.find((balance) => balance.time === when) ?? null;
  const borders = [...new Set([period.from, ...balances.map((balance) => balance.time), period.to])];
  return borders.slice(1).map((to, at) => {
    const from = borders[at] ?? period.from;
    const lacking = [from, to].filter((when) => statedAt(when) === null);
    const missing = lacking.length === 0 ? null : missingText(code, lacking, given, period.zone);
    return { from, to, opening: statedAt(from), closing: statedAt(to), missing, moved: { ...NOTHING } };
  });
}

function missingText(code: string, lacking: readonly number[], given: readonly StatedBalance[], zone: string): string {
  const times = given.map((balance) => balance.time);
  const [first] = times;
  if (first === undefined) {
    return `balances.csv has no statement for ${code === "" ? "a currency that is not known" : code}`;
  }
  const nearest = lacking.map((when) =>
    times.reduce((best, one) => (Math.abs(one - when) < Math.abs(best - when) ? one : best), first),
  );
  const clocks = (all: readonly number[], and: string) =>
    [...new Set(all.map((one) => clockText(one, zone)))].join(` ${and} `);
  const statements = lacking.length === 1 ? "statement" : "statements";
  const are = lacking.length === 1 ? "is" : "are";
  return `balances.csv has no statement for ${clocks(lacking, "or")}; the nearest ${statements} in ${code} ${are} for ${clocks(nearest, "and")}`;
}

/** `isAverage`: the pack is by average cost; else that is its second method. */
function addFill({ moved }: Span, posted: Posted, isAverage: boolean): void {
  const { trade, realised, apart } = posted;
  moved.fees = moved.fees.plus(trade?.fee ?? ZERO);
  moved[trade === null || apart !== null ? "uncharged" : "charged"] += 1;
  if (realised !== null) {
    moved.closes += 1;
    moved.gross = moved.gross.plus((isAverage ? realised : realised.compared).gross);
  } else if (trade === null || isBlank(posted)) {
    moved.unknown += 1;
  }
}

/** Whether rounding explains the difference of two statements. Null: the difference is not known. */
function agreementOf(code: string, difference: Amount | null, stated: readonly Amount[]): Agreement {
  if (difference === null) {
    return "not known";
  }
  // Digits after the point without trailing zeros.
  const places = Math.max(...stated.map((amount) => (String(amount).split(".")[1] ?? "").length));
  return difference.abs().lt(least(tenTo(-places), minorUnit(code))) ? "agrees" : "differs";
}
