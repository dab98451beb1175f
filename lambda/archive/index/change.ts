import { FillbookError } from "../../core/errors.ts";
import { cutByUnit, joined, type Kind, NO_ENTRIES, PARTS, RESTATEMENTS, WINDOWS } from "./entries.ts";
import type { Load } from "./find.ts";
import type { Child, Entries, Node } from "./node.ts";
import { branchOf, childOf, isSmall, leafOf, shapeOf, sumOf } from "./shape.ts";
import { type Unit, unitBelow } from "./units.ts";

export interface Edits {
  readonly removed: Entries;
  readonly added: Entries;
}

/**
 * The node of `unit` after the edits: removed first, then added, where what is added replaces an entry of the same identity. What no edit concerns stays
 * as it is, stored or not, and is loaded only where what is left of its branch goes into a leaf. Throws where what is to be removed is not there.
 */
export async function edited(load: Load, node: Node, unit: Unit, edits: Edits): Promise<Node> {
  if (node.kind === "leaf") {
    return shapeOf(
      {
        parts: editedList(PARTS, node.parts, edits.removed.parts, edits.added.parts),
        windows: editedList(WINDOWS, node.windows, edits.removed.windows, edits.added.windows),
        restatements: editedList(RESTATEMENTS, node.restatements, edits.removed.restatements, edits.added.restatements),
      },
      unit,
    );
  }
  const children = new Map(node.children.map((child) => [child.from, child]));
  for (const below of editsByUnit(edits, unit)) {
    const child = children.get(below.unit.from);
    const before = child === undefined ? leafOf(NO_ENTRIES) : await load(child.at, below.unit, child.sum);
    const after = childOf(below.unit, await edited(load, before, below.unit, below.edits));
    if (isEmpty(after)) {
      children.delete(below.unit.from);
    } else {
      children.set(below.unit.from, after);
    }
  }
  const branch = branchOf([...children.values()].sort((a, b) => a.from - b.from));
  return isSmall(sumOf(branch)) ? leafOf(await entriesOf(load, branch, unit)) : branch;
}

function editsByUnit(edits: Edits, above: Unit): { readonly unit: Unit; readonly edits: Edits }[] {
  const units = new Map<number, { unit: Unit; edits: Edits }>();
  for (const kind of ["removed", "added"] as const) {
    for (const { unit, entries } of cutByUnit(edits[kind], above)) {
      const before = units.get(unit.from)?.edits ?? { removed: NO_ENTRIES, added: NO_ENTRIES };
      units.set(unit.from, { unit, edits: { ...before, [kind]: entries } });
    }
  }
  return [...units.values()];
}

function editedList<T>(
  { identityOf, compare }: Kind<T>,
  before: readonly T[],
  removed: readonly T[],
  added: readonly T[],
): readonly T[] {
  if (removed.length === 0 && added.length === 0) {
    return before;
  }
  const entries = new Map(before.map((entry) => [identityOf(entry), entry]));
  for (const identity of new Set(removed.map(identityOf))) {
    if (!entries.delete(identity)) {
      throw new FillbookError("fault", `not in the archive, and to be taken out of it: ${identity.slice(0, 200)}`);
    }
  }
  for (const entry of added) {
    entries.set(identityOf(entry), entry);
  }
  return [...entries.values()].sort(compare);
}

function isEmpty({ sum }: Child): boolean {
  return sum.parts + sum.windows + sum.restatements === 0;
}

/** All entries below a node: few, or the node is not asked. */
async function entriesOf(load: Load, node: Node, unit: Unit): Promise<Entries> {
  if (node.kind === "leaf") {
    return node;
  }
  const units: Entries[] = [];
  for (const { from, at, sum } of node.children) {
    const below = unitBelow(unit, from);
    const inner = await load(at, below, sum);
    units.push(await entriesOf(load, inner, below));
  }
  return joined(units);
}
