import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Booked, Funding, UnknownReason } from "../../../lambda/accounting/booked.ts";
import type { OpenLot } from "../../../lambda/accounting/cost-book.ts";
import { type Cell, projected, totalCell } from "../../../lambda/accounting/cube/cell.ts";
import {
  comparedOf,
  convertedOf,
  FIGURES,
  type FigureKey,
  isComplete,
  ownOf,
} from "../../../lambda/accounting/cube/figures.ts";
import { type Known, type Scope, scopesOf } from "../../../lambda/accounting/cube/scopes.ts";
import { type Amount, divide, totalOf, wholeNumber, withSign, ZERO } from "../../../lambda/core/amount.ts";
import { quoteCurrencyOf } from "../../../lambda/core/currency.ts";
import { type Period, parsePeriod } from "../../../lambda/core/period.ts";
import { type Drawn, drawn } from "../draw-books.ts";
import { type Books, booksOf, cubeOf, inCurrency, sumsOf } from "../make.ts";
import { converterOf } from "../rates/make.ts";

const ROWS = [["currency"], ["currency", "month"], ["market", "currency"], ["market", "month", "currency"]] as const;
const KEYS = FIGURES.map(({ key }) => key);
const PERIODS = ["calendar-2025", "month-2025-02", "uk-2024-25"] as const;

const YEAR = parsePeriod("calendar-2025", "Europe/London");
const FORMAT = new Intl.DateTimeFormat("sv-SE", { timeZone: YEAR.zone, dateStyle: "short" });

/** `2025-04-25` in London, by the machine's own calendar. */
const dayOf = ({ time }: { readonly time: number }): string => FORMAT.format(time);

/** One rate to the euro for each currency and day of a month. */
const TO_EUROS = converterOf({
  convert: (amount, currency, time) => {
    const [rateDate, parts] = [dayOf({ time }), currency === "USDT" ? 10 : 70];
    const inEuros = divide(amount, wholeNumber(parts + Number(rateDate.slice(8))), 8);
    return { amount: inEuros, rate: "1", rateDate, source: `a test of ${currency}` };
  },
});

function made({ fills, options }: Drawn, period: Period = YEAR) {
  const funding = options.funding?.filter(({ time }) => period.from <= time && time < period.to) ?? null;
  const books = inCurrency(booksOf(fills, { ...options, period, funding }), TO_EUROS);
  return { books, sums: sumsOf(books) };
}

/** Its PnL is not known, and it is not known to open or to add to a position. */
function mayHaveClosed({ trade, realised, closed, before, fill: { side, market, extra } }: Booked): boolean {
  const isOpening = before?.isZero() || (before?.gt(ZERO) ? "buy" : "sell") === side;
  return trade === null
    ? market === null || before === null || !isOpening || "filledAt" in (extra ?? {})
    : realised === null && (before === null || closed.gt(ZERO));
}

type Money = (amount: Amount, time: number) => Amount;
type Figures = Partial<Record<FigureKey, Amount | number | null>>;

