import type { Decimal } from "decimal.js";
import { type Amount, formatAmount } from "../../../lambda/accounting/amount.ts";
import type { Booked } from "../../../lambda/accounting/booked.ts";
import type { OpenLot } from "../../../lambda/accounting/cost-book.ts";
import { METHOD_STATEMENTS } from "../../../lambda/accounting/method.ts";
import { localTime, monthsOf } from "../../../lambda/model/period.ts";
import type { Books } from "../../accounting/make.ts";
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
    Fills: String(trades.length),
    Volume: shown(volumeOf(booked)),
    ...feesOf(trades.map(({ fill }) => new Exact(fill.fee ?? 0))),
    ...results[0],
    ...results[1],
    ...(funding === null ? {} : { Funding: shown(funding) }),
    Closes: String(known.length),
    "Closes of unknown PnL": String(blank.length),
    "Fills not typed": String(untyped),
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

const LIQUIDITIES = ["maker", "taker", "other"];

/** Rows of Fees, without their totals. */
export function feeRows({ booked, context: { period } }: Books): Row[] {
  const groups = Map.groupBy(
    booked.filter(({ trade }) => trade !== null),
    (one) => {
      const known = LIQUIDITIES.indexOf(one.fill.liquidity ?? "");
      const liquidity = known === -1 ? LIQUIDITIES.length - 1 : known;
      return JSON.stringify([
        localTime(one.time, period.zone).slice(0, 7),
        one.fill.market,
        currencyOf(one),
        liquidity,
      ]);
    },
  );
  return [...groups.entries()]
    .sort(([first], [second]) => (first < second ? -1 : 1))
    .map(([key, own]) => {
      const [month, market, currency, liquidity] = JSON.parse(key);
      const fees = own.map(({ fill }) => new Exact(fill.fee ?? 0));
      return {
        Month: month,
        Market: market,
        Currency: currency,
        Liquidity: LIQUIDITIES[liquidity] ?? null,
        Fills: String(own.length),
        Volume: shown(volumeOf(own)),
        ...feesOf(fees),
        "Fees less rebates": shown(fees.reduce((all, fee) => all.plus(fee), new Exact(0))),
      };
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

/** What Summary says of a currency by one method, as exact text; results only where one is known. */
export function summaryFigures(
  { booked, statement, context }: Books,
  currency: string,
  method: 0 | 1,
): Record<string, string> {
  const own = booked.filter((one) => currencyOf(one) === currency);
  const known = own.flatMap(({ realised }) => (realised === null ? [] : [realised[method]]));
  const markets = statement.markets.filter((market) => market.currency === currency);
  const carried = (end: "before" | "after", of: (lot: OpenLot) => Amount) =>
    sum(
      markets.flatMap((market) => market[end].lots[method]),
      of,
    );
  const deferred = { before: carried("before", ({ fee }) => fee), after: carried("after", ({ fee }) => fee) };
  const value = (lot: OpenLot) => lot.sign * lot.value;
  const figures = {
    "Opening fees carried at the start": deferred.before,
    "Opening fees carried at the end": deferred.after,
    "Open value at the start": carried("before", value),
    "Open value at the end": carried("after", value),
  };
  const fees = sum(
    own.flatMap(({ trade }) => (trade === null ? [] : [trade])),
    ({ fee }) => fee,
  );
  const gross = sum(known, (result) => result.gross);
  const recognised = sum(known, (result) => result.fees);
  const results = {
    "Realised, gross": gross,
    "Fees recognised with it": recognised,
    "Net of recognised fees, excluding funding": gross.minus(recognised),
    "Gross less fees paid and rebates, excluding funding": gross.minus(fees),
    "Check: carried at the start + paid + rebates − recognised − carried at the end": deferred.before
      .plus(fees)
      .minus(recognised)
      .minus(deferred.after),
  };
  const paid = (context.funding ?? []).filter((payment) => payment.currency === currency);
  const total = gross.minus(recognised).plus(sum(paid, ({ amount }) => amount));
  const all = {
    ...figures,
    ...(known.length === 0 ? {} : results),
    ...(known.length === 0 || context.funding === null ? {} : { "Net of recognised fees, with funding": total }),
  };
  return Object.fromEntries(Object.entries(all).map(([name, amount]) => [name, amount.toFixed()]));
}
