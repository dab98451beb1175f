import type { TimeRange } from "../../core/time.ts";
import type { WindowRecord } from "../manifest-entries.ts";
import { KINDS } from "./entries.ts";
import type { Branch, Entries, Node, Stored, Sum } from "./node.ts";
import { sumOf } from "./shape.ts";
import { ALL, type Unit, unitBelow } from "./units.ts";

/** Returns a node of this unit and sum, and reads it if it is stored. */
export type Load = (at: Stored | Node, unit: Unit, sum: Sum) => Promise<Node>;

/** What to do with a unit: skip it, take its sum, or look into it. */
export type Verdict = "skip" | "whole" | "open";
export type Decide = (sum: Sum, unit: Unit, at: Stored | Node) => Verdict;
export type Visited = { readonly sum: Sum } | { readonly entries: Entries };

/** Nodes that are read at once. */
const AT_ONCE = 8;

/** A unit, and its node or where that is stored. */
export interface Placed {
  readonly unit: Unit;
  readonly sum: Sum;
  readonly at: Stored | Node;
}

/**
 * Visits units and the units below them in time order, as `decide` says. Loads only units that are opened.
 */
export async function* visit(load: Load, units: readonly Placed[], decide: Decide): AsyncGenerator<Visited> {
  const decided = units
    .map((placed) => ({ ...placed, verdict: decide(placed.sum, placed.unit, placed.at) }))
    .filter(({ verdict }) => verdict !== "skip");
  for (let start = 0; start < decided.length; start += AT_ONCE) {
    const some = decided.slice(start, start + AT_ONCE).map(async ({ verdict, unit, sum, at }) => ({
      ...{ unit, sum },
      node: verdict === "whole" ? null : await load(at, unit, sum),
    }));
    for (const { unit, sum, node } of await Promise.all(some)) {
      if (node === null) {
        yield { sum };
      } else if (node.kind === "leaf") {
        yield { entries: node };
      } else {
        yield* visit(load, childrenOf(node, unit), decide);
      }
    }
  }
}

export function placedRoot(root: Node): Placed {
  return { unit: ALL, sum: sumOf(root), at: root };
}

export function childrenOf({ children }: Branch, above: Unit): Placed[] {
  return children.map(({ from, sum, at }) => ({ unit: unitBelow(above, from), sum, at }));
}

/**
 * The `count` windows nearest to `time`, by distance, then by `from`. Opens units nearest first, as long as
 * one may hold a nearer window.
 */
export async function nearestWindows(
  load: Load,
  root: Node,
  time: number,
  count: number,
): Promise<readonly WindowRecord[]> {
  let found: readonly WindowRecord[] = [];
  let closed: readonly Placed[] = [placedRoot(root)];
  for (;;) {
    const [next, ...rest] = closed;
    const farthest = found.length < count ? undefined : found.at(-1);
    if (next === undefined || (farthest !== undefined && !mayBeNearer(time, reachOf(next), farthest))) {
      return found;
    }
    const node = await load(next.at, next.unit, next.sum);
    if (node.kind === "leaf") {
      found = [...found, ...node.windows].sort((a, b) => nearer(time, a, b)).slice(0, count);
      closed = rest;
    } else {
      const below = childrenOf(node, next.unit).filter(({ sum }) => sum.windows > 0);
      closed = [...rest, ...below].sort(
        (a, b) => distance(reachOf(a), time) - distance(reachOf(b), time) || a.unit.from - b.unit.from,
      );
    }
  }
}

/** From the start of the unit to the end of its last window. */
function reachOf({ unit, sum }: Placed): TimeRange {
  return { from: unit.from, to: sum.windowsTo };
}

function mayBeNearer(time: number, reach: TimeRange, than: TimeRange): boolean {
  const difference = distance(reach, time) - distance(than, time);
  return difference < 0 || (difference === 0 && reach.from <= than.from);
}

function nearer(time: number, a: WindowRecord, b: WindowRecord): number {
  return distance(a, time) - distance(b, time) || KINDS.windows.compare(a, b);
}

/** ms. 0 if the range holds the time or ends with it. */
function distance({ from, to }: TimeRange, time: number): number {
  if (time < from) {
    return from - time;
  }
  return time > to ? time - to : 0;
}
