import type { Decimal } from "decimal.js";
import type { Booked } from "../../../lambda/accounting/booked.ts";
import { METHOD_NAMES } from "../../../lambda/accounting/method.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import { localTime, monthsOf } from "../../../lambda/core/period.ts";
import type { Books } from "../../accounting/make.ts";
import { carriedOf, currencyOf, Exact, exact, liquidityOf, monthOf, plain, type Sums, sumsOf, total } from "../sums.ts";
import { type Row, shown } from "./grid.ts";

/** The expected content of the sheets, from the sums of the booked fills. */

export function namesOf({ context: { methods } }: Books) {
  return { primary: METHOD_NAMES[methods.primary], reference: METHOD_NAMES[methods.reference] };
}

/** Null: there are results, but none is known. */
function resultsOf(
  { closes, blank, untyped }: Sums,
  { gross, fees }: Pick<Sums, "gross" | "fees">,
): readonly (Decimal | null)[] {
  const isKnown = closes > 0 || (blank === 0 && untyped === 0);
  return isKnown ? [gross, fees, gross.minus(fees)] : [null, null, null];
}

function shownOrNull(amount: Decimal | null | undefined): string | null {
  return amount === null || amount === undefined ? null : shown(amount);
}

/** The columns that Months and Markets share, except for notes and what other columns add up. */
export function activityOf(books: Books, booked: readonly Booked[], isPaid: (payment: Payment) => boolean): Row {
  const sums = sumsOf(booked);
  const isFeeKnown = sums.fills > sums.untyped || sums.untyped === 0;
  const [gross, fees, net] = resultsOf(sums, sums);
  const funding = fundingOf(books, isPaid);
  return {
    Fills: String(booked.length),
    "Unreadable fills": String(sums.untyped),
    Volume: isFeeKnown ? shown(sums.volume) : null,
    "Fees paid": isFeeKnown ? shown(sums.paid) : null,
    Rebates: isFeeKnown ? shown(sums.rebates) : null,
    "Gross realised PnL": shownOrNull(gross),
    "Fees on closed positions": shownOrNull(fees),
    "Net realised PnL, excl. funding": shownOrNull(net),
    ...(funding === null ? {} : { "Funding received less paid": shown(funding) }),
    "Closing fills": String(sums.closes),
    "Closing fills without PnL": String(sums.blank),
  };
}

type Payment = NonNullable<Books["own"]["funding"]>[number];

function fundingOf({ own }: Books, isPaid: (payment: Payment) => boolean): Decimal | null {
  return own.funding && total(own.funding.filter(isPaid).map(({ amount }) => exact(amount)));
}

/** Rows of Months, without totals and notes. */
export function monthRows(books: Books): Row[] {
  const { period } = books.context;
  const { funding } = books.own;
  const currencies = new Set([...books.booked.map(currencyOf), ...(funding ?? []).map(({ currency }) => currency)]);
  return [...currencies].sort().flatMap((currency) =>
    monthsOf(period).map(({ name }) => {
      const isOf = (one: { readonly time: number }) => monthOf(one, period.zone) === name;
      const own = books.booked.filter((one) => isOf(one) && currencyOf(one) === currency);
      const isPaid = (payment: Payment) => isOf(payment) && payment.currency === currency;
      return { Month: name, Currency: currency, ...activityOf(books, own, isPaid) };
    }),
  );
}

const LIQUIDITY_ORDER = ["maker", "taker", "other", "untyped"] as const;

