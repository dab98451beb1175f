import { byTxCreated, contentOf, type Fill, identityOf } from "../../lambda/core/fill.ts";
import type { Merged, Restatement } from "../../lambda/fills/merge.ts";

/**
 * The obvious, slower implementation that `mergeFills` must agree with: all fills in a Map by joined
 * identity, contents compared as text.
 */
export function plainMerge(existing: readonly Fill[], incoming: readonly Fill[]): Merged {
  const byIdentity = new Map(existing.map((fill) => [identityOf(fill), fill]));
  const added = new Map<string, Fill>();
  const restated: Restatement[] = [];
  for (const fill of incoming) {
    const identity = identityOf(fill);
    const before = byIdentity.get(identity);
    if (before === undefined) {
      byIdentity.set(identity, fill);
      added.set(identity, fill);
      continue;
    }
    const { after, kind } = newest(before, fill);
    if (kind !== "same") {
      byIdentity.set(identity, after);
      restated.push({ kind, before, after });
      if (added.has(identity)) {
        added.set(identity, after);
      }
    }
  }
  const held = new Map(existing.map((fill) => [identityOf(fill), contentOf(fill)]));
  const isChanged = (identity: string) => contentOf(byIdentity.get(identity) as Fill) !== held.get(identity);
  return {
    fills: [...byIdentity.values()].sort(byTxCreated),
    added: [...added.values()],
    restated: restated.filter(({ after }) => isChanged(identityOf(after))),
  };
}

interface Newest {
  readonly after: Fill;
  readonly kind: "same" | "changed" | "enriched";
}

function newest(before: Fill, incoming: Fill): Newest {
  const known = contentOf(before);
  if (known === contentOf(incoming)) {
    return { after: before, kind: "same" };
  }
  const after = completed(incoming, before);
  if (contentOf(after) === known) {
    return { after: before, kind: "same" };
  }
  const contradicts = contentOf(completed(before, incoming)) !== contentOf(after);
  return { after, kind: contradicts ? "changed" : "enriched" };
}

/**
 * The interface's name of each field that a version may lack. `extra` keeps a value of the wrong type under
 * this name.
 */
const WIRE_NAMES = {
  filledAt: "filledAt",
  market: "market",
  side: "orderType",
  liquidity: "executionType",
  tradeType: "tradeType",
  fillType: "fillType",
  triggerType: "triggerType",
  transactionHash: "transactionHash",
  quantity: "quantity",
  price: "price",
  fee: "fees",
  triggerPrice: "triggerPrice",
} as const satisfies Partial<Record<keyof Fill, string>>;

const KNOWN_NAMES: ReadonlySet<string> = new Set(Object.values(WIRE_NAMES));

/**
 * `fill`, with its missing fields taken from `other`. A field with a value of the wrong type is not missing.
 */
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
