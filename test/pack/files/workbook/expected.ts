import type { Decimal } from "decimal.js";
import { type Amount, formatAmount } from "../../../../lambda/accounting/amount.ts";
import type { Booked } from "../../../../lambda/accounting/booked.ts";
import type { OpenLot } from "../../../../lambda/accounting/cost-book.ts";
import { METHOD_STATEMENTS } from "../../../../lambda/accounting/method.ts";
import { localTime, monthsOf } from "../../../../lambda/core/period.ts";
import type { Books } from "../../../accounting/make.ts";
import { Exact, type Row, shown } from "./grid.ts";

/** What the sheets must say, added up anew from the booked fills: without the statement, and in another arithmetic. */

export function exact(amount: Amount): Decimal {
  return new Exact(formatAmount(amount));
}

export function namesOf({ context }: Books): [string, string] {
  const nameOf = (method: 0 | 1) => METHOD_STATEMENTS[context.methods[method]].split(":")[0] ?? "";
  return [nameOf(0), nameOf(1)];
}

export function currencyOf({ fill }: Booked): string {
  return fill.market?.split("-").at(-1) ?? "not known";
}

export function sum<T>(items: readonly T[], of: (item: T) => Amount): Decimal {
  return items.reduce((total, item) => total.plus(exact(of(item))), new Exact(0));
}

/** The columns that Months and Markets share, but for notes. */
export function activityOf(books: Books, booked: readonly Booked[], funding: Decimal | null): Row {
  const trades = booked.flatMap(({ trade }) => (trade === null ? [] : [trade]));
  const known = booked.flatMap(({ realised }) => (realised === null ? [] : [realised]));
  const untyped = booked.length - trades.length;
  const blank = booked.filter(
    ({ trade, closed, after, realised }) => trade !== null && realised === null && (closed > 0n || after === null),
  );
  const isPaidKnown = trades.length > 0 || untyped === 0;
  const isKnown = known.length > 0 || (blank.length === 0 && untyped === 0);
  const results = namesOf(books).map((name, method) => {
    const gross = sum(known, (one) => one[method as 0 | 1].gross);
    const fees = sum(known, (one) => one[method as 0 | 1].fees);
    return {
      [`Realised gross: ${name}`]: isKnown ? shown(gross) : null,
      [`Fees recognised: ${name}`]: isKnown ? shown(fees) : null,
      [`Net excl. funding: ${name}`]: isKnown ? shown(gross.minus(fees)) : null,
    };
  });
  return {
    Fills: String(booked.length),
    "Of them not typed": String(untyped),
    Volume: isPaidKnown ? shown(volumeOf(booked)) : null,
    ...(isPaidKnown
      ? feesOf(trades.map(({ fill }) => new Exact(fill.fee ?? 0)))
      : { "Fees paid": null, Rebates: null }),
    ...results[0],
    ...results[1],
    ...(funding === null ? {} : { Funding: shown(funding) }),
    Closes: String(known.length),
    "Closes of unknown PnL": String(blank.length),
  };
}

export function feesOf(fees: readonly Decimal[]): { readonly "Fees paid": string; readonly Rebates: string } {
  const total = (some: readonly Decimal[]) => shown(some.reduce((all, fee) => all.plus(fee), new Exact(0)));
  return { "Fees paid": total(fees.filter((fee) => fee.gt(0))), Rebates: total(fees.filter((fee) => fee.lt(0))) };
}

/** Rows of Months, without their totals and notes. */
export function monthRows(books: Books): Row[] {
  const { period, funding } = books.context;
  const currencies = [
    ...new Set([...books.booked.map(currencyOf), ...(funding ?? []).map(({ currency }) => currency)]),
  ].sort();
  const monthOf = (time: number) => localTime(time, period.zone).slice(0, 7);
  return monthsOf(period).flatMap(({ name }) =>
    currencies.map((currency) => {
      const own = books.booked.filter((one) => monthOf(one.time) === name && currencyOf(one) === currency);
      const paid = funding?.filter((one) => monthOf(one.time) === name && one.currency === currency);
      const row = activityOf(books, own, paid === undefined ? null : sum(paid, ({ amount }) => amount));
      return { Month: name, Currency: currency, ...row };
    }),
  );
}

const LIQUIDITIES = ["maker", "taker", "other", "untyped"];

function liquidityOf({ trade, fill: { liquidity } }: Booked): number {
  if (trade === null) {
    return 3;
  }
  return ["maker", "taker"].includes(liquidity ?? "") ? LIQUIDITIES.indexOf(liquidity ?? "") : 2;
}

/** Rows of Fees, without their totals. */
export function feeRows({ booked, context: { period } }: Books): Row[] {
  const groups = Map.groupBy(booked, (one) =>
    JSON.stringify([localTime(one.time, period.zone).slice(0, 7), one.fill.market, currencyOf(one), liquidityOf(one)]),
  );
  return [...groups.entries()]
    .sort(([first], [second]) => (first < second ? -1 : 1))
    .map(([key, own]) => {
      const [month, market, currency, liquidity] = JSON.parse(key);
      const names = { Month: month, Market: market, Currency: currency, Liquidity: LIQUIDITIES[liquidity] ?? null };
      const fees = own.map(({ fill }) => new Exact(fill.fee ?? 0));
      const net = fees.reduce((all, fee) => all.plus(fee), new Exact(0));
      const volume = volumeOf(own);
      const amounts = {
        Volume: shown(volume),
        ...feesOf(fees),
        "Fees less rebates": shown(net),
        "In basis points of volume": shown(net.times(10_000).div(volume).toDecimalPlaces(4)),
      };
      const nothing = Object.fromEntries(Object.keys(amounts).map((name) => [name, null]));
      return { ...names, Fills: String(own.length), ...(LIQUIDITIES[liquidity] === "untyped" ? nothing : amounts) };
    });
}