/** As plain as possible: each figure goes through all booked fills of its row again. */
function plainFigures({ books, own }: { readonly books: Books; readonly own: Own }, inMoney: Money): Figures {
  const { booked, funding, breaks } = own;
  const trades = booked.flatMap(({ trade }) => trade ?? []);
  const closes = booked.flatMap(({ realised }) => realised ?? []);
  const unknown = booked.filter(mayHaveClosed);
  const untyped = booked.length - trades.length;
  const sum = (amounts: readonly Amount[]) => totalOf(amounts, (amount) => amount);
  const matches = booked.flatMap(({ realised, time }) =>
    (realised?.matches ?? []).map((match) => {
      const [won, charged] = [inMoney(match.gross, time), inMoney(match.openFee.plus(match.closeFee), time)];
      return { gross: won, fees: charged, net: won.minus(charged) };
    }),
  );
  const [gross, fees] = [sum(matches.map((match) => match.gross)), sum(matches.map((match) => match.fees))];
  const nets = matches.map(({ net }) => net);
  const charged = trades.map(({ fee, time }) => inMoney(fee, time));
  const paid = sum(charged.filter((fee) => fee.gt(ZERO)));
  const rebates = sum(charged.filter((fee) => fee.lt(ZERO)));
  const isWhole = untyped + unknown.length + breaks === 0;
  const closed = <T>(value: T) => (closes.length > 0 || isWhole ? value : null);
  const filled = <T>(value: T) => (trades.length > 0 || untyped === 0 ? value : null);
  const funded = books.own.funding === null ? null : totalOf(funding, ({ amount, time }) => inMoney(amount, time));
  return {
    fills: booked.length,
    unreadable_fills: untyped,
    closes: closes.length,
    closes_with_unknown_pnl: unknown.length,
    gross_pnl: closed(gross),
    fees_recognised: closed(fees),
    realised_pnl_net_of_fees_excl_funding: closed(gross.minus(fees)),
    gains: closed(sum(nets.filter((net) => net.gt(ZERO)))),
    losses: closed(sum(nets.filter((net) => net.lt(ZERO)))),
    gain_rows: nets.filter((net) => net.gt(ZERO)).length,
    loss_rows: nets.filter((net) => net.lt(ZERO)).length,
    fees_paid: filled(paid),
    rebates: filled(rebates),
    net_fees: filled(paid.plus(rebates)),
    realised_pnl_fees_expensed_excl_funding: filled(closed(gross.minus(paid).minus(rebates))),
    funding: funded,
    realised_pnl_net_incl_funding: funded === null ? null : closed(gross.minus(fees).plus(funded)),
  };
}

interface Own {
  readonly booked: readonly Booked[];
  readonly funding: readonly Funding[];
  readonly breaks: number;
}

/** What belongs to a row. */
function ownOfRow({ booked, own: given }: Books, { cell }: Pick<Scope, "cell">): Own {
  const isOwn = (market: string, currency: string, month: string) =>
    [
      [cell.market, market],
      [cell.currency, currency],
      [cell.month, month],
    ].every(([name, own]) => name === null || name === own);
  const monthOf = (time: number) => dayOf({ time }).slice(0, 7);
  return {
    booked: booked.filter(({ fill: { market }, time }) =>
      isOwn(market ?? "", quoteCurrencyOf(market) ?? "", monthOf(time)),
    ),
    funding: (given.funding ?? []).filter(({ market, currency, time }) => isOwn(market, currency, monthOf(time))),
    breaks: cell.breaks,
  };
}

const text = (known: Known | null): string => known?.amount?.toString() ?? "";
const plainText = (value: Amount | number | null | undefined) => value?.toString() ?? "";

