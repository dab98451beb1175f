import { type Amount, formatAmount } from "../../../accounting/amount.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { type Period, parseTime } from "../../../core/period.ts";
import { compareText } from "../../../core/text.ts";
import { HOUR_MS, isoTime } from "../../../core/time.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { dayIn, nextDay } from "../journals/day.ts";
import { byOrder, type Cash, countedOf, isReceived, type Kind, type Movement, sizeOf, wordsOf } from "./cash.ts";

type TradedKind = Exclude<Kind, "deposit" | "withdrawal">;
type Group = "profit" | "loss" | "fees" | "funding";

/**
 * What becomes one movement: rebates reduce the fees, and paid funding reduces received funding. Profits and
 * losses are both shown.
 */
const GROUPS: Readonly<Record<TradedKind, Group>> = {
  profit: "profit",
  loss: "loss",
  fee: "fees",
  rebate: "fees",
  fundingReceived: "funding",
  fundingPaid: "funding",
};

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

interface Sum {
  /** Received minus paid. */
  amount: Amount;
  count: number;
}

/** Sums of one market and currency. */
interface Sums {
  readonly market: string;
  readonly currency: string;
  readonly symbol: string;
  readonly groups: Readonly<Record<Group, Sum>>;
}

interface Day {
  readonly name: string;
  /** By market and currency. */
  readonly sums: Map<string, Sums>;
  readonly transfers: Movement[];
}

/**
 * The same cash with one movement for each local day, market, currency and group. Transfers stay single,
 * because a tool finds their other side by time and amount. Two days are in memory: where clocks go back over
 * midnight, part of a day comes again.
 */
export function dailyCashOf(cash: Cash, period: Period): Cash {
  const dayOf = dayIn(period);
  const days: Day[] = [];
  const dayNamed = (name: string): Day => {
    const last = days.at(-1); // mostly
    const held = last?.name === name ? last : days.find((day) => day.name === name);
    if (held !== undefined) {
      return held;
    }
    const added = { name, sums: new Map(), transfers: [] };
    days.push(added);
    return added;
  };
  const take = (movements: readonly Movement[]): Movement[] => {
    const ended: Movement[] = [];
    for (const movement of movements) {
      addTo(dayNamed(dayOf(movement.time)), movement);
      if (days.length > 2) {
        ended.push(...days.splice(0, 1).flatMap((day) => movementsOf(day, period)));
      }
    }
    return ended;
  };
  let rest: readonly Movement[] | null = null;
  return {
    of: memoizeLast((batch) => take(cash.of(batch))),
    rest() {
      rest ??= [...take(cash.rest()), ...days.splice(0).flatMap((day) => movementsOf(day, period))];
      return rest;
    },
  };
}

function addTo({ sums, transfers }: Day, movement: Movement): void {
  const { kind, market, currency, symbol, amount } = movement;
  if (kind === "deposit" || kind === "withdrawal") {
    transfers.push(movement);
    return;
  }
  const { groups } = getOrMake(sums, `${market} ${currency}`, () => noSums(market, currency, symbol));
  const sum = groups[GROUPS[kind]];
  sum.amount += isReceived(kind) ? amount : -amount;
  sum.count += 1;
}

function noSums(market: string, currency: string, symbol: string): Sums {
  const none = (): Sum => ({ amount: 0n, count: 0 });
  return { market, currency, symbol, groups: { profit: none(), loss: none(), fees: none(), funding: none() } };
}

function movementsOf({ name, sums, transfers }: Day, period: Period): Movement[] {
  const time = stampOf(name, period);
  const part = partOf(name, period);
  const sorted = [...sums].sort(([a], [b]) => compareText(a, b));
  const traded = sorted.flatMap(([, own]) =>
    Object.entries(own.groups)
      .filter(([, { amount }]) => amount !== 0n)
      .map(([group, sum]) => movementOf(own, KINDS[group as Group], sum, { name, part, time })),
  );
  return [...traded, ...transfers].sort(byOrder);
}

function movementOf(
  { market, currency, symbol }: Sums,
  [received, paid]: readonly [TradedKind, TradedKind],
  { amount, count }: Sum,
  { name, part, time }: { readonly name: string; readonly part: string; readonly time: number },
): Movement {
  const kind = amount > 0n ? received : paid;
  return {
    time,
    iso: isoTime(time),
    kind,
    ...sizeOf(amount, formatAmount(amount)),
    currency,
    symbol,
    market,
    ...wordsOf(market, `${TEXTS[kind]} of ${name} (${countedOf(kind, count)})`),
    id: `daily/${name}${part}/${market}/${symbol}/${kind}`,
    matchId: null,
    orderId: null,
  };
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
