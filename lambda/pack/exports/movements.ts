import { ALL, addCell, blankCloses, type Cell, emptyCell, totalCell } from "../../accounting/cube/cell.ts";
import type { CubeDay } from "../../accounting/cube/cube.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { type Period, parseTime } from "../../core/period.ts";
import { daysIn, nextDay } from "../../core/period-days.ts";
import { compareText, counted } from "../../core/text.ts";
import { HOUR_MS, isoTime } from "../../core/time.ts";
import type { PackContext } from "../make/maker.ts";
import type { MatchedTransfer } from "../tables/match-transfers.ts";
import { plain } from "./names.ts";

interface About {
  readonly isReceived: boolean;
  /** Its account in a ledger, and the counter-account in journal.csv. */
  readonly role: "realised" | "fees" | "funding" | "transfers";
  readonly counter: string;
  /** What is added up. */
  readonly words: string;
}

/** What moves cash. */
export const KINDS = {
  profit: { isReceived: true, role: "realised", counter: "Realised gains", words: "profits" },
  loss: { isReceived: false, role: "realised", counter: "Realised losses", words: "losses" },
  fee: { isReceived: false, role: "fees", counter: "Fees less rebates", words: "fees less rebates" },
  rebate: { isReceived: true, role: "fees", counter: "Fees less rebates", words: "rebates less fees" },
  fundingReceived: { isReceived: true, role: "funding", counter: "Funding", words: "funding received" },
  fundingPaid: { isReceived: false, role: "funding", counter: "Funding", words: "funding paid" },
  deposit: { isReceived: true, role: "transfers", counter: "Deposits and withdrawals", words: "deposit" },
  withdrawal: { isReceived: false, role: "transfers", counter: "Deposits and withdrawals", words: "withdrawal" },
} as const satisfies Readonly<Record<string, About>>;

export type Kind = keyof typeof KINDS;

interface Group {
  /** The kind if more was received than paid, and otherwise. */
  readonly kinds: readonly [received: Kind, paid: Kind];
  /** Received less paid. */
  readonly amount: (cell: Cell) => Amount;
  /** How many fills or payments it adds up. */
  readonly count: (cell: Cell) => number;
}

/**
 * What becomes one movement: rebates reduce the fees, and paid funding reduces received funding. Profits and
 * losses are both shown.
 */
const GROUPS: readonly Group[] = [
  { kinds: ["profit", "loss"], amount: ({ won }) => won, count: ({ wonCloses }) => wonCloses },
  { kinds: ["profit", "loss"], amount: ({ gross, won }) => gross.minus(won), count: ({ lostCloses }) => lostCloses },
  {
    kinds: ["rebate", "fee"],
    amount: ({ feesPaid, rebates }) => feesPaid.plus(rebates).neg(),
    count: ({ charged }) => charged,
  },
  {
    kinds: ["fundingReceived", "fundingPaid"],
    amount: ({ funding }) => funding,
    count: ({ payments }) => payments,
  },
];

/**
 * One movement of cash: a row of an import file or an entry of a journal, before it gets a program's words.
 * The sum of a local day, market, currency and group, or a transfer.
 */
export interface Movement {
  readonly account: string;
  /** The local day, `2025-03-01`. */
  readonly day: string;
  /** ms UTC */
  readonly time: number;
  readonly kind: Kind;
  /** Above zero. */
  readonly amount: Amount;
  /** The market's settlement currency, or the currency of the transfer. */
  readonly currency: string;
  /** Currency and market as files write them: see plain.ts. */
  readonly symbol: string;
  /** "" for a transfer. */
  readonly market: string;
  /** `profits of 2025-03-01 (3 fills)` */
  readonly text: string;
  /** The text, after the market if there is one. */
  readonly description: string;
  /** Unique, and the same in every run. */
  readonly id: string;
  /** The user's note on a transfer; otherwise "". */
  readonly note: string;
}

/**
 * The movements of cash from which the import files and journals of a pack are made, day by day. Transfers
 * stay single, because a tool finds their other side by time and amount.
 */
export class DailyCash {
  readonly #days: Days;
  readonly #transfers: Movement[];
  readonly #sum = emptyCell(ALL, false);
  #last: { readonly days: readonly CubeDay[]; readonly movements: readonly Movement[] } | null = null;
  #rest: readonly Movement[] | null = null;

  constructor({ period, accounts }: Pick<PackContext, "period" | "accounts">, transfers: readonly MatchedTransfer[]) {
    this.#days = { period, isOfMany: accounts.length > 1 };
    this.#transfers = transfersOf(transfers, daysIn(period));
  }

