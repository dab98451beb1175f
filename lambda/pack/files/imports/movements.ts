import type { Booked, Funding } from "../../../accounting/booked.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { type Period, parseTime } from "../../../core/period.ts";
import { compareText, counted } from "../../../core/text.ts";
import { HOUR_MS, isoTime } from "../../../core/time.ts";
import type { Transfer } from "../../../inputs/transfers.ts";
import type { PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { takenUntil } from "../../build/taken-until.ts";
import { dayIn, nextDay } from "./day.ts";
import { plain } from "./plain.ts";

type TradedKind = "profit" | "loss" | "fee" | "rebate" | "fundingReceived" | "fundingPaid";
/** What moves cash. */
export type Kind = TradedKind | "deposit" | "withdrawal";
/**
 * What becomes one movement: rebates reduce the fees, and paid funding reduces received funding. Profits and
 * losses are both shown.
 */
type Group = "profit" | "loss" | "fees" | "funding";

/** The kind of a group if more was received than paid, and otherwise. */
const KINDS: Readonly<Record<Group, readonly [received: TradedKind, paid: TradedKind]>> = {
  profit: ["profit", "loss"],
  loss: ["profit", "loss"],
  fees: ["rebate", "fee"],
  funding: ["fundingReceived", "fundingPaid"],
};

const TEXTS: Readonly<Record<TradedKind, string>> = {
  profit: "profits",
  loss: "losses",
  fee: "fees less rebates",
  rebate: "rebates less fees",
  fundingReceived: "funding received",
  fundingPaid: "funding paid",
};

/**
 * One movement of cash: a row of an import file or an entry of a journal, before it gets a program's words.
 * The sum of a local day, market, currency and group, or a transfer.
 */
export interface Movement {
  /** The local day, `2025-03-01`. */
  readonly day: string;
  /** ms UTC */
  readonly time: number;
  readonly kind: Kind;
  /** Above zero. */
  readonly amount: Amount;
  /** The amount as files write it: every digit, and at least two places. */
  readonly digits: string;
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

interface Sum {
  /** Received minus paid. */
  amount: Amount;
  count: number;
}

/** Sums of one market and currency. */
interface Sums {
  readonly market: string;
  readonly currency: string;
  readonly groups: Readonly<Record<Group, Sum>>;
}

interface Day {
  readonly name: string;
  /** By market and currency. */
  readonly sums: Map<string, Sums>;
  readonly transfers: Movement[];
}

/**
 * The movements of cash from which the import files and journals of a pack are made, day by day. Transfers
 * stay single, because a tool finds their other side by time and amount. Two days are in memory: where clocks
 * go back over midnight, part of a day comes again.
 */
export class DailyCash {
  /** The movements of each day that ended with a batch of booked fills. */
  readonly endedWith: (batch: readonly Booked[]) => readonly (readonly Movement[])[];
  readonly #period: Period;
  readonly #dayOf: (time: number) => string;
  readonly #ownUntil: (time: number) => readonly (Funding | Transfer)[];
  /** How many transfers have a time. */
  readonly #transfers = new Map<number, number>();
  readonly #days: Day[] = [];
  #rest: readonly (readonly Movement[])[] | null = null;

  constructor({ period, funding, transfers }: PackContext) {
    this.#period = period;
    this.#dayOf = dayIn(period);
    this.#ownUntil = takenUntil([...(funding ?? []), ...(transfers ?? [])].sort((a, b) => a.time - b.time));
    this.endedWith = memoizeLast((batch) => {
      const ended: Day[] = [];
      for (const { time, trade, realised } of batch) {
        this.#takeOwn(time);
        if (trade !== null) {
          const gross = realised?.gross ?? ZERO;
          this.#add(gross.gt(ZERO) ? "profit" : "loss", gross, trade);
          this.#add("fees", trade.fee.neg(), trade);
        }
        ended.push(...this.#days.splice(0, this.#days.length - 2));
      }
      return ended.map((day) => movementsOf(day, this.#period));
    });
  }

  /** The other days, after all fills. */
  rest(): readonly (readonly Movement[])[] {
    if (this.#rest === null) {
      this.#takeOwn(Number.POSITIVE_INFINITY);
      this.#rest = this.#days.map((day) => movementsOf(day, this.#period));
    }
    return this.#rest;
  }

  #takeOwn(until: number): void {
    for (const own of this.#ownUntil(until)) {
      if ("market" in own) {
        this.#add("funding", own.amount, own);
      } else {
        this.#addTransfer(own);
      }
    }
  }

  #add(group: Group, amount: Amount, { time, market, currency }: Omit<Funding, "amount">): void {
    if (!amount.isZero()) {
      const none = (): Sum => ({ amount: ZERO, count: 0 });
      const { groups } = getOrMake(this.#dayAt(time).sums, `${plain(market)} ${plain(currency)}`, () => ({
        market,
        currency,
        groups: { profit: none(), loss: none(), fees: none(), funding: none() },
      }));
      const sum = groups[group];
      sum.amount = sum.amount.plus(amount);
      sum.count += 1;
    }
  }

  #addTransfer({ time, currency, amount, note }: Transfer): void {
    const number = (this.#transfers.get(time) ?? 0) + 1;
    this.#transfers.set(time, number);
    const day = this.#dayAt(time);
    const kind = amount.gt(ZERO) ? "deposit" : "withdrawal";
    day.transfers.push({
      ...{ day: day.name, time, kind, ...sizeOf(amount), currency, symbol: plain(currency), market: "" },
      ...{ text: kind, description: kind, id: `transfer/${isoTime(time)}/${number}`, note },
    });
  }

  #dayAt(time: number): Day {
    const name = this.#dayOf(time);
    const last = this.#days.at(-1); // mostly
    const held = last?.name === name ? last : this.#days.find((day) => day.name === name);
    if (held !== undefined) {
      return held;
    }
    const added = { name, sums: new Map(), transfers: [] };
    this.#days.push(added);
    return added;
  }
}

