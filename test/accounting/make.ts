import { Accounts, type AccountsPlan } from "../../lambda/accounting/accounts.ts";
import type { Funding } from "../../lambda/accounting/booked.ts";
import { breaksOf } from "../../lambda/accounting/breaks.ts";
import { Cube, type CubeDay } from "../../lambda/accounting/cube/cube.ts";
import { type Sums, sumsOf as sumsOfCube } from "../../lambda/accounting/cube/scopes.ts";
import { type Holding, holdingsOf } from "../../lambda/accounting/holdings.ts";
import type { Method } from "../../lambda/accounting/method.ts";
import { type Posted, post } from "../../lambda/accounting/posted.ts";
import type { Converter, RateConverter } from "../../lambda/accounting/rates/converter.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { monthsOf, type Period, type PeriodMonth, parsePeriod } from "../../lambda/core/period.ts";
import type { StatedBalance, Transfer } from "../../lambda/inputs/tables.ts";
import { DEFAULT_ACCOUNT_SETTINGS } from "../../lambda/pack/make/account-settings.ts";
import type { PackAccount, PackContext } from "../../lambda/pack/make/maker.ts";
import { makeFill, planOf } from "./draw.ts";

/** Makes fills and accounts from a line of text. */

/**
 * `B12@100 S9@101/0.30 B3@99/-0.01/maker`: side, quantity, price; then the fee (default 0) and the liquidity
 * (default taker). `=` before a fill gives it the same time as the previous fill. The first fill is at `from`, ms UTC,
 * each later one `stepMs` after the one before it.
 */
export function fillsFrom(
  line: string,
  { market = "BTC-USDT", from = Date.UTC(2025, 2, 1, 12), stepMs = 3_600_000 } = {},
): Fill[] {
  let time = from - stepMs;
  return line
    .trim()
    .split(/\s+/)
    .map((text, at) => {
      const {
        same,
        side,
        quantity,
        price,
        fee = "0",
        liquidity = "taker",
      } = /^(?<same>=?)(?<side>[BS])(?<quantity>[\d.]+)@(?<price>[\d.]+)(?:\/(?<fee>-?[\d.]+))?(?:\/(?<liquidity>\w+))?$/.exec(
        text,
      )?.groups ?? {};
      if (side === undefined || quantity === undefined || price === undefined) {
        throw new TypeError(`not a fill: ${text}`);
      }
      time += same === "=" ? 0 : stepMs;
      return makeFill(at + 1, { market, time, side: side === "B" ? "buy" : "sell", liquidity, quantity, price, fee });
    });
}

/** The evidence for declared breaks that have none. */
const EVIDENCE = "a letter of the venue";

export interface BooksOptions extends Partial<Omit<AccountsPlan, "methods">> {
  readonly method?: Method;
  readonly period?: Period;
  readonly funding?: readonly Funding[] | null;
  readonly transfers?: readonly Transfer[] | null;
  readonly balances?: readonly StatedBalance[];
  readonly marks?: PackAccount["marks"];
  readonly converter?: RateConverter | null;
  readonly account?: string;
  readonly named?: Partial<PackContext["named"]>;
  readonly contractTypes?: ReadonlyMap<string, string | null>;
}

export interface Books {
  /** The fills of the period. */
  readonly booked: readonly Posted[];
  readonly holdings: readonly Holding[];
  readonly months: readonly PeriodMonth[];
  /** Of the one account. */
  readonly own: PackAccount;
  readonly context: PackContext;
}

/**
 * Books fills in the given order. Those before the period are booked, but are not in the statement. Defaults:
 * fifo, calendar year 2025.
 */
export function booksOf(fills: readonly Fill[], options: BooksOptions = {}): Books {
  const {
    method = "fifo",
    period = parsePeriod("calendar-2025"),
    funding = null,
    transfers = null,
    balances = [],
    marks = null,
    converter = null,
    account = "main",
    named = {},
    contractTypes = new Map(),
    ...rest
  } = options;
  const borders = monthsOf(period)
    .slice(1)
    .map(({ from }) => from);
  const plan = planOf(method, { borders, ...rest, account });
  const { methods, timeOf } = plan;
  const accounts = new Accounts(plan);
  const breaks = breaksOf((rest.declared ?? []).map((one) => ({ evidence: EVIDENCE, ...one }))).filter(
    ({ from }) => from < period.to,
  );
  const earlier = fills.filter((fill) => timeOf(fill) < period.from);
  const own = fills.filter((fill) => timeOf(fill) >= period.from && timeOf(fill) < period.to);
  for (const fill of earlier) {
    accounts.book(fill);
  }
  accounts.advance(period.from);
  const before = accounts.state;
  const booked = own.map((fill) => post(accounts.book(fill), converter));
  const given: PackAccount = { account, funding, transfers, balances, marks, breaks };
  const context: PackContext = {
    name: account,
    accounts: [given],
    period,
    named: { ...DEFAULT_ACCOUNT_SETTINGS.statement, ...named },
    methods,
    isMethodChosen: true,
    converter,
    basis: "fill",
    complete: true,
  };
  const { cube } = cubeOf({ booked, context });
  accounts.advance(period.to - 1);
  const held = { account, contractTypes, before, after: accounts.state, crossed: accounts.crossed, marks };
  return { booked, holdings: holdingsOf(cube, held), months: cube.months, own: given, context };
}

/** The same books in the currency of a converter. */
export function inCurrency(books: Books, converter: RateConverter | null): Books {
  const booked = books.booked.map((one) => post(one, converter));
  return { ...books, booked, context: { ...books.context, converter } };
}

/** The cube of some books, and the days that ended with each batch. `cuts`: the last fills of batches. */
export function cubeOf(
  { booked, context }: { readonly booked: readonly Posted[]; readonly context: CubedContext },
  cuts: readonly number[] = [],
): { readonly cube: Cube; readonly batches: readonly (readonly CubeDay[])[] } {
  const cube = new Cube(context);
  const batches = booked.map((one, at) => {
    cube.add(one);
    return cuts.includes(at) ? cube.endedDays() : [];
  });
  return { cube, batches: [...batches, cube.lastDays()].filter((days) => days.length > 0) };
}

interface CubedContext extends Pick<PackContext, "period"> {
  readonly accounts: readonly Pick<PackAccount, "account" | "funding" | "breaks">[];
  readonly converter: Converter | null;
}

/** All sums of some books. */
export function sumsOf(books: Pick<Books, "booked" | "holdings"> & { readonly context: CubedContext }): Sums {
  return sumsOfCube(cubeOf(books).cube, books.holdings);
}