describe("figures", () => {
  test.prop([drawn], { numRuns: 150 })("are plain sums of what was booked", (book) => {
    const { books, sums } = made(book);
    for (const scope of ROWS.flatMap((names) => scopesOf(sums, names))) {
      const own = ownOfRow(books, scope);
      const plain = plainFigures({ books, own }, (amount) => amount);
      for (const [key, value] of Object.entries(plain) as [FigureKey, Figures[FigureKey]][]) {
        expect(text(ownOf(key, scope)), key).toBe(plainText(value));
      }
      const volume = totalOf(own.booked, ({ trade }) => trade?.value ?? ZERO);
      expect(["", volume.toString()]).toContain(text(ownOf("volume", scope)));
      const compared = totalOf(own.booked, ({ realised }) => realised?.compared.gross ?? ZERO);
      expect(["", compared.toString()]).toContain(text(comparedOf("gross_pnl", scope)));
    }
  });

  test.prop([drawn], { numRuns: 150 })("of each liquidity, trips and ties are plain sums", (book) => {
    const { books, sums } = made(book);
    const kindOf = ({ trade, fill: { liquidity } }: Booked) => (trade === null ? "untyped" : (liquidity ?? "other"));
    for (const cell of projected(sums.cells, ["month", "market", "currency", "kind"])) {
      const own = ownOfRow(books, { cell }).booked.filter((one) => kindOf(one) === cell.kind);
      const trades = own.flatMap(({ trade }) => trade ?? []);
      expect([cell.fills, cell.untyped]).toEqual([trades.length, own.length - trades.length]);
      const values = trades.map(({ quantity, price }) => quantity.times(price));
      expect(cell.volume).toEqual(totalOf(values, (value) => value));
      expect(cell.feesPaid.plus(cell.rebates)).toEqual(totalOf(trades, ({ fee }) => fee));
      const trips = own.flatMap(({ trip }) => trip ?? []);
      const [won, lost] = [trips.filter(({ gross }) => gross.gt(ZERO)), trips.filter(({ gross }) => gross.lt(ZERO))];
      expect([cell.trips, cell.wonTrips, cell.lostTrips]).toEqual([trips.length, won.length, lost.length]);
    }
    const typed = books.booked.filter(({ trade }) => trade !== null);
    const shares = (a: Booked) =>
      typed.some((b) => a.fill.market === b.fill.market && a.time === b.time && a.fill.side !== b.fill.side);
    expect(totalCell(sums.cells).ties).toBe(typed.filter(shares).length);
  });

  test.prop([drawn], { numRuns: 150 })("in the reporting currency are sums of converted lines", (book) => {
    const { books, sums } = made(book);
    for (const scope of ROWS.flatMap((names) => scopesOf(sums, names)).filter(({ cell }) => cell.currency !== null)) {
      const currency = scope.cell.currency ?? "";
      const inEuros: Money = (amount, time) => TO_EUROS.convert(amount, currency, time).amount;
      const plain = plainFigures({ books, own: ownOfRow(books, scope) }, inEuros);
      for (const { key } of FIGURES.filter(({ converted }) => converted !== undefined)) {
        expect(text(convertedOf(key, scope)), key).toBe(plainText(plain[key]));
      }
    }
    const uses = [
      ...books.booked.flatMap(({ realised, trade, time }) => {
        const fees = trade === null || trade.fee.isZero() ? [] : [trade];
        return [...(realised?.matches ?? []), ...fees].map(() => ({ currency: trade?.currency, time }));
      }),
      ...(books.own.funding ?? []),
      ...books.holdings
        .filter(({ after }) => after.lots.length > 0)
        .map(({ currency }) => ({ currency, time: YEAR.to - 1 })),
    ].map((one) => `${one.currency} ${dayOf(one)}`);
    const counts = Map.groupBy(sums.rates, ({ currency, rateDate }) => `${currency} ${rateDate}`);
    expect([...counts].map(([key, [rate]]) => [key, rate?.lines])).toEqual(
      [...Map.groupBy(uses.sort(), (key) => key)].map(([key, all]) => [key, all.length]),
    );
  });

  test.prop([drawn, fc.constantFrom(...PERIODS)], { numRuns: 150 })(
    "of what is carried are those of the lots",
    (book, name) => {
      const { books, sums } = made(book, parsePeriod(name));
      const costOf = (lots: readonly OpenLot[]) => totalOf(lots, ({ sign, value }) => withSign(sign, value));
      const feeOf = (lots: readonly OpenLot[]) => totalOf(lots, ({ fee }) => fee);
      for (const scope of [...scopesOf(sums, ["currency"]), ...scopesOf(sums, ["market"])]) {
        const markets = books.holdings.filter(
          ({ market, currency }) =>
            [market, null].includes(scope.cell.market) && [currency, null].includes(scope.cell.currency),
        );
        for (const [side, at] of [
          ["before", "start"],
          ["after", "end"],
        ] as const) {
          const isKnown = markets.every((one) => one[side].blank === null);
          const lots = markets.flatMap((one) => one[side].lots);
          expect(text(ownOf(`open_value_at_${at}`, scope))).toBe(isKnown ? costOf(lots).toString() : "");
          expect(text(ownOf(`deferred_fees_at_${at}`, scope))).toBe(isKnown ? feeOf(lots).toString() : "");
        }
      }
    },
  );

  test.prop([drawn], { numRuns: 150 })("of a month are those of the books of that month alone", (book) => {
    const { sums } = made(book);
    const keys = KEYS.filter((key) => key !== "unrealised_pnl_at_end"); // only the end of the period has prices
    for (const { name, ...range } of sums.months) {
      const alone = made(book, { ...YEAR, ...range }).sums;
      const [own, other] = [sums, alone].map((of) =>
        scopesOf(of, ["market", "currency", "month"])
          .filter(({ cell }) => cell.month === name)
          .map((scope) => [scope.cell.market, isComplete(scope), ...keys.map((key) => ownOf(key, scope))]),
      );
      expect(own).toEqual(other);
    }
  });

  test.prop([drawn], { numRuns: 150 })("that are not known, or not wholly, say why", (book) => {
    const { books, sums } = made(book);
    for (const scope of ROWS.flatMap((names) => scopesOf(sums, names))) {
      const known = KEYS.flatMap((key) => [ownOf(key, scope), comparedOf(key, scope), convertedOf(key, scope)]);
      expect(known.filter((one) => one?.amount === null && one.lacks.length === 0)).toEqual([]);
      if (isComplete(scope)) {
        expect(known.filter((one) => one?.lacks.some((why) => why !== "not_given"))).toEqual([]);
      }
      const { booked } = ownOfRow(books, scope);
      const blanks = new Set<UnknownReason | null>(
        booked.flatMap(({ realised, blank }) => (realised === null ? [blank] : [])),
      );
      const whys = ownOf("gross_pnl", scope).lacks.filter(
        (why) => why !== "unreadable_fills" && why !== "break_declared",
      );
      expect(whys.filter((why) => !blanks.has(why as UnknownReason))).toEqual([]);
    }
  });

  test("have a name, a meaning and a key of their own", () => {
    for (const of of [KEYS, FIGURES.map(({ name }) => name), FIGURES.map(({ meaning }) => meaning)]) {
      expect(new Set(of).size).toBe(FIGURES.length);
    }
  });
});