function volumeOf(booked: readonly Booked[]): Decimal {
  const typed = booked.filter(({ trade }) => trade !== null);
  return typed.reduce((all, { fill }) => all.plus(new Exact(fill.quantity ?? 0).times(fill.price ?? 0)), new Exact(0));
}

/** Rows of Closed trades, without their totals. */
export function tradeRows({ booked, context: { period } }: Books): Row[] {
  const local = (ms: number) => localTime(ms, period.zone).slice(0, 23);
  const units = (value: bigint) => shown(new Exact(value.toString()).times("1e-18"));
  return booked.flatMap(({ trip }) =>
    trip === null
      ? []
      : [
          {
            Market: trip.market,
            Currency: trip.currency,
            Side: trip.side,
            [`Opened (${period.zone})`]: local(trip.openedAt),
            [`Closed (${period.zone})`]: local(trip.closedAt),
            Fills: String(trip.fills),
            "Largest position": units(trip.most),
            Quantity: units(trip.quantity),
            "Open value": shown(exact(trip.openValue)),
            "Close value": shown(exact(trip.closeValue)),
            Gross: shown(exact(trip.gross)),
            Fees: shown(exact(trip.fees)),
            "Net excl. funding": shown(exact(trip.gross).minus(exact(trip.fees))),
            "First match_id": trip.first.matchId,
            "First order_id": trip.first.orderId,
            "Last match_id": trip.last.matchId,
            "Last order_id": trip.last.orderId,
          },
        ],
  );
}

/** Rows of Open positions, without their totals and notes, of markets whose PnL is known. */
export function positionRows(books: Books): Row[] {
  const { zone } = books.context.period;
  const names = namesOf(books);
  return books.statement.markets.flatMap(({ market, currency, after }) =>
    ([0, 1] as const).flatMap((method) =>
      after.lots[method].map(({ sign, quantity, value, fee, opener }): Row => {
        const held = new Exact(quantity.toString()).times("1e-18");
        return {
          Market: market,
          Currency: currency,
          Method: names[method],
          Side: sign === 1n ? "long" : "short",
          Quantity: shown(held.times(sign.toString())),
          "Entry price": shown(exact(value).div(held).toDecimalPlaces(18)),
          "Open value": shown(exact(value).times(sign.toString())),
          "Opening fees carried": shown(exact(fee)),
          [`Opened (${zone})`]: localTime(opener.time, zone).slice(0, 23),
          "Opening match_id": opener.matchId,
          "Opening order_id": opener.orderId,
        };
      }),
    ),
  );
}

/** What Summary says of a currency by one method, as exact text; null: not known. */
export function summaryFigures(
  { booked, statement, context }: Books,
  currency: string,
  method: 0 | 1,
): Record<string, string | null> {
  const own = booked.filter((one) => currencyOf(one) === currency);
  const known = own.flatMap(({ realised }) => (realised === null ? [] : [realised[method]]));
  const markets = statement.markets.filter((market) => market.currency === currency);
  const carried = (end: "before" | "after", of: (lot: OpenLot) => Amount): Decimal | null =>
    markets.some((market) => market[end].blank !== null)
      ? null
      : sum(
          markets.flatMap((market) => market[end].lots[method]),
          of,
        );
  const trades = own.flatMap(({ trade }) => (trade === null ? [] : [trade]));
  const fees = sum(trades, ({ fee }) => fee);
  const gross = known.length === 0 ? null : sum(known, (result) => result.gross);
  const recognised = known.length === 0 ? null : sum(known, (result) => result.fees);
  const [feesBefore, feesAfter] = [carried("before", ({ fee }) => fee), carried("after", ({ fee }) => fee)];
  const paid = sum(
    (context.funding ?? []).filter((payment) => payment.currency === currency),
    ({ amount }) => amount,
  );
  const value = (lot: OpenLot) => lot.sign * lot.value;
  const [valueBefore, valueAfter] = [carried("before", value), carried("after", value)];
  const all = {
    "Realised, gross": gross,
    "Fees recognised with it": recognised,
    "Net of recognised fees, excluding funding": added([gross, recognised?.neg()]),
    "Gross less fees paid and rebates, excluding funding": added([gross, fees.neg()]),
    "Opening fees carried at the start": feesBefore,
    "Opening fees carried at the end": feesAfter,
    "Check: carried at the start + paid + rebates − recognised − carried at the end": added([
      feesBefore,
      fees,
      recognised?.neg(),
      feesAfter?.neg(),
    ]),
    "Open value at the start": valueBefore,
    "Open value at the end": valueAfter,
    "Gross + open value at the start − open value at the end": added([gross, valueBefore, valueAfter?.neg()]),
    ...(context.funding === null
      ? {}
      : { "Net of recognised fees, with funding": added([gross, recognised?.neg(), paid]) }),
  };
  return Object.fromEntries(Object.entries(all).map(([name, amount]) => [name, amount?.toFixed() ?? null]));
}

function added(amounts: readonly (Decimal | null | undefined)[]): Decimal | null {
  const known = amounts.filter((amount) => amount instanceof Exact);
  return known.length < amounts.length ? null : known.reduce((total, amount) => total.plus(amount), new Exact(0));
}
