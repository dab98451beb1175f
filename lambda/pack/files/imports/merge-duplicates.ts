import { countedOf, digitsOf, type Movement } from "./cash.ts";

/** Movements that a tool could take for the same row. The first one stands for all. */
interface Twins {
  readonly first: Movement;
  readonly amount: bigint;
  readonly count: number;
  /** True: they differ in market or text. */
  readonly mixed: boolean;
}

/**
 * Merges movements of one date that have the same key into one row with their sum. A sum may equal another
 * amount, so merging repeats until no two are equal.
 */
export function mergeDuplicates(
  movements: readonly Movement[],
  keyOf: (movement: Movement) => string,
): readonly Movement[] {
  let groups = movements.map((first): Twins => ({ first, amount: first.amount, count: 1, mixed: false }));
  for (;;) {
    const byKey = new Map<string, Twins>();
    for (const group of groups) {
      const key = keyOf(sumOf(group));
      const twins = byKey.get(key);
      byKey.set(key, twins === undefined ? group : together(twins, group));
    }
    if (byKey.size === groups.length) {
      return groups.map(movementOf);
    }
    groups = [...byKey.values()];
  }
}

function together(a: Twins, b: Twins): Twins {
  const differ = a.first.market !== b.first.market || a.first.text !== b.first.text;
  return {
    first: a.first,
    amount: a.amount + b.amount,
    count: a.count + b.count,
    mixed: a.mixed || b.mixed || differ,
  };
}

function sumOf({ first, amount, count }: Twins): Movement {
  return count === 1 ? first : { ...first, amount, digits: digitsOf(amount) };
}

function movementOf(twins: Twins): Movement {
  const { first, count, mixed } = twins;
  if (count === 1) {
    return first;
  }
  const more = `${mixed ? " and others" : ""} (${countedOf(first.kind, count)})`;
  return { ...sumOf(twins), text: first.text + more, description: first.description + more };
}
