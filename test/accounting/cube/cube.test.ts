import { test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { combinedConverted, combinedStatement } from "../../../lambda/accounting/combined.ts";
import type { Cell, Kind, Money } from "../../../lambda/accounting/cube/cell.ts";
import { projected } from "../../../lambda/accounting/cube/project.ts";
import { ConvertedTally } from "../../../lambda/accounting/rates/converted.ts";
import { LIQUIDITIES, type MarketMonth, type Statement } from "../../../lambda/accounting/statement.ts";
import { type Amount, totalOf, ZERO } from "../../../lambda/core/amount.ts";
import { drawn } from "../draw-books.ts";
import { type Books, booksOf } from "../make.ts";
import { cubeOf, type MadeCube, TO_EUROS } from "./make.ts";

const RUNS = { numRuns: 150 };

/** The same figures of both sums, as texts. */
function monthOf(one: MarketMonth) {
  const { month, market, currency, activity, funding, gross, fees, cashFlow, ...counts } = one;
  const kinds = LIQUIDITIES.map((kind) => {
    const { fills, volume, feesPaid, rebates } = activity[kind];
    return [kind, fills, ...texts(volume, feesPaid, rebates)].join(" ");
  });
  const { untyped, closes, blankCloses, breaks } = counts;
  const numbers = [untyped, closes, blankCloses, breaks].join(" ");
  return [month, market, currency, numbers, kinds, texts(gross, fees, cashFlow, funding ?? ZERO)];
}

function monthOfCells(cells: readonly Cell[]) {
  const one = projected(cells, ["month", "market", "currency"])[0] as Cell;
  const { month, market, currency, untyped, closes, breaks, gross, fees, cashFlow, funding } = one;
  const byKind = new Map(projected(cells, ["kind"]).map((cell) => [cell.kind, cell]));
  const kinds = LIQUIDITIES.map((kind: Kind) => {
    const { fills = 0, volume = ZERO, feesPaid = ZERO, rebates = ZERO } = byKind.get(kind) ?? {};
    return [kind, fills, ...texts(volume, feesPaid, rebates)].join(" ");
  });
  const numbers = [untyped, closes, blanksIn(one), breaks].join(" ");
  return [month, market, currency, numbers, kinds, texts(gross, fees, cashFlow, funding)];
}

const texts = (...amounts: readonly Amount[]): string[] => amounts.map(String);

function blanksIn({ blanks }: Cell): number {
  return [...blanks.values()].reduce((sum, count) => sum + count, 0);
}

function inMarketMonths(cells: readonly Cell[]): Cell[][] {
  return [...Map.groupBy(cells, ({ month, market, currency }) => JSON.stringify([month, market, currency])).values()];
}

const moneyText = ({ gross, fees, feesPaid, rebates, funding }: Money) =>
  texts(gross, fees, feesPaid, rebates, funding).join(" ");

function expectStatement({ cube, cells }: MadeCube, { marketMonths, days, compared, markets, trips }: Statement): void {
  expect(inMarketMonths(cells).map(monthOfCells)).toEqual(marketMonths.map(monthOf));
  expect(cube.nets).toEqual(days);
  for (const cell of projected(cells, ["currency"])) {
    const { gross, fees } = compared.get(cell.currency ?? "") ?? { gross: ZERO, fees: ZERO };
    expect(texts(cell.comparedGross, cell.comparedFees)).toEqual(texts(gross, fees));
  }
  const byMarket = new Map(projected(cells, ["market"]).map((cell) => [cell.market, cell]));
  for (const { market, ties, blanks } of markets) {
    const cell = byMarket.get(market);
    expect([cell?.ties ?? 0, new Map(cell?.blanks)]).toEqual([ties, blanks]);
  }
  const [all] = projected(cells, []);
  const counted = { count: all?.trips ?? 0, won: all?.wonTrips ?? 0, lost: all?.lostTrips ?? 0 };
  expect(counted).toEqual(trips);
}

function convertedOf({ booked, context: { period, funding } }: Books) {
  const tally = new ConvertedTally({ period, funding, converter: TO_EUROS });
  for (const one of booked) {
    tally.add(one);
  }
  return tally.statement();
}

const named = (account: string, books: Books) => ({ account, ...books });

describe("the cube equals", () => {
  test.prop([drawn], RUNS)("the sums of a statement", ({ fills, options, cuts }) => {
    const books = booksOf(fills, options);
    expectStatement(cubeOf([named("main", books)], null, cuts), books.statement);
  });

  test.prop([drawn], RUNS)("converted sums", ({ fills, options, cuts }) => {
    const books = booksOf(fills, options);
    const { cells, cube } = cubeOf([named("main", books)], TO_EUROS, cuts);
    const { marketMonths, rates } = convertedOf(books);
    const own = projected(cells, ["month", "market", "currency"]).filter(
      ({ converted }) => converted !== null && moneyText(converted) !== "0 0 0 0 0",
    );
    expect(
      own.map(({ month, market, currency, converted }) => [month, market, currency, converted && moneyText(converted)]),
    ).toEqual(
      marketMonths
        .map((one) => [
          one.month,
          one.market,
          one.currency,
          moneyText({ ...one, gains: ZERO, losses: ZERO, funding: one.funding ?? ZERO }),
        ])
        .filter(([, , , text]) => text !== "0 0 0 0 0"),
    );
    expect(cube.uses.all).toEqual(rates);
  });

  test.prop([drawn, drawn], RUNS)("the statements of two accounts together", (one, other) => {
    const books = [
      named("a", booksOf(one.fills, one.options)),
      named("b", booksOf(other.fills, { ...other.options, method: one.options.method ?? "fifo" })),
    ] as const;
    const { cells, cube } = cubeOf(books, TO_EUROS, one.cuts);
    const combined = combinedStatement([
      { account: "a", own: books[0].statement },
      { account: "b", own: books[1].statement },
    ]);
    const { compared, days, marketMonths } = combined;
    expect(cube.nets).toEqual(days);
    for (const cell of projected(cells, ["currency"])) {
      const own = marketMonths.filter(({ currency }) => currency === cell.currency);
      expect(texts(cell.gross, cell.fees, cell.comparedGross)).toEqual(
        texts(
          totalOf(own, ({ gross }) => gross),
          totalOf(own, ({ fees }) => fees),
          compared.get(cell.currency ?? "")?.gross ?? ZERO,
        ),
      );
    }
    const converted = combinedConverted(books.map(({ account, ...own }) => ({ account, own: convertedOf(own) })));
    expect(cube.uses.all).toEqual(converted?.rates);
    for (const { account, statement } of books) {
      const own = cells.filter((cell) => cell.account === account);
      expect(inMarketMonths(own).map(monthOfCells)).toEqual(statement.marketMonths.map(monthOf));
    }
  });
});

describe("the cube's days", () => {
  test.prop([drawn], RUNS)("come in order, once each, and add up to its months", ({ fills, options, cuts }) => {
    const books = booksOf(fills, options);
    const { days, cells } = cubeOf([named("main", books)], TO_EUROS, cuts);
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
  });
});

describe("gains and losses", () => {
  test.prop([drawn], RUNS)("are those of the matches, and add up to net", ({ fills, options }) => {
    const books = booksOf(fills, options);
    const { cells } = cubeOf([named("main", books)], null);
    const nets = books.booked.flatMap(({ realised }) =>
      (realised?.matches ?? []).map(({ gross, openFee, closeFee }) => gross.minus(openFee).minus(closeFee)),
    );
    const [all] = projected(cells, []);
    if (all !== undefined) {
      expect(texts(all.gains, all.losses)).toEqual(
        texts(
          totalOf(
            nets.filter((net) => net.gt(ZERO)),
            (net) => net,
          ),
          totalOf(
            nets.filter((net) => net.lt(ZERO)),
            (net) => net,
          ),
        ),
      );
      expect([all.gainRows, all.lossRows]).toEqual([
        nets.filter((net) => net.gt(ZERO)).length,
        nets.filter((net) => net.lt(ZERO)).length,
      ]);
      expect(String(all.gains.plus(all.losses))).toBe(String(all.gross.minus(all.fees)));
    }
  });
});
