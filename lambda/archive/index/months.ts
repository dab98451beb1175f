import { monthName } from "../keys.ts";
import type { DataFile } from "../manifest-entries.ts";
import { NO_ENTRIES } from "./entries.ts";
import { type Load, type Tree, visitNode } from "./find.ts";
import type { Child, Node } from "./node.ts";
import { leafOf } from "./shape.ts";
import { ALL, type Unit, unitBelow } from "./units.ts";

/** The months, as `2025-03` and in order, whose parts are not the same in two calendars of an account. Nodes that both have stored are not loaded. */
export async function changedMonths(one: Tree, other: Tree): Promise<readonly string[]> {
  const lone = new Map<string, number>();
  for await (const { key, from } of unsharedParts({ ...one, node: one.root }, { ...other, node: other.root }, ALL)) {
    if (!lone.delete(key)) {
      lone.set(key, from);
    }
  }
  return [...new Set([...lone.values()].map(monthName))].sort();
}

interface Side {
  readonly load: Load;
  readonly node: Node;
}

/** The parts of both, those of an object that both name left out. */
async function* unsharedParts(one: Side, other: Side, unit: Unit): AsyncGenerator<DataFile> {
  if (one.node.kind !== "branch" || other.node.kind !== "branch") {
    yield* partsOf(one, unit);
    yield* partsOf(other, unit);
    return;
  }
  const [ones, others] = [byBeginning(one.node.children), byBeginning(other.node.children)];
  for (const from of new Set([...ones.keys(), ...others.keys()])) {
    const [a, b] = [ones.get(from), others.get(from)];
    if (!isSameObject(a, b)) {
      const below = unitBelow(unit, from);
      yield* unsharedParts(await sideOf(one.load, a, below), await sideOf(other.load, b, below), below);
    }
  }
}

async function* partsOf({ load, node }: Side, unit: Unit): AsyncGenerator<DataFile> {
  for await (const visited of visitNode(load, node, unit, ({ parts }) => (parts > 0 ? "open" : "skip"))) {
    yield* "entries" in visited ? visited.entries.parts : [];
  }
}

async function sideOf(load: Load, child: Child | undefined, unit: Unit): Promise<Side> {
  return { load, node: child === undefined ? leafOf(NO_ENTRIES) : await load(child.at, unit, child.sum) };
}

function byBeginning(children: readonly Child[]): ReadonlyMap<number, Child> {
  return new Map(children.map((child) => [child.from, child]));
}

function isSameObject(a: Child | undefined, b: Child | undefined): boolean {
  return a?.at.kind === "stored" && b?.at.kind === "stored" && a.at.epoch === b.at.epoch && a.at.sha256 === b.at.sha256;
}
