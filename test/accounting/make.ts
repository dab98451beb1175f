import { Accounts, type AccountsPlan } from "../../lambda/accounting/accounts.ts";
import type { Booked } from "../../lambda/accounting/booked.ts";
import { breaksOf } from "../../lambda/accounting/breaks.ts";
import { type Method, methodsOf } from "../../lambda/accounting/method.ts";
import type { Statement } from "../../lambda/accounting/statement.ts";
import { type Funding, Tally } from "../../lambda/accounting/tally.ts";
import { type Fill, tradeTime } from "../../lambda/core/fill.ts";
import { type Period, parsePeriod } from "../../lambda/core/period.ts";
import type { Transfer } from "../../lambda/inputs/transfers.ts";
import { formatAmounts } from "../../lambda/pack/build/formatted-amounts.ts";
import type { PackContext } from "../../lambda/pack/build/maker.ts";
import { NOBODY_NAMED } from "../../lambda/pack/build/statement-settings.ts";
import { makeFill } from "../support/make-fill.ts";

/** Makes fills and accounts from a line of text. */

export interface MakeOptions {
  readonly market?: string;
  /** Time of the first fill, ms UTC. Each later fill is `stepMs` after the previous one. */
  readonly from?: number;
  readonly stepMs?: number;
}

/**
 * `B12@100 S9@101/0.30 B3@99/-0.01/maker`: side, quantity, price; then the fee (default 0) and the liquidity
 * (default taker). `=` before a fill gives it the same time as the previous fill.
 */
export function fillsFrom(
  line: string,
  { market = "BTC-USDT", from = Date.UTC(2025, 2, 1, 12), stepMs = 3_600_000 }: MakeOptions = {},
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
      return makeFill({
        matchId: `M${at + 1}`,
        orderId: `O${at + 1}`,
        txCreated: time,
        filledAt: time,
        transactionHash: `0x${(at + 1).toString(16).padStart(4, "0")}`,
        market,
        side: side === "B" ? "buy" : "sell",
        liquidity,
        quantity,
        price,
        fee,
      });
    });
}

/** The evidence for declared breaks that have none. */
const EVIDENCE = "a letter of the venue";

export interface BooksOptions extends Partial<Omit<AccountsPlan, "methods">> {
  readonly method?: Method;
  readonly period?: Period;
  readonly funding?: readonly Funding[] | null;
  readonly transfers?: readonly Transfer[] | null;
  readonly marks?: PackContext["marks"];
  readonly named?: Partial<PackContext["named"]>;
  readonly contractTypes?: ReadonlyMap<string, string | null>;
}

export interface Books {
  /** The fills of the period. */
  readonly booked: readonly Booked[];
  readonly statement: Statement;
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
    marks = null,
    named = {},
    contractTypes = new Map(),
    ...rest
  } = options;
  const methods = methodsOf(method);
  const accounts = new Accounts({
    designations: new Map(),
    declared: [],
    fromBeginning: true,
    isLinear: () => true,
    timeOf: tradeTime,
    ...rest,
    methods,
  });
  const breaks = breaksOf((rest.declared ?? []).map((one) => ({ evidence: EVIDENCE, ...one }))).filter(
    ({ from }) => from < period.to,
  );
  const tally = new Tally({ period, methods, funding, breaks, contractTypes });
  const timeOf = rest.timeOf ?? tradeTime;
  const earlier = fills.filter((fill) => timeOf(fill) < period.from);
  const own = fills.filter((fill) => timeOf(fill) >= period.from && timeOf(fill) < period.to);
  for (const fill of earlier) {
    accounts.book(fill);
  }
  accounts.advance(period.from);
  const before = accounts.state;
  const booked = own.map((fill) => accounts.book(fill));
  for (const one of booked) {
    tally.add(one);
  }
  accounts.advance(period.to - 1);
  return {
    booked,
    statement: tally.statement(before, accounts.state),
    context: {
      account: "main",
      accounts: ["main"],
      withoutFunding: [],
      period,
      named: { ...NOBODY_NAMED, ...named },
      methods,
      isMethodChosen: true,
      textsOf: formatAmounts(),
      basis: "fill",
      complete: true,
      funding,
      transfers,
      marks,
      breaks,
    },
  };
}
