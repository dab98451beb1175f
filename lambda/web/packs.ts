import type { Store } from "../storage/store.ts";

/** Where one account's objects are. */
export interface AccountStores {
  readonly account: string;
  /** Has its archive, and packs that were made before there was a `packStore`. */
  readonly store: Store;
  /** The packs', where it is another. */
  readonly packStore: Store | null;
}

/** A period that has packs, as the stores name it. */
export interface PackPeriod {
  readonly name: string;
  /** Those that know it. */
  readonly stores: readonly PackStoreName[];
}

/** The archive's store, or the packs' own. Where one was set later, older packs are still in the archive's. */
export type PackStoreName = "archive" | "packs";

/** One version of one period's pack. Names come from the store, and are looked up there: what a request says is only compared with them. */
export interface PackEntry {
  readonly period: string;
  readonly version: string;
  /** Its name does not say INCOMPLETE. */
  readonly complete: boolean;
  /** The newest complete version of its period. */
  readonly latest: boolean;
  /** By the store's own clock, ms UTC: when its last file was written. */
  readonly madeAt: number;
  /** Of all files together. */
  readonly bytes: number;
  readonly store: PackStoreName;
}

export type PackName = Pick<PackEntry, "period" | "version">;

export interface PackDetails extends PackEntry {
  readonly files: readonly PackFileEntry[];
  /** Of `completeness.json`. */
  readonly claim: PackStatement;
  /** All of `completeness.json`, to be compared. */
  readonly document: Readonly<Record<string, unknown>>;
  /** All of its period, newest first; this one is among them. */
  readonly versions: readonly PackEntry[];
}

export interface PackFileEntry {
  /** Within the pack: `fills.csv`, `imports/koinly.csv`. */
  readonly path: string;
  readonly bytes: number;
  /** Of SHA256SUMS; null: of SHA256SUMS itself. */
  readonly sha256: string | null;
}

/** How a pack was made: what makes two of one period different though nothing new was read. */
export interface PackSettings {
  readonly method: string;
  /** False: nobody chose it, and it is the default. */
  readonly isMethodChosen: boolean;
  readonly basis: string;
  /** What amounts are converted into beside their own; null: nothing is converted. */
  readonly currency: string | null;
}

export interface PackStatement extends PackSettings {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly fills: number;
  readonly exceptions: number;
  /** What came late, changed or said more, as far as the pack knows. */
  readonly restatements: Readonly<Record<"late" | "changed" | "enriched", number>>;
  readonly gaps: readonly { readonly from: string; readonly to: string }[];
}

/** What two versions of a period say otherwise. */
export interface PackChange {
  /** What differs: a figure, or a fill. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}
