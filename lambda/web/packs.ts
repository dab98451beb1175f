import type { Amount } from "../core/amount.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Assumed } from "../pack/make/maker.ts";
import type { Store } from "../storage/store.ts";

/** Where one account's objects are stored. */
export interface AccountStores {
  readonly account: string;
  /** Holds the account's archive, and packs that were made before a `packStore` was set. */
  readonly store: Store;
  /** The packs' store, if it is another one. */
  readonly packStore: Store | null;
}

/**
 * The archive's store, or the packs' own. If the pack store was set later, older packs are still in the
 * archive's.
 */
export type PackStoreName = "archive" | "packs";

/**
 * One version of a period's pack. Its names come from the store's listing; a request's texts are only
 * compared with them.
 */
export interface PackEntry {
  readonly period: string;
  readonly version: string;
  /** False if the version's name says INCOMPLETE. */
  readonly complete: boolean;
  /** The newest complete version of its period. */
  readonly latest: boolean;
  /** The version that latest.json names, if the period has it no more; null: it has, or none is named. */
  readonly latestGone: string | null;
  /** When it was last made, by the store's clock, ms UTC. */
  readonly madeAt: number;
  /** The size of all its files. */
  readonly bytes: number;
  /** The size of its ZIP. Null: it has none. */
  readonly zipBytes: number | null;
  readonly store: PackStoreName;
}

export type PackName = Pick<PackEntry, "period" | "version">;

export interface PackDetails extends PackEntry {
  readonly files: readonly PackFileEntry[];
  /** From `completeness.json`. */
  readonly claim: PackStatement;
  /** All versions of its period, newest first, including this one. */
  readonly versions: readonly PackEntry[];
}

export interface PackFileEntry {
  /** Path within the pack: `fills.csv`, `imports/koinly.csv`. */
  readonly path: string;
  readonly bytes: number;
  /** From SHA256SUMS; null for SHA256SUMS itself. */
  readonly sha256: string | null;
}

/** How a pack was made. Two packs of a period can differ in this although no new fill was read. */
export interface PackSettings {
  readonly method: string;
  /** False if nobody chose the method and it is the default. */
  readonly isMethodChosen: boolean;
  readonly basis: string;
  /** The currency into which amounts are also converted; null if they are not. */
  readonly currency: string | null;
}

/** A total with which a pack's report begins. */
export interface NetFigure {
  readonly currency: string;
  /** Realised PnL net of fees, with funding where it is included; null: not known. */
  readonly net: Amount | null;
  readonly isFundingIncluded: boolean;
  /** True: more belongs to it that is not known. */
  readonly isPartial: boolean;
}

export interface PackStatement extends PackSettings {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly fills: number;
  readonly exceptions: number;
  /** The fills that came late, changed or gained detail, as far as the pack knows. */
  readonly restatements: Readonly<Record<"late" | "changed" | "enriched", number>>;
  readonly gaps: readonly { readonly from: string; readonly to: string }[];
  readonly assumed: Assumed;
  /** The user's files that it was made with. */
  readonly inputs: readonly { readonly name: string; readonly sha256: string }[];
  /** In the report's order. */
  readonly nets: readonly NetFigure[];
  /** More than one: it is of several accounts together. */
  readonly accounts: readonly string[];
  /** What was known of it when it was made. */
  readonly verdict: Verdict;
}
