import type { DataFile, RestatementFile, WindowRecord } from "../manifest-entries.ts";

/**
 * What the archive names, by calendar units: a unit of time (all of it, a year, a month, a day, an hour, a minute) with few entries is a leaf, one with more is
 * cut into the units below. The shape follows from the entries alone, however they came together. A change makes anew the nodes from the root to its
 * leaves and no others, so that what a commit writes does not grow with the archive.
 */
export type Node = Leaf | Branch;

/** What is filed, by the names of the lists that hold it. */
export interface EntryOf {
  /** In their list by `from`, which is also where they are filed. */
  readonly parts: DataFile;
  /** By `from`, then `to`, then their text; filed by `from`. */
  readonly windows: WindowRecord;
  /** By `firstTrade`, then key; filed by `firstTrade`. */
  readonly restatements: RestatementFile;
}

export type ListName = keyof EntryOf;
export type Entries = { readonly [Name in ListName]: readonly EntryOf[Name][] };

/** At most MAX_ENTRIES entries, or the smallest unit. */
export interface Leaf extends Entries {
  readonly kind: "leaf";
}

export interface Branch {
  readonly kind: "branch";
  /** In time order; units without entries are left out. */
  readonly children: readonly Child[];
}

/** One unit below: where it is stored; or, on the way to the newest, the node itself, so that what changes each night is in one place. */
export interface Child {
  /** The unit, `[from, to)` ms UTC. */
  readonly from: number;
  readonly to: number;
  readonly sum: Sum;
  readonly at: Stored | Node;
}

/** An object of its own: its key is made of the unit, the epoch and the hash. */
export interface Stored {
  readonly kind: "stored";
  readonly epoch: number;
  readonly sha256: string;
}

/** What all entries of a unit add up to. */
export interface Sum {
  /** entries of each kind */
  readonly parts: number;
  readonly windows: number;
  readonly restatements: number;
  /** of the data files */
  readonly fills: number;
  readonly exceptions: number;
  /** Commutative hash of the fills of all data files. */
  readonly setHash: string;
  /** Smallest and largest trade time in the data files; null: none. */
  readonly firstTrade: number | null;
  readonly lastTrade: number | null;
  /** Largest `to` of the data files and of the windows: they reach beyond the unit that they begin in. 0: none. */
  readonly partsTo: number;
  readonly windowsTo: number;
  /** rows of the restatements; their largest `lastTrade`, null: none */
  readonly restated: number;
  readonly restatedTo: number | null;
}
