import type { Cell } from "../../../lambda/accounting/cube/cell.ts";
import { Cube, type CubeDay } from "../../../lambda/accounting/cube/cube.ts";
import { type Sums, sumsOf as sumsOfCube } from "../../../lambda/accounting/cube/scopes.ts";
import { post } from "../../../lambda/accounting/posted.ts";
import type { Converter } from "../../../lambda/accounting/rates/converter.ts";
import { divide, wholeNumber } from "../../../lambda/core/amount.ts";
import type { Books } from "../make.ts";

/** Makes cubes of booked fills. */

/** One rate to the euro for each currency, independent of the day. */
const RATES: Readonly<Record<string, [number, number]>> = { USDT: [10, 11], USD: [7, 8] };

export const TO_EUROS: Converter = {
  to: "EUR",
  convert: (amount, currency) => {
    const [numerator, denominator] = RATES[currency] ?? [1, 1];
    const inEuros = divide(amount.times(wholeNumber(numerator)), wholeNumber(denominator), 8);
    return { amount: inEuros, rate: "1", rateDate: "2025-01-01", source: `a test of ${currency}` };
  },
};

export interface MadeCube {
  readonly cube: Cube;
  readonly days: readonly CubeDay[];
  readonly cells: readonly Cell[];
}

/** The cube of one or several accounts. `cuts`: where each batch but the last ends. */
export function cubeOf(
  books: readonly (Books & { readonly account: string })[],
  converter: Converter | null,
  cuts: readonly number[] = [],
): MadeCube {
  const [first] = books;
  if (first === undefined) {
    throw new RangeError("no accounts");
  }
  const cube = new Cube({
    period: first.context.period,
    accounts: books.map(({ account, own }) => ({ account, funding: own.funding, breaks: own.breaks })),
    converter,
  });
  const all = books
    .flatMap(({ account, booked }) => booked.map((one) => post(account, one, converter)))
    .sort((a, b) => a.time - b.time);
  const days: CubeDay[] = [];
  for (const [at, posted] of all.entries()) {
    cube.add(posted);
    if (cuts.includes(at)) {
      days.push(...cube.endedDays());
    }
  }
  days.push(...cube.lastDays());
  return { cube, days, cells: cube.cells };
}

export function sumsOf(books: readonly (Books & { readonly account: string })[], { cube }: MadeCube): Sums {
  return sumsOfCube(
    cube,
    books.flatMap(({ account, holdings }) => holdings.map((one) => ({ ...one, account }))),
  );
}
