import { FillbookError } from "../../core/errors.ts";
import { cutByUnit, joined, KINDS, mapLists, NO_ENTRIES } from "./entries.ts";
import { childrenOf, type Load, visit } from "./find.ts";
import type { Branch, Child, Entries, EntryOf, ListName, Node } from "./node.ts";
import { branchOf, childOf, isSmall, leafOf, shapeOf, sumOf } from "./shape.ts";
import type { Unit } from "./units.ts";

export interface Edits {
  readonly removed: Entries;
  readonly added: Entries;
}

/**
 * Applies edits to the node of `unit`: removes first, then adds. An added entry replaces one of the same
 * identity. Nodes without edits stay as they are, stored or not. They are loaded only if a branch becomes so
 * small that it turns into a leaf. Throws if an entry to remove is not there.
 */
export async function edited(load: Load, node: Node, unit: Unit, edits: Edits): Promise<Node> {
  if (node.kind === "leaf") {
    return shapeOf(
      mapLists((name) => editedList(name, node, edits)),
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

function editedList<Name extends ListName>(name: Name, before: Entries, edits: Edits): readonly EntryOf[Name][] {
  const [removed, added] = [edits.removed[name], edits.added[name]];
  if (removed.length === 0 && added.length === 0) {
    return before[name];
  }
  const { identityOf, compare } = KINDS[name];
  const entries = new Map<string, EntryOf[Name]>(before[name].map((entry) => [identityOf(entry), entry]));
  for (const identity of new Set(removed.map(identityOf))) {
    if (!entries.delete(identity)) {
      throw new FillbookError("fault", `cannot remove an entry that is not in the index: ${identity.slice(0, 200)}`);
    }
  }
  for (const entry of added) {
    entries.set(identityOf(entry), entry);
  }
  return [...entries.values()].sort(compare);
}

function isEmpty({ sum }: Child): boolean {
  return sum.dataFiles + sum.windows + sum.restatements === 0;
}

/** All entries below a branch. Called only for branches with few entries. */
async function entriesOf(load: Load, branch: Branch, unit: Unit): Promise<Entries> {
  const leaves: Entries[] = [];
  for await (const visited of visit(load, childrenOf(branch, unit), () => "open")) {
    leaves.push(...("entries" in visited ? [visited.entries] : []));
  }
  return joined(leaves);
}