  /** Those of days that have ended. Several files ask for the same days one after another. */
  of(days: readonly CubeDay[]): readonly Movement[] {
    if (this.#last?.days !== days) {
      const movements = days.flatMap((day) =>
        [...tradedOn(day, this.#days), ...this.#transfersUntil(day.day)].sort(byTimeAndKind),
      );
      this.#last = { days, movements };
      for (const cell of days.flatMap(({ cells }) => cells)) {
        addCell(this.#sum, cell);
      }
    }
    return this.#last.movements;
  }

  /** After all days, for the notes of a file: the user's trades in it, and what it lacks. "": nothing. */
  get notes(): string {
    const { declared, untyped, apart } = this.#sum;
    const lacks = [
      [blankCloses(this.#sum), "PnL", "for which it could not be calculated"],
      [untyped, "fees", "that cannot be read as a trade"],
      [apart, "fees", "of contracts that are not linear"],
    ] as const;
    const left = lacks.flatMap(([fills, what, which]) =>
      fills === 0 ? [] : `${what} of ${counted(fills, "fill")} ${which}`,
    );
    return [
      ...(declared === 0 ? [] : [`With ${counted(declared, "trade")} that the user declared in adjustments.csv.`]),
      ...(left.length === 0 ? [] : [`Left out: ${left.join("; ")}.`]),
    ].join(" ");
  }

  /** Those of the days after all others. */
  rest(): readonly Movement[] {
    this.#rest ??= this.#transfersUntil("9999-12-31");
    return this.#rest;
  }

  #transfersUntil(last: string): Movement[] {
    const later = this.#transfers.findIndex(({ day }) => day > last);
    return this.#transfers.splice(0, later === -1 ? this.#transfers.length : later);
  }
}

function transfersOf(transfers: readonly MatchedTransfer[], dayOf: (time: number) => string): Movement[] {
  const numbers = new Map<number, number>();
  return transfers
    .map(({ account, time, currency, amount, note }): Movement => {
      const number = (numbers.get(time) ?? 0) + 1;
      numbers.set(time, number);
      const kind = amount.gt(ZERO) ? "deposit" : "withdrawal";
      return {
        ...{ account, day: dayOf(time), time, kind, amount: amount.abs(), currency, symbol: plain(currency) },
        ...{ market: "", text: kind, description: kind, id: `transfer/${isoTime(time)}/${number}`, note },
      };
    })
    .sort(byTimeAndKind);
}

export function isReceived(kind: Kind): boolean {
  return KINDS[kind].isReceived;
}

export function isFunding(kind: Kind): boolean {
  return KINDS[kind].role === "funding";
}

export function isTransfer(kind: Kind): boolean {
  return KINDS[kind].role === "transfers";
}

/** By day, then oldest first. A deposit pays for what comes with it, so it comes first, and a withdrawal last. */
function byTimeAndKind(a: Movement, b: Movement): number {
  const rankOf = ({ kind }: Movement) => Number(kind === "withdrawal") - Number(kind === "deposit");
  return compareText(a.day, b.day) || a.time - b.time || rankOf(a) - rankOf(b);
}

interface Days {
  readonly period: Period;
  readonly isOfMany: boolean;
}

/** What was traded on a day, and its funding, by market and currency. */
function tradedOn({ day, cells }: CubeDay, { period, isOfMany }: Days): Movement[] {
  const time = stampOf(day, period);
  const part = partOf(day, period);
  const keyOf = ({ market, currency, account }: Cell) => `${plain(market ?? "")} ${plain(currency ?? "")} ${account}`;
  return [...Map.groupBy(cells, keyOf)]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, alike]) => {
      const { account, market: name, currency } = alike[0] ?? totalCell([]);
      const [market, symbol] = [plain(name ?? ""), plain(currency ?? "")];
      const place = isOfMany ? `${account}/${day}${part}` : day + part;
      const total = totalCell(alike);
      const declared = totalCell(alike.filter(({ kind }) => kind === "declared"));
      return GROUPS.map(({ kinds: [received, paid], amount, count }): Movement => {
        const sum = amount(total);
        const kind = sum.gt(ZERO) ? received : paid;
        const numbers = isFunding(kind)
          ? [[count(total), "payment"] as const]
          : [[count(total) - count(declared), "fill"] as const, [count(declared), "declared trade"] as const];
        const of = numbers.flatMap(([number, what]) => (number === 0 ? [] : counted(number, what)));
        const text = `${KINDS[kind].words} of ${day} (${of.join(" and ")})`;
        return {
          ...{ account: account ?? "", day, time, kind, amount: sum.abs(), currency: currency ?? "", symbol, market },
          ...{ text, description: `${market} ${text}`, id: `daily/${place}/${market}/${symbol}/${kind}`, note: "" },
        };
      });
    })
    .filter(({ amount }) => !amount.isZero());
}

/**
 * `""` for a whole day, whose ids are the same in all packs of its zone. For a day that the period cuts: from
 * when to when.
 */
function partOf(day: string, { zone, from, to }: Period): string {
  const [first, next] = [parseTime(day, zone), parseTime(nextDay(day), zone)];
  return from <= first && next <= to ? "" : `/${isoTime(Math.max(first, from))}-${isoTime(Math.min(next, to))}`;
}

/**
 * The time of a day's movements, ms UTC. 10:00 UTC lies on the same date in all zones from UTC-10 to UTC+13,
 * so a tool that is set to another zone shows the same days. If 10:00 UTC is not in the day or not in the
 * period, the nearest time that is. Whole seconds, because most tools have no finer times.
 */
function stampOf(day: string, { zone, from, to }: Period): number {
  const first = Math.max(parseTime(day, zone), from);
  const last = Math.min(parseTime(nextDay(day), zone), to) - 1;
  const time = Math.min(Math.max(Date.parse(day) + 10 * HOUR_MS, first), last);
  return time - (time % 1000);
}
