import { addSets, EMPTY_SET, formatSetHash, parseSetHash } from "../set-hash.ts";
import { countOf, cutByUnit } from "./entries.ts";
import type { Branch, Child, Entries, Leaf, Node, Sum } from "./node.ts";
import { isSmallest, type Unit } from "./units.ts";

/** The most entries of a leaf, all kinds together. Leaves of the smallest unit may have more. */
export const MAX_ENTRIES = 64;

/** The node of a unit with these entries, which must be in order. All nodes below it are inline. */
export function shapeOf(entries: Entries, unit: Unit): Node {
  if (countOf(entries) <= MAX_ENTRIES || isSmallest(unit)) {
    return leafOf(entries);
  }
  return branchOf(cutByUnit(entries, unit).map((below) => childOf(below.unit, shapeOf(below.entries, below.unit))));
}

export function leafOf({ dataFiles, windows, restatements }: Entries): Leaf {
  return { kind: "leaf", dataFiles, windows, restatements };
}

export function branchOf(children: readonly Child[]): Branch {
  return { kind: "branch", children };
}

export function childOf({ from, to }: Unit, at: Node): Child {
  return { from, to, sum: sumOf(at), at };
}

export function isSmall(sum: Sum): boolean {
  return sum.dataFiles + sum.windows + sum.restatements <= MAX_ENTRIES;
}

export function sumOf(node: Node): Sum {
  return total(node.kind === "branch" ? node.children.map(({ sum }) => sum) : sumsOfEntries(node));
}

const NOTHING: Sum = {
  ...{ dataFiles: 0, windows: 0, restatements: 0, fills: 0, exceptions: 0, setHash: formatSetHash(EMPTY_SET) },
  ...{ firstTrade: null, lastTrade: null, dataFilesTo: 0, windowsTo: 0, restated: 0, restatedTo: null },
};

/** One sum per entry. */
function sumsOfEntries({ dataFiles, windows, restatements }: Entries): Sum[] {
  return [
    ...dataFiles.map(({ rows, exceptions, setHash, firstTrade, lastTrade, to }) => ({
      ...NOTHING,
      ...{ dataFiles: 1, fills: rows, exceptions, setHash, firstTrade, lastTrade, dataFilesTo: to },
    })),
    ...windows.map(({ to }) => ({ ...NOTHING, windows: 1, windowsTo: to })),
    ...restatements.map(({ rows, lastTrade }) => ({
      ...NOTHING,
      ...{ restatements: 1, restated: rows, restatedTo: lastTrade },
    })),
  ];
}

/** The sum of disjoint units. */
function total(sums: readonly Sum[]): Sum {
  return {
    dataFiles: added(sums.map(({ dataFiles }) => dataFiles)),
    windows: added(sums.map(({ windows }) => windows)),
    restatements: added(sums.map(({ restatements }) => restatements)),
    fills: added(sums.map(({ fills }) => fills)),
    exceptions: added(sums.map(({ exceptions }) => exceptions)),
    setHash: setHashOfAll(sums.map(({ setHash }) => setHash)),
    firstTrade: least(sums.map(({ firstTrade }) => firstTrade)),
    lastTrade: largest(sums.map(({ lastTrade }) => lastTrade)),
    dataFilesTo: largest(sums.map(({ dataFiles, dataFilesTo }) => (dataFiles === 0 ? null : dataFilesTo))) ?? 0,
    windowsTo: largest(sums.map(({ windows, windowsTo }) => (windows === 0 ? null : windowsTo))) ?? 0,
    restated: added(sums.map(({ restated }) => restated)),
    restatedTo: largest(sums.map(({ restatedTo }) => restatedTo)),
  };
}

function added(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

function setHashOfAll(hashes: readonly string[]): string {
  return formatSetHash(hashes.reduce((sum, text) => addSets(sum, parseSetHash(text)), EMPTY_SET));
}

function least(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.min(a, b)), null);
}

function largest(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce((a, b) => (a === null || b === null ? (a ?? b) : Math.max(a, b)), null);
}
