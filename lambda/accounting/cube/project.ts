import { compareText } from "../../core/text.ts";
import { ALL, addCell, type Cell, emptyCell, type Names, type OpenCell } from "./cell.ts";

export type Name = keyof Names;

/** The sums of cells that have these names alike, ordered by them. */
export function projected(cells: readonly Cell[], names: readonly Name[]): readonly Cell[] {
  const sums = new Map<string, OpenCell>();
  for (const cell of cells) {
    const key = keyOf(cell, names);
    let sum = sums.get(key);
    if (sum === undefined) {
      sum = emptyCell(onlyNames(cell, names), cell.converted !== null);
      sums.set(key, sum);
    }
    addCell(sum, cell);
  }
  return [...sums.values()].sort(byNames(names));
}

/** Of some names, those that are given. The others are null. */
export function onlyNames(of: Partial<Names>, names: readonly Name[]): Names {
  return { ...ALL, ...Object.fromEntries(names.map((name) => [name, of[name] ?? null])) };
}

export function keyOf(of: Partial<Names>, names: readonly Name[]): string {
  return JSON.stringify(names.map((name) => of[name]));
}

/** Orders by each name in turn. */
export function byNames(names: readonly Name[]): (a: Partial<Names>, b: Partial<Names>) => number {
  return (a, b) => {
    for (const name of names) {
      const order = compareText(a[name] ?? "", b[name] ?? "");
      if (order !== 0) {
        return order;
      }
    }
    return 0;
  };
}
