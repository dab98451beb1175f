import { isWithin } from "../../core/ranges.ts";
import { compareText } from "../../core/text.ts";
import { canonicalJson } from "../../formats/json.ts";
import type { Entries, EntryOf, ListName, Sum } from "./node.ts";
import { ALL, type Unit, unitBelow } from "./units.ts";

/** What the index needs to know of one kind of entry. */
export interface Kind<T> {
  /** The time by which the entry is filed, and its end (exclusive), ms UTC. */
  readonly timeOf: (entry: T) => number;
  readonly endOf: (entry: T) => number;
  /** The latest end of the entries of a unit. */
  readonly lastEndOf: (sum: Sum) => number;
  /** The index holds one entry per identity. */
  readonly identityOf: (entry: T) => string;
  /** A total order: 0 only for the same identity. */
  readonly compare: (a: T, b: T) => number;
}

export const KINDS: { readonly [Name in ListName]: Kind<EntryOf[Name]> } = {
  dataFiles: {
    timeOf: ({ from }) => from,
    endOf: ({ to }) => to,
    lastEndOf: ({ dataFilesTo }) => dataFilesTo,
    identityOf: ({ key }) => key,
    compare: (a, b) => a.from - b.from || compareText(a.key, b.key),
  },
  // Two walks of a window that got the same pages are two records, each with its own raw responses. Only
  // records that are equal in all fields count as one.
  windows: {
    timeOf: ({ from }) => from,
    endOf: ({ to }) => to,
    lastEndOf: ({ windowsTo }) => windowsTo,
    identityOf: canonicalJson,
    compare: (a, b) => a.from - b.from || a.to - b.to || compareText(canonicalJson(a), canonicalJson(b)),
  },
  restatements: {
    timeOf: ({ firstTrade }) => firstTrade,
    endOf: ({ lastTrade }) => lastTrade + 1,
    lastEndOf: ({ restatedTo }) => (restatedTo ?? 0) + 1,
    identityOf: ({ key }) => key,
    compare: (a, b) => a.firstTrade - b.firstTrade || compareText(a.key, b.key),
  },
};

export const LIST_NAMES = Object.keys(KINDS) as readonly ListName[];

export const NO_ENTRIES: Entries = { dataFiles: [], windows: [], restatements: [] };

/** Makes the list of each kind. */
export function mapLists(listOf: <Name extends ListName>(name: Name) => readonly EntryOf[Name][]): Entries {
  return { dataFiles: listOf("dataFiles"), windows: listOf("windows"), restatements: listOf("restatements") };
}

export function countOf(entries: Entries): number {
  return LIST_NAMES.reduce((sum, name) => sum + entries[name].length, 0);
}

/** Joins units that are in time order. The result is in order because all entries are filed by time. */
export function joined(units: readonly Entries[]): Entries {
  return mapLists((name) => units.flatMap((unit) => unit[name]));
}

/** Cuts `entries` into the units below `above`, in time order. Keeps the order within a unit. */
export function cutByUnit(entries: Entries, above: Unit): { readonly unit: Unit; readonly entries: Entries }[] {
  const timesIn = <Name extends ListName>(name: Name) => entries[name].map(KINDS[name].timeOf);
  const units = new Map<number, Unit>();
  for (const time of LIST_NAMES.flatMap((name) => timesIn(name))) {
    if (!isWithin(ALL, time)) {
      throw new RangeError(`${time} is outside the times of the index`);
    }
    const unit = unitBelow(above, time);
    units.set(unit.from, unit);
  }
  return [...units.values()]
    .sort((a, b) => a.from - b.from)
    .map((unit) => ({
      unit,
      entries: mapLists((name) => entries[name].filter((entry) => isWithin(unit, KINDS[name].timeOf(entry)))),
    }));
}
