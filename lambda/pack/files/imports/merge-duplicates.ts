import { countedOf, digitsOf, type Movement } from "./cash.ts";

/** Movements that a tool could take for the same row. The first one stands for all. */
interface Duplicates {
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
  let groups = movements.map((first): Duplicates => ({ first, amount: first.amount, count: 1, mixed: false }));
  for (;;) {
    const byKey = new Map<string, Duplicates>();
    for (const group of groups) {
      const key = keyOf(sumOf(group));
      const duplicates = byKey.get(key);
      byKey.set(key, duplicates === undefined ? group : together(duplicates, group));
    }
    if (byKey.size === groups.length) {
      return groups.map(movementOf);
    }
    groups = [...byKey.values()];
  }
}

function together(a: Duplicates, b: Duplicates): Duplicates {
  const differ = a.first.market !== b.first.market || a.first.text !== b.first.text;
  return {
    first: a.first,
    amount: a.amount + b.amount,
    count: a.count + b.count,
    mixed: a.mixed || b.mixed || differ,
  };
}

function sumOf({ first, amount, count }: Duplicates): Movement {
  return count === 1 ? first : { ...first, amount, digits: digitsOf(amount) };
}

function movementOf(duplicates: Duplicates): Movement {
  const { first, count, mixed } = duplicates;
  if (count === 1) {
    return first;
  }
  const more = `${mixed ? " and others" : ""} (${countedOf(first.kind, count)})`;
  return { ...sumOf(duplicates), text: first.text + more, description: first.description + more };
}