/** Rows of Fees, without totals. */
export function feeRows({ booked, context: { period } }: Books): Row[] {
  const groups = Map.groupBy(booked, (one) =>
    JSON.stringify([
      monthOf(one, period.zone),
      one.fill.market,
      currencyOf(one),
      LIQUIDITY_ORDER.indexOf(liquidityOf(one)),
    ]),
  );
  return [...groups.entries()]
    .sort(([first], [second]) => (first < second ? -1 : 1))
    .map(([key, own]) => {
      const [month, market, currency, liquidity] = JSON.parse(key);
      const { paid, rebates, volume, untyped } = sumsOf(own);
      const net = paid.plus(rebates);
      const amounts = {
        Volume: volume,
        "Fees paid": paid,
        Rebates: rebates,
        "Fees less rebates": net,
        "Basis points of volume": net.times(10_000).div(volume).toDecimalPlaces(4),
      };
      return {
        Month: month,
        Market: market,
        Currency: currency,
        Liquidity: LIQUIDITY_ORDER[liquidity] ?? null,
        Fills: String(own.length),
        ...Object.fromEntries(Object.entries(amounts).map(([head, one]) => [head, untyped > 0 ? null : shown(one)])),
      };
    });
}

/** Rows of Closed trades, without totals. */
export function tradeRows({ booked, context: { period } }: Books): Row[] {
  const local = (ms: number) => localTime(ms, period.zone).slice(0, 23);
  const trips = booked.flatMap(({ trip }) => (trip === null ? [] : [trip]));
  return trips.map((trip) => ({
    Market: trip.market,
    Currency: trip.currency,
    Side: trip.side,
    [`Opened (${period.zone})`]: local(trip.openedAt),
    [`Closed (${period.zone})`]: local(trip.closedAt),
    Fills: String(trip.fills),
    "Largest position": shown(exact(trip.most)),
    Quantity: shown(exact(trip.quantity)),
    "Open value": shown(exact(trip.openValue)),
    "Close value": shown(exact(trip.closeValue)),
    "Gross PnL": shown(exact(trip.gross)),
    Fees: shown(exact(trip.fees)),
    "Net PnL excl. funding": shown(exact(trip.gross).minus(exact(trip.fees))),
    "First match_id": trip.first.matchId,
    "First order_id": trip.first.orderId,
    "Last match_id": trip.last.matchId,
    "Last order_id": trip.last.orderId,
  }));
}

/** Rows of Realised, without totals and notes. */
export function realisedRows({ booked, context: { period } }: Books): Row[] {
  const local = (ms: number) => localTime(ms, period.zone).slice(0, 23);
  return booked.flatMap((one) => {
    const { fill, trade, realised, closed, after } = one;
    const common = {
      [`Closed (${period.zone})`]: local(one.time),
      Market: fill.market,
      Currency: currencyOf(one),
      Side: fill.side === "buy" ? "short" : "long",
      "Closing match_id": fill.matchId,
      "Closing order_id": fill.orderId,
    };
    if (trade !== null && realised === null && (closed.gt(ZERO) || after === null)) {
      const known = closed.gt(ZERO) ? { Quantity: shown(exact(closed)) } : { Quantity: null, Side: null };
      return [{ ...UNKNOWN_CLOSE(period.zone), ...common, ...known }];
    }
    return (realised?.matches ?? []).map(({ quantity, openValue, closeValue, opener, openFee, closeFee }) => {
      const gross = exact(closeValue.minus(openValue)).times(fill.side === "buy" ? -1 : 1);
      const fees = exact(openFee).plus(exact(closeFee));
      return {
        ...common,
        Quantity: shown(exact(quantity)),
        "Open value": shown(exact(openValue)),
        "Close value": shown(exact(closeValue)),
        "Gross PnL": shown(gross),
        "Opening fees": shown(exact(openFee)),
        "Closing fee": shown(exact(closeFee)),
        "Net PnL excl. funding": shown(gross.minus(fees)),
        [`Opened (${period.zone})`]: local(opener.time),
        "Opening match_id": opener.matchId,
        "Opening order_id": opener.orderId,
      };
    });
  });
}

const UNKNOWN_CLOSE = (zone: string): Row => ({
  "Open value": null,
  "Close value": null,
  "Gross PnL": null,
  "Opening fees": null,
  "Closing fee": null,
  "Net PnL excl. funding": null,
  [`Opened (${zone})`]: null,
  "Opening match_id": null,
  "Opening order_id": null,
});

