import { quoteCurrencyOf } from "../../core/currency.ts";
import { type Period, parseTime } from "../../core/period.ts";
import { isWithin } from "../../core/ranges.ts";
import { counted, firstOf, grouped } from "../../core/text.ts";
import { ADJUSTMENTS, BALANCES, FUNDING, MARKS, OPENING_POSITIONS, TRANSFERS } from "../../inputs/files.ts";
import type { Mark, Transfer } from "../../inputs/tables.ts";
import { isLinear } from "./contracts.ts";
import type { Selected } from "./selection.ts";

/** The most sentences of an account. */
const MOST = 20;

/**
 * Sentences, without their full stops, on rows of the user's files that do not count in the period; or that count, but
 * perhaps not where they should, or twice: no fill has their market, their currency is no market's or not theirs, or
 * they equal another row but for its text. `traded`: the markets of the booked fills. `isOpen`: whether a market is
 * known to be open at the end.
 */
export function remarksOn(
  { inputs, since, contractTypes }: Pick<Selected, "inputs" | "since" | "contractTypes">,
  period: Period,
  { traded, isOpen }: { readonly traded: ReadonlySet<string>; readonly isOpen: (market: string) => boolean },
): readonly string[] {
  const { openings, adjustments, balances } = inputs;
  const [funding, transfers, marks] = [inputs.funding ?? [], inputs.transfers ?? [], inputs.marks ?? []];
  const { from, to, firstDay, lastDay, zone } = period;
  const outside = `not used, being outside the period (${firstDay} to ${lastDay}, ${zone})`;
  const isPaid = ({ time }: { readonly time: number }) => isWithin(period, time);
  const ofPeriod = (row: { readonly time: number }) => (isPaid(row) ? null : outside);
  const prices = marksAtEnd(marks, period);
  const noPrice = `not used, being no last price of a position known to be open on the period's last day (${lastDay}, ${zone})`;
  const isBooked = (time: number) => isWithin({ from: since, to }, time);
  const strangeOf = (market: string | null, isCounted: boolean) =>
    isCounted && market !== null && !traded.has(market) ? `in the market ${market}, of which no fill was booked` : null;
  const payments = funding.filter(isPaid);
  const paid = [...payments, ...transfers.filter(isPaid)];
  const markets = [...traded, ...adjustments.filter(({ time }) => isBooked(time)).map(({ market }) => market)];
  const strangeTo = (rows: readonly Transferred[]) => {
    const booked = new Set([...markets.map(quoteCurrencyOf), ...rows.map(({ currency }) => currency)]);
    return ({ currency, amount }: Pick<Transferred, "currency" | "amount">) =>
      amount.isZero() || booked.size === 0 || booked.has(null) || booked.has(currency)
        ? null
        : `in ${currency}, in which nothing ${rows === paid ? "" : "else "}was booked`;
  };
  const [strangeMove, strangeBalance] = [strangeTo(payments), strangeTo(paid)];
  const copies = copiesIn(paid);
  const copied = (row: Transferred) =>
    copies.has(row) ? "like another one but for its text; each of them counts" : null;
  return firstOf(
    [
      ...sentences(FUNDING, funding, ofPeriod),
      ...sentences(TRANSFERS, transfers, (row) => ofPeriod(row) ?? strangeMove(row)),
      ...sentences(BALANCES, balances, (row) => (from <= row.time && row.time <= to ? strangeBalance(row) : outside)),
      ...sentences(MARKS, marks, (mark) => (prices.get(mark.market) === mark && isOpen(mark.market) ? null : noPrice)),
      ...sentences(ADJUSTMENTS, adjustments, ({ time }) => {
        if (time >= from) {
          return time < to ? null : "not used, being after the end of the period";
        }
        return time >= since
          ? "before the period and part of the positions at its start"
          : "not used, because the archive does not cover all of the time from then up to the period";
      }),
      ...sentences(FUNDING, funding, copied),
      ...sentences(TRANSFERS, transfers, copied),
      ...sentences(OPENING_POSITIONS, openings, ({ market, asOf }) => strangeOf(market, isBooked(asOf))),
      ...sentences(ADJUSTMENTS, adjustments, ({ market, time }) => strangeOf(market, isBooked(time))),
      ...sentences(FUNDING, funding, ({ market, time }) => strangeOf(market, isWithin(period, time))),
      ...sentences(FUNDING, funding, ({ market, currency, time }) =>
        isWithin(period, time) && currency !== quoteCurrencyOf(market) && isLinear(contractTypes.get(market))
          ? `of ${market} in ${currency}, which is not the market's currency`
          : null,
      ),
    ],
    MOST,
    (left) => `${counted(left, "more remark")} on rows of the user's files`,
  );
}

/** One for each remark, with how many rows it is on. */
function sentences<Row>(name: string, rows: readonly Row[], remarkOn: (row: Row) => string | null): string[] {
  const groups = [...Map.groupBy(rows, remarkOn)];
  return groups.flatMap(([remark, own]) =>
    remark === null
      ? []
      : `${name}: ${grouped(String(own.length))} of its ${counted(rows.length, "row")} ${own.length === 1 ? "is" : "are"} ${remark}`,
  );
}

type Transferred = Pick<Transfer, "time" | "amount" | "currency"> & { readonly market?: string };

/** The rows that equal an earlier one in all that counts. */
function copiesIn(rows: readonly Transferred[]): ReadonlySet<Transferred> {
  const alike = Map.groupBy(rows, ({ time, market, amount, currency }) => `${time} ${market} ${amount} ${currency}`);
  return new Set([...alike.values()].flatMap((same) => same.slice(1)));
}

/** By market, the last price from the beginning of the period's last day up to and including its end. */
export function marksAtEnd(marks: readonly Mark[], { to, lastDay, zone }: Period): ReadonlyMap<string, Mark> {
  const from = parseTime(lastDay, zone);
  return new Map(marks.filter(({ time }) => from <= time && time <= to).map((mark) => [mark.market, mark]));
}