export function isReceived(kind: Kind): boolean {
  return kind === "profit" || kind === "rebate" || kind === "fundingReceived" || kind === "deposit";
}

export function isFunding(kind: Kind): boolean {
  return kind === "fundingReceived" || kind === "fundingPaid";
}

export function isTransfer(kind: Kind): boolean {
  return kind === "deposit" || kind === "withdrawal";
}

/** An amount without its sign, also as files write it. */
export function sizeOf(signed: Amount): Pick<Movement, "amount" | "digits"> {
  const amount = signed.abs();
  const [whole = "", fraction = ""] = String(amount).split(".");
  return { amount, digits: `${whole}.${fraction.padEnd(2, "0")}` };
}

/** Oldest first. A deposit pays for what comes with it, so it comes first, and a withdrawal last. */
function movementsOf({ name, sums, transfers }: Day, period: Period): Movement[] {
  const rankOf = ({ kind }: Movement) => Number(kind === "withdrawal") - Number(kind === "deposit");
  const own = { day: name, time: stampOf(name, period), part: partOf(name, period) };
  return [...sums]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([, sum]) => tradedOf(sum, own))
    .concat(transfers)
    .sort((a, b) => a.time - b.time || rankOf(a) - rankOf(b));
}

function tradedOf(
  { market: name, currency, groups }: Sums,
  { day, time, part }: { readonly day: string; readonly time: number; readonly part: string },
): Movement[] {
  const [market, symbol] = [plain(name), plain(currency)];
  return Object.entries(groups).flatMap(([group, { amount, count }]) => {
    const [received, paid] = KINDS[group as Group];
    const kind = amount.gt(ZERO) ? received : paid;
    const text = `${TEXTS[kind]} of ${day} (${counted(count, isFunding(kind) ? "payment" : "fill")})`;
    const movement: Movement = {
      ...{ day, time, kind, ...sizeOf(amount), currency, symbol, market },
      ...{ text, description: `${market} ${text}`, id: `daily/${day}${part}/${market}/${symbol}/${kind}`, note: "" },
    };
    return amount.isZero() ? [] : [movement];
  });
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