/** Rows of Open lots, without totals and notes. */
export function lotRows({ holdings, context: { period } }: Books): Row[] {
  return holdings.flatMap(({ market, currency, after }) =>
    after.lots.map(
      ({ sign, quantity, value, fee, opener }): Row => ({
        Market: market,
        Currency: currency,
        Side: sign === 1 ? "long" : "short",
        Quantity: shown(exact(quantity).times(sign)),
        "Open price": shown(exact(value).div(exact(quantity)).toDecimalPlaces(18)),
        "Open value": shown(exact(value).times(sign)),
        "Fees carried": shown(exact(fee)),
        [`Opened (${period.zone})`]: localTime(opener.time, period.zone).slice(0, 23),
        "Opening match_id": opener.matchId,
        "Opening order_id": opener.orderId,
      }),
    ),
  );
}

/** Rows of Open positions for markets with known PnL, without totals and notes. */
export function positionRows(books: Books): Row[] {
  return books.holdings
    .filter(({ after }) => after.lots.length > 0)
    .map((one) => {
      const { market, currency, after } = one;
      const own = carriedOf([one], "after");
      const quantity = total(after.lots.map((lot) => exact(lot.quantity).times(lot.sign)));
      return {
        Market: market,
        Currency: currency,
        Side: quantity.gt(0) ? "long" : "short",
        Quantity: shown(quantity),
        "Average open price": shown(own.value.div(quantity).toDecimalPlaces(18)),
        "Open value": shown(own.value),
        "Fees carried": shown(own.fees),
        Lots: String(after.lots.length),
      };
    });
}

/** The results of a currency on Summary under the method for comparison, as exact text; null: not known. */
export function comparedFigures(books: Books, currency: string): Record<string, string | null> {
  const sums = sumsOf(books.booked.filter((one) => currencyOf(one) === currency));
  const [gross = null, recognised = null, net = null] = sums.closes === 0 ? [] : resultsOf(sums, sums.compared);
  const funding = fundingOf(books, (payment) => payment.currency === currency);
  const all = {
    "Gross realised PnL": gross,
    "Fees on closed positions": recognised,
    "Net realised PnL, excl. funding": net,
    ...(funding && { "Net realised PnL, incl. funding": added([net, funding]) }),
  };
  return Object.fromEntries(Object.entries(all).map(([name, amount]) => [name, amount && plain(amount)]));
}

/** The figures of a currency on Summary, as exact text; null: not known. */
export function summaryFigures(books: Books, currency: string): Record<string, string | null> {
  const markets = books.holdings.filter((market) => market.currency === currency);
  const carried = (end: "before" | "after", of: "value" | "fees"): Decimal | null => {
    const one = carriedOf(markets, end);
    return one.isKnown ? one[of] : null;
  };
  const sums = sumsOf(books.booked.filter((one) => currencyOf(one) === currency));
  const paid = sums.paid.plus(sums.rebates);
  const [gross = null, recognised = null] = sums.closes === 0 ? [] : resultsOf(sums, sums);
  const [feesBefore, feesAfter] = [carried("before", "fees"), carried("after", "fees")];
  const [valueBefore, valueAfter] = [carried("before", "value"), carried("after", "value")];
  const funding = fundingOf(books, (payment) => payment.currency === currency);
  const all = {
    "Gross realised PnL": gross,
    "Fees on closed positions": recognised,
    "Net realised PnL, excl. funding": added([gross, recognised?.neg()]),
    "Gross PnL less fees paid and rebates, excl. funding": added([gross, paid.neg()]),
    "Fees carried, start": feesBefore,
    "Fees carried, end": feesAfter,
    "Open positions at cost, start": valueBefore,
    "Open positions at cost, end": valueAfter,
    ...(funding && { "Net realised PnL, incl. funding": added([gross, recognised?.neg(), funding]) }),
  };
  return Object.fromEntries(Object.entries(all).map(([name, amount]) => [name, amount && plain(amount)]));
}

function added(amounts: readonly (Decimal | null | undefined)[]): Decimal | null {
  const known = amounts.filter((amount) => amount instanceof Exact);
  return known.length < amounts.length ? null : total(known);
}
