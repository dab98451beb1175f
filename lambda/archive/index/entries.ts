import { canonicalJson } from "../../formats/json.ts";
import type { DataFile, RestatementFile, WindowRecord } from "../manifest-entries.ts";
import type { Entries } from "./node.ts";
import { ALL, type Unit, unitBelow } from "./units.ts";

/** What the calendar knows of one kind of entries: the rest of their fields is not its own. */
export interface Kind<T> {
  /** The time that it is filed by, ms UTC. */
  readonly timeOf: (entry: T) => number;
  /** Two entries of the same identity are the same: the calendar holds one of them. */
  readonly identityOf: (entry: T) => string;
  /** Total: 0 for the same identity only. */
  readonly compare: (a: T, b: T) => number;
}

export const PARTS: Kind<DataFile> = {
  timeOf: ({ from }) => from,
  identityOf: ({ key }) => key,
  compare: (a, b) => a.from - b.from || byText(a.key, b.key),
};

/** Two walks of a window that got the same pages are two, with evidence of their own: only what is the same in all fields is one. */
export const WINDOWS: Kind<WindowRecord> = {
  timeOf: ({ from }) => from,
  identityOf: canonicalJson,
  compare: (a, b) => a.from - b.from || a.to - b.to || byText(canonicalJson(a), canonicalJson(b)),
};

export const RESTATEMENTS: Kind<RestatementFile> = {
  timeOf: ({ firstTrade }) => firstTrade,
  identityOf: ({ key }) => key,
  compare: (a, b) => a.firstTrade - b.firstTrade || byText(a.key, b.key),
};

export const NO_ENTRIES: Entries = { parts: [], windows: [], restatements: [] };

export function countOf({ parts, windows, restatements }: Entries): number {
  return parts.length + windows.length + restatements.length;
}

/** Of units in the order of time, each in order: the whole is in order, since all are filed by time. */
export function joined(units: readonly Entries[]): Entries {
  return {
    parts: units.flatMap(({ parts }) => parts),
    windows: units.flatMap(({ windows }) => windows),
    restatements: units.flatMap(({ restatements }) => restatements),
  };
}

/** `entries` cut into the units below `above`, in the order of time; their order within a unit is kept. */
export function cutByUnit(entries: Entries, above: Unit): { readonly unit: Unit; readonly entries: Entries }[] {
  const units = new Map<number, { readonly unit: Unit; readonly entries: Lists }>();
  const listsAt = (time: number): Lists => {
    if (!(time >= ALL.from && time < ALL.to)) {
      throw new RangeError(`${time} is no time that the calendar has`);
    }
    const unit = unitBelow(above, time);
    const known = units.get(unit.from) ?? { unit, entries: { parts: [], windows: [], restatements: [] } };
    units.set(unit.from, known);
    return known.entries;
  };
  for (const part of entries.parts) {
    listsAt(PARTS.timeOf(part)).parts.push(part);
  }
  for (const window of entries.windows) {
    listsAt(WINDOWS.timeOf(window)).windows.push(window);
  }
  for (const file of entries.restatements) {
    listsAt(RESTATEMENTS.timeOf(file)).restatements.push(file);
  }
  return [...units.values()].sort((a, b) => a.unit.from - b.unit.from);
}

interface Lists extends Entries {
  readonly parts: DataFile[];
  readonly windows: WindowRecord[];
  readonly restatements: RestatementFile[];
}

/** By code units, as keys are compared. */
function byText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
