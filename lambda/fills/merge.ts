import { byTxCreated, type Fill, identityOf, isSameContent, plainFill } from "../core/fill.ts";
import { Identities } from "../core/identities.ts";
import type { PlainFill } from "../core/plain-fill.ts";
import { completed, otherVersions, withNote, withoutNote } from "../core/versions.ts";

/**
 * A fill that changed, or that came late in covered time. Both versions are kept; the newer one is current.
 */
export interface Restatement {
  readonly kind: "changed" | "enriched" | "late";
  readonly before: Fill | null;
  readonly after: Fill;
}

export interface Merged {
  /** Each identity once, sorted by `tx_created`, `match_id`, `order_id`. */
  readonly fills: readonly Fill[];
  readonly added: readonly Fill[];
  readonly restated: readonly Restatement[];
}

/**
 * Merges `incoming` (in order of arrival) into `existing`. Equal content changes nothing. A newer form adds
 * fields. Other content is a change, unless the fill ends as it was. What a later answer omits is not
 * forgotten.
 */
export function mergeFills(existing: readonly Fill[], incoming: readonly Fill[]): Merged {
  const identities = new Identities();
  const numbers = numbersOf(incoming, identities);
  const { current, untouched } = heldOf(existing, identities);
  const isAdded = new Uint8Array(identities.size);
  const restated: Restatement[] = [];
  for (let place = 0; place < incoming.length; place += 1) {
    const fill = incoming[place] as Fill;
    const number = numbers[place] as number;
    const before = current[number] ?? null;
    if (before === null) {
      current[number] = fill;
      isAdded[number] = 1;
      continue;
    }
    const { after, kind } = newest(before, fill);
    if (kind !== "same") {
      current[number] = after;
      restated.push({ kind, before: plainFill(before), after });
    }
  }
  const touched = current as Fill[]; // each number came at least once
  return {
    // Sorting two sorted runs is cheap: it needs few comparisons.
    fills: [...untouched, ...touched.toSorted(byTxCreated)].sort(byTxCreated),
    added: touched.filter((_, number) => isAdded[number] === 1),
    restated: restated.length < 2 ? restated : withoutReturns(existing, restated),
  };
}

/** Drops restatements of fills that end as they were: another page may show an older version each time. */
function withoutReturns(existing: readonly Fill[], restated: readonly Restatement[]): readonly Restatement[] {
  const last = new Map(restated.map(({ after }) => [identityOf(after), after]));
  for (const fill of existing) {
    const after = last.get(identityOf(fill));
    if (after !== undefined && isSameContent(fill, after)) {
      last.delete(identityOf(fill));
    }
  }
  return restated.filter(({ after }) => last.has(identityOf(after)));
}

/** The number of each fill, by its position. */
function numbersOf(fills: readonly Fill[], identities: Identities): Uint32Array {
  const numbers = new Uint32Array(fills.length);
  for (let place = 0; place < fills.length; place += 1) {
    numbers[place] = identities.add(fills[place] as Fill);
  }
  return numbers;
}

/** The existing fills by the numbers of their identities (null: none), and those without a number. */
function heldOf(
  fills: readonly Fill[],
  identities: Identities,
): { readonly current: (Fill | null)[]; readonly untouched: readonly Fill[] } {
  const current: (Fill | null)[] = new Array(identities.size).fill(null);
  const untouched: Fill[] = [];
  for (const fill of fills) {
    const number = identities.numberOf(fill);
    if (number === undefined) {
      untouched.push(fill);
    } else {
      current[number] = fill;
    }
  }
  return { current, untouched };
}

interface Newest {
  readonly after: Fill;
  readonly kind: "same" | "changed" | "enriched";
}

/**
 * The current version after `other` was shown after `one`. Of versions that came in one answer, the current
 * one stays.
 */
export function newest(one: Fill, other: Fill): Newest {
  if (isSameContent(one, other)) {
    return { after: one, kind: "same" };
  }
  const [before, incoming] = [plainFill(one), plainFill(other)];
  const base = withoutNote(before);
  const known = otherVersions(before);
  const shown = [withoutNote(incoming), ...otherVersions(incoming)].map((version) => completed(version, base));
  const current = shown.find((version) => isSameContent(completed(base, version), version));
  const isKnown = shown.every((version) => [base, ...known].some((held) => isSameContent(version, held)));
  if (isKnown) {
    return { after: before, kind: "same" };
  }
  if (current !== undefined) {
    return {
      after: withNote(current, [...known.map((version) => completed(version, current)), ...shown]),
      kind: "enriched",
    };
  }
  return { after: withNote(shown[0] as PlainFill, shown), kind: "changed" };
}
