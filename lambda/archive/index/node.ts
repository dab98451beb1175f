import type { DataFile, RestatementFile, WindowRecord } from "../manifest-entries.ts";

/**
 * An index of what the archive names, by calendar units: all time, year, month, day, hour, minute. A unit
 * with few entries is a leaf; a unit with more is divided into the units below. The shape follows from the
 * entries alone, not from their history. A change renews only the nodes between the root and the changed
 * leaves, so that what a commit writes does not grow with the archive.
 */
export type Node = Leaf | Branch;

/** The kinds of entries, by the name of their list. */
export interface EntryOf {
  /** Sorted and filed by `from`. */
  readonly dataFiles: DataFile;
  /** Sorted by `from`, then `to`, then their text; filed by `from`. */
  readonly windows: WindowRecord;
  /** Sorted by `firstTrade`, then key; filed by `firstTrade`. */
  readonly restatements: RestatementFile;
}

export type ListName = keyof EntryOf;
export type Entries = { readonly [Name in ListName]: readonly EntryOf[Name][] };

/** At most MAX_ENTRIES entries, unless it is of the smallest unit. */
export interface Leaf extends Entries {
  readonly kind: "leaf";
}

export interface Branch {
  readonly kind: "branch";
  /** In time order. Units without entries are left out. */
  readonly children: readonly Child[];
}

/**
 * A unit one level below. `at` says where its node is stored. On the way to the newest leaf it is the node
 * itself, so that what changes each night is in one object.
 */
export interface Child {
  /** The unit, `[from, to)` ms UTC. */
  readonly from: number;
  readonly to: number;
  readonly sum: Sum;
  readonly at: Stored | Node;
}

/** A node that is an object of its own. Its key has the unit, the epoch and the hash. */
export interface Stored {
  readonly kind: "stored";
  readonly epoch: number;
  readonly sha256: string;
}

/** The sums over all entries of a unit. */
export interface Sum {
  /** Entries of each kind. */
  readonly dataFiles: number;
  readonly windows: number;
  readonly restatements: number;
  /** In the data files. */
  readonly fills: number;
  readonly exceptions: number;
  /** Commutative hash of the fills of all data files. */
  readonly setHash: string;
  /** Smallest and largest trade time in the data files. Null: none. */
  readonly firstTrade: number | null;
  readonly lastTrade: number | null;
  /** Largest `to` of the data files and of the windows, which may reach beyond the unit. 0: none. */
  readonly dataFilesTo: number;
  readonly windowsTo: number;
  /** Rows of the restatements, and their largest `lastTrade` (null: none). */
  readonly restated: number;
  readonly restatedTo: number | null;
}