const RUNS = { numRuns: 150 };

test.prop([drawn, drawn], RUNS)(
  "a cube of two accounts has the cells of both, and the rates of both together",
  (one, other) => {
    const [a, b] = [
      inCurrency(booksOf(one.fills, { ...one.options, account: "a" }), TO_EUROS),
      inCurrency(booksOf(other.fills, { ...other.options, account: "b" }), TO_EUROS),
    ];
    const booked = [...a.booked, ...b.booked].sort((left, right) => left.time - right.time);
    const together = { booked, context: { ...a.context, accounts: [a.own, b.own] } };
    const [both, ...alone] = [together, a, b].map((books) => cubeOf(books, one.cuts).cube);
    const cells = alone.flatMap((own) => own.cells);
    const names = ["month", "market", "currency", "account", "kind"] as const;
    expect(both?.cells).toEqual(projected(cells, names));
    const lines = (uses: readonly { readonly lines: number }[]) => uses.reduce((sum, use) => sum + use.lines, 0);
    expect(lines(both?.uses.all ?? [])).toBe(lines(alone.flatMap((own) => own.uses.all)));
  },
);

test.prop([drawn], RUNS)(
  "the cube's days come in order, once each, and add up to its months",
  ({ fills, options, cuts }) => {
    const { cube, batches } = cubeOf(inCurrency(booksOf(fills, options), TO_EUROS), cuts);
    const [days, { cells }] = [batches.flat(), cube];
    expect(days.map(({ day }) => day)).toEqual([...new Set(days.map(({ day }) => day))].sort());
    const names = ["month", "market", "currency", "kind"] as const;
    const ofDays = projected(
      days.flatMap((day) => day.cells),
      names,
    );
    const ofMonths = projected(
      cells.map((cell) => ({ ...cell, breaks: 0 })),
      names,
    );
    const isEmpty = ({ fills: typed, untyped, payments, funding }: Cell) =>
      typed + untyped + payments === 0 && funding.isZero();
    expect(ofDays.filter((cell) => !isEmpty(cell))).toEqual(ofMonths.filter((cell) => !isEmpty(cell)));
    for (const { day, cells: own } of days) {
      expect(own.every((cell) => cell.day === day && day.startsWith(cell.month ?? ""))).toBe(true);
    }
  },
);
