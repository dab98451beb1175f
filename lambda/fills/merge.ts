import { byTxCreated, FIELD_NAMES, type Fill, isSameContent, plainFill } from "../model/fill.ts";
import { Identities } from "../model/identities.ts";

/** A fill that changed, or came late in a covered window: both versions are kept, the newer one is current. */
export interface Restatement {
  readonly kind: "changed" | "enriched" | "late";
  readonly before: Fill | null;
  readonly after: Fill;
}

export interface Merged {
  /** Every identity once, sorted by `tx_created`, `match_id`, `order_id`. */
  readonly fills: readonly Fill[];
  readonly added: readonly Fill[];
  readonly restated: readonly Restatement[];
}

/**
 * Files `incoming` (in the order of its arrival) into `existing`. The same content again changes nothing; a newer shape enriches; other content
 * is a change. What a later answer no longer says is not forgotten.
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
    // Sorts of what is sorted in stretches are cheap: their comparisons are few.
    fills: [...untouched, ...touched.toSorted(byTxCreated)].sort(byTxCreated),
    added: touched.filter((_, number) => isAdded[number] === 1),
    restated,
  };
}

/** By place. */
function numbersOf(fills: readonly Fill[], identities: Identities): Uint32Array {
  const numbers = new Uint32Array(fills.length);
  for (let place = 0; place < fills.length; place += 1) {
    numbers[place] = identities.add(fills[place] as Fill);
  }
  return numbers;
}

/** Fills by the numbers of their identities, null where there is none; and those without a number. */
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

function newest(one: Fill, other: Fill): Newest {
  if (isSameContent(one, other)) {
    return { after: one, kind: "same" };
  }
  const [before, incoming] = [plainFill(one), plainFill(other)];
  const after = completed(incoming, before);
  if (isSameContent(before, after)) {
    return { after: before, kind: "same" };
  }
  const agrees = isSameContent(completed(before, incoming), after);
  return { after, kind: agrees ? "enriched" : "changed" };
}

/** Those of fields that one version may lack. */
const { matchId: _matchId, orderId: _orderId, txCreated: _txCreated, ...WIRE_NAMES } = FIELD_NAMES;
const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.values(WIRE_NAMES));

/** `fill` with what it lacks and `other` has. A field that is there with the wrong type is not lacking. */
function completed(fill: Fill, other: Fill): Fill {
  const lacking = Object.entries(WIRE_NAMES)
    .filter(([field, wire]) => fill[field as keyof Fill] === null && !hasExtra(fill, wire))
    .map(([field]) => [field, other[field as keyof Fill]]);
  const unknown = Object.entries(other.extra ?? {}).filter(([key]) => !(KNOWN_NAMES.has(key) || hasExtra(fill, key)));
  const extra = [...Object.entries(fill.extra ?? {}), ...unknown];
  return { ...fill, ...Object.fromEntries(lacking), extra: extra.length === 0 ? null : Object.fromEntries(extra) };
}

function hasExtra(fill: Fill, key: string): boolean {
  return fill.extra !== null && Object.hasOwn(fill.extra, key);
}
