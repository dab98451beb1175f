import type { TimeRange } from "../../core/time.ts";
import type { WindowRecord } from "../manifest-entries.ts";
import { WINDOWS } from "./entries.ts";
import type { Branch, Child, Entries, Node, Stored, Sum } from "./node.ts";
import { sumOf } from "./shape.ts";
import { ALL, type Unit, unitBelow } from "./units.ts";

/** Gives a node that may be stored, of this unit and sum. */
export type Load = (at: Stored | Node, unit: Unit, sum: Sum) => Promise<Node>;

export interface Tree {
  readonly root: Node;
  readonly load: Load;
}

/** What to do with a unit: pass over it, take its sum, or look into it. */
export type Verdict = "skip" | "whole" | "open";
export type Decide = (sum: Sum, unit: TimeRange) => Verdict;
export type Visited = { readonly sum: Sum } | { readonly entries: Entries };

/** Nodes that are asked of the store at once. */
export const AT_ONCE = 8;

/** What `decide` makes of each unit, in the order of time. Only what is opened is loaded. */
export async function* visit({ root, load }: Tree, decide: Decide): AsyncGenerator<Visited> {
  const sum = sumOf(root);
  switch (decide(sum, ALL)) {
    case "skip":
      return;
    case "whole":
      yield { sum };
      return;
    case "open":
      yield* visitNode(load, root, ALL, decide);
  }
}

/** The same from a node down, which itself is opened. */
export async function* visitNode(load: Load, node: Node, unit: Unit, decide: Decide): AsyncGenerator<Visited> {
  if (node.kind === "leaf") {
    yield { entries: node };
    return;
  }
  const decided = childrenOf(node, unit)
    .map((child) => ({ ...child, verdict: decide(child.sum, child.unit) }))
    .filter(({ verdict }) => verdict !== "skip");
  for (let start = 0; start < decided.length; start += AT_ONCE) {
    const some = decided.slice(start, start + AT_ONCE);
    const nodes = await Promise.all(
      some.map(async (child) => (child.verdict === "whole" ? null : await load(child.at, child.unit, child.sum))),
    );
    for (const [index, { sum, unit: below }] of some.entries()) {
      const inner = nodes[index] ?? null;
      if (inner === null) {
        yield { sum };
      } else {
        yield* visitNode(load, inner, below, decide);
      }
    }
  }
}

function childrenOf({ children }: Branch, above: Unit): (Child & { readonly unit: Unit })[] {
  return children.map((child) => ({ ...child, unit: unitBelow(above, child.from) }));
}

/** Entries of the leaves of units that may hold something wanted, a leaf at a time. */
export async function* leavesOf(tree: Tree, isWanted: (sum: Sum, unit: TimeRange) => boolean): AsyncGenerator<Entries> {
  for await (const visited of visit(tree, (sum, unit) => (isWanted(sum, unit) ? "open" : "skip"))) {
    if ("entries" in visited) {
      yield visited.entries;
    }
  }
}

/** The `count` windows that are nearest to `time`: by their distance, then by `from`. Units are opened nearest first, and only as long as one may hold a nearer window. */
export async function nearestWindows(
  { root, load }: Tree,
  time: number,
  count: number,
): Promise<readonly WindowRecord[]> {
  let found: readonly WindowRecord[] = [];
  let closed: readonly Closed[] = [];
  let node: Node = root;
  let unit: Unit = ALL;
  for (;;) {
    if (node.kind === "leaf") {
      found = [...found, ...node.windows].sort((a, b) => nearer(time, a, b)).slice(0, count);
    } else {
      const below = childrenOf(node, unit).filter(({ sum }) => sum.windows > 0);
      closed = [...closed, ...below.map((child) => ({ ...child, reach: reachOf(child) }))].sort(
        (a, b) => distance(a.reach, time) - distance(b.reach, time) || a.from - b.from,
      );
    }
    const [next, ...rest] = closed;
    const farthest = found.length < count ? undefined : found.at(-1);
    if (next === undefined || (farthest !== undefined && !mayBeNearer(time, next.reach, farthest))) {
      return found;
    }
    closed = rest;
    node = await load(next.at, next.unit, next.sum);
    unit = next.unit;
  }
}

interface Closed extends Child {
  readonly unit: Unit;
  /** From the unit's beginning to where its windows reach. */
  readonly reach: TimeRange;
}

function reachOf({ from, sum }: Child): TimeRange {
  return { from, to: sum.windowsTo };
}

function mayBeNearer(time: number, reach: TimeRange, than: TimeRange): boolean {
  const difference = distance(reach, time) - distance(than, time);
  return difference < 0 || (difference === 0 && reach.from <= than.from);
}

function nearer(time: number, a: WindowRecord, b: WindowRecord): number {
  return distance(a, time) - distance(b, time) || WINDOWS.compare(a, b);
}

/** ms; 0: it holds the time, or ends with it. */
function distance({ from, to }: TimeRange, time: number): number {
  if (time < from) {
    return from - time;
  }
  return time > to ? time - to : 0;
}
