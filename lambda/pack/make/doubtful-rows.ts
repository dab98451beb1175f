import { quoteCurrencyOf } from "../../core/market.ts";
import { isWithin } from "../../core/ranges.ts";
import { counted } from "../../core/text.ts";
import type { TimeRange } from "../../core/time.ts";
import { ADJUSTMENTS, FUNDING, OPENING_POSITIONS, TRANSFERS } from "../../inputs/files.ts";
import type { Transfer } from "../../inputs/tables.ts";
import { isLinear } from "./contracts.ts";
import type { Selected } from "./selected.ts";

/** The most sentences of a file. */
const MOST = 10;

/**
 * Sentences, without their full stops, on rows that count, but perhaps not where they should, or twice: no fill has
 * their market, their currency is not that of their market, or they equal another row but for its text. `traded`: the
 * markets of the booked fills.
 */
export function doubtfulRows(
  { inputs, since, contractTypes }: Pick<Selected, "inputs" | "since" | "contractTypes">,
  { from, to }: TimeRange,
  traded: ReadonlySet<string>,
): string[] {
  const booked = { from: since, to };
  const funding = (inputs.funding ?? []).filter(({ time }) => isWithin({ from, to }, time));
  const transfers = (inputs.transfers ?? []).filter(({ time }) => isWithin({ from, to }, time));
  const files: readonly [name: string, markets: readonly (string | null)[]][] = [
    [OPENING_POSITIONS, inputs.openings.filter(({ asOf }) => isWithin(booked, asOf)).map(({ market }) => market)],
    [ADJUSTMENTS, inputs.adjustments.filter(({ time }) => isWithin(booked, time)).map(({ market }) => market)],
    [FUNDING, funding.map(({ market }) => market)],
  ];
  const foreign = funding.filter(
    ({ market, currency }) => currency !== quoteCurrencyOf(market) && isLinear(contractTypes.get(market)),
  );
  return [
    ...files.flatMap(([name, markets]) =>
      sentences(
        markets.filter((market) => market !== null && !traded.has(market)),
        (market, rows) => `${name}: ${rows} in the market ${market}, of which no fill was booked`,
      ),
    ),
    ...sentences(
      foreign.map(({ market, currency }) => `${market} in ${currency}`),
      (what, rows) => `${FUNDING}: ${rows} of ${what}, which is not the market's currency`,
    ),
    ...sentences(
      copiesIn(funding).map(() => "source"),
      (text, rows) => `${FUNDING}: ${rows} ${likeAnother(text)}`,
    ),
    ...sentences(
      copiesIn(transfers).map(() => "note"),
      (text, rows) => `${TRANSFERS}: ${rows} ${likeAnother(text)}`,
    ),
  ];
}

function likeAnother(text: string | null): string {
  return `like another one but for the ${text}; each of them counts`;
}

/** The rows that equal an earlier one in all that counts. */
function copiesIn(rows: readonly (Pick<Transfer, "time" | "amount" | "currency"> & { readonly market?: string })[]) {
  const keyOf = ({ time, market, amount, currency }: (typeof rows)[number]) =>
    `${time} ${market} ${amount} ${currency}`;
  return [...Map.groupBy(rows, keyOf).values()].flatMap((alike) => alike.slice(1));
}

/** One for each of the first keys, with how many rows have it. */
function sentences(keys: readonly (string | null)[], of: (key: string | null, rows: string) => string): string[] {
  const groups = [...Map.groupBy(keys, (key) => key)];
  const left = groups.slice(MOST).reduce((sum, [, rows]) => sum + rows.length, 0);
  return groups
    .slice(0, MOST)
    .map(([key, rows]) => of(key, `${counted(rows.length, "row")} ${rows.length === 1 ? "is" : "are"}`))
    .concat(left === 0 ? [] : [of("others", `${counted(left, "more row")} ${left === 1 ? "is" : "are"}`)]);
}
