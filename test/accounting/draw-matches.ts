import type { Designations } from "../../lambda/accounting/methods/specific.ts";
import { amountOf } from "../support/amounts.ts";
import { type OracleFill, type OracleLot, type OracleMatch, oracle } from "./oracle.ts";
import { least, magnitude, type Rational, rational, signOf, subtract } from "./rational.ts";

/** Draws what a user's matches.csv may say about one market's drawn history. */

/** Up to two lots for each close, whole or in part, chosen by the numbers in `picks`. */
export function drawMatches(
  fills: readonly OracleFill[],
  picks: readonly number[],
): Map<string, readonly OracleMatch[]> {
  const matches = new Map<string, readonly OracleMatch[]>();
  let used = 0;
  const pick = (): number => picks[used++ % picks.length] as number;
  for (const [at, fill] of fills.entries()) {
    const before = oracle(fills.slice(0, at), "specific", { matches }).at(-1);
    const isClose = before !== undefined && signOf(before.position) === -fill.sign;
    if (isClose && pick() % 3 > 0) {
      let left = least(fill.quantity, magnitude(before.position));
      let { lots } = before;
      const named: OracleMatch[] = [];
      while (named.length < 2 && signOf(left) > 0 && lots.length > 0) {
        const lot = lots[pick() % lots.length] as OracleLot;
        const most = least(left, lot.quantity);
        const quantity = pick() % 2 === 0 ? most : smaller(most);
        named.push({ open: lot.id, quantity });
        left = subtract(left, quantity);
        lots = lots.filter(({ id }) => id !== lot.id);
      }
      matches.set(fill.id, named);
    }
  }
  return matches;
}

/** About a third of the quantity, but more than nothing. */
function smaller(quantity: Rational): Rational {
  const third = units(quantity) / 3n;
  return third === 0n ? quantity : rational(third, 10n ** 18n);
}

export function designationsOf(matches: ReadonlyMap<string, readonly OracleMatch[]>): Designations {
  const orderOf = (id: string): string => id.replace("M", "O");
  return new Map(
    [...matches].map(([id, named]) => [
      `${id}\u0000${orderOf(id)}`,
      named.map(({ open, quantity }, at) => ({
        openMatchId: open,
        openOrderId: orderOf(open),
        quantity: amountOf(quantity),
        where: `matches.csv, line ${at + 2}`,
      })),
    ]),
  );
}

/** × 10^18 */
function units({ n, d }: Rational): bigint {
  return (n * 10n ** 18n) / d;
}
