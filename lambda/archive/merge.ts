import { byTxCreated, type Fill, identityOf } from "../core/fill.ts";
import { getOrMake } from "../core/get-or-make.ts";
import { fieldsOf } from "../core/record.ts";
import { canonicalJson, parseLossless } from "../formats/json.ts";

/**
 * A fill that changed, or that came late in a range that was already read twice. Both versions are kept; the
 * newer one is current. `enriched`: the newer one only has more fields.
 */
export interface Restatement {
  readonly kind: "changed" | "enriched" | "late";
  readonly before: Fill | null;
  readonly after: Fill;
}

export interface Merged {
  /** Each identity once, sorted by `tx_created`, `match_id`, `order_id`. */
  readonly fills: readonly Fill[];
  /** Identities that only the last layer has. */
  readonly added: readonly Fill[];
  readonly restated: readonly Restatement[];
}

/**
 * Merges layers of fills, each newer than the one before. Equal content changes nothing; what a newer version
 * omits is not forgotten; other content is a restatement, unless the fill ends as it was.
 */
export function mergeFills(layers: readonly (readonly Fill[])[]): Merged {
  const current = new Map<string, { fill: Fill; first: Fill; layer: number; changes: Restatement[] }>();
  for (const [layer, fills] of layers.entries()) {
    for (const fill of fills) {
      const held = getOrMake(current, identityOf(fill), () => ({ fill, first: fill, layer, changes: [] }));
      const kind = changeOf(held.fill.row, fill.row);
      if (kind !== null) {
        held.changes.push({ kind, before: held.fill, after: fill });
        held.fill = fill;
      }
    }
  }
  const all = [...current.values()];
  return {
    fills: all.map(({ fill }) => fill).sort(byTxCreated),
    added: all.filter(({ layer }) => layer === layers.length - 1).map(({ fill }) => fill),
    restated: all.filter(({ first, fill }) => first.row !== fill.row).flatMap(({ changes }) => changes),
  };
}

/** How a newer row changes a fill: it contradicts the older, or says more. Null: it says nothing else, or less. */
export function changeOf(before: string, after: string): "changed" | "enriched" | null {
  if (before === after) {
    return null;
  }
  const [old, young] = [saidIn(before), saidIn(after)];
  if (holds(old, young)) {
    return null;
  }
  return holds(young, old) ? "enriched" : "changed";
}

/** The fields of a row that say something, as JSON. */
function saidIn(row: string): ReadonlyMap<string, string> {
  const fields = Object.entries(fieldsOf(parseLossless(row))).filter(([, one]) => one !== null);
  return new Map(fields.map(([name, one]) => [name, canonicalJson(one)]));
}

function holds(all: ReadonlyMap<string, string>, some: ReadonlyMap<string, string>): boolean {
  return [...some].every(([name, value]) => all.get(name) === value);
}
