import type { Completeness } from "../pack/catalogue/completeness.ts";
import type { Store } from "../storage/store.ts";

/** Where one account's objects are stored. */
export interface AccountStores {
  readonly account: string;
  readonly store: Store;
  /** Holds what is under `<account>/packs/`: the same store, or another one. */
  readonly packs: Store;
}

/**
 * One finished version of a period's pack, as its listed keys show it. Its names come from the store's listing; a
 * request's texts are only compared with them.
 */
export interface PackEntry {
  readonly period: string;
  readonly version: string;
  /** False if the version's name says INCOMPLETE. */
  readonly complete: boolean;
  /** latest.json names it: the newest complete version of its period. */
  readonly latest: boolean;
  /** latest.json names another version, which is there. */
  readonly isOlder: boolean;
  /** When its last file was written, by the store's clock, ms UTC. */
  readonly madeAt: number;
  /** Bytes of its files, by path within the pack. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The size of all its files. */
  readonly bytes: number;
  /** The size of its ZIP. Null: it has none. */
  readonly zipBytes: number | null;
}

export type PackName = Pick<PackEntry, "period" | "version">;

/** A pack whose SHA256SUMS and completeness.json were read. */
export interface PackDetails extends PackEntry {
  readonly files: readonly PackFileEntry[];
  readonly claim: Completeness;
}

export interface PackFileEntry {
  /** Path within the pack: `fills.csv`, `imports/koinly.csv`. */
  readonly path: string;
  readonly bytes: number;
  /** From SHA256SUMS; null for SHA256SUMS itself. */
  readonly sha256: string | null;
}
