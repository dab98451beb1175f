import type { RestatementFile } from "../archive/manifest-entries.ts";
import type { TimeRange } from "../core/time.ts";

/** What a home of the page (this machine, or AWS) gives it. The page itself is the same in both: a request in, an answer out. */
export interface PagePorts {
  /** Accounts that there are, sorted. */
  readonly accounts: () => Promise<readonly string[]>;
  readonly archiveOf: (account: string) => Promise<ArchiveView>;
  readonly packs: PackCatalogue;
  readonly jobs: Jobs;
  readonly downloads: Downloads;
  readonly links: Links;
  readonly now: () => number;
}

export type Role = "accountant" | "operator";

/** Who asks. An accountant reads, downloads and asks for a period; an operator also runs and verifies. */
export interface User {
  /** As the history of downloads names them. */
  readonly name: string;
  /** Null: they may not see it, and the page says that there is none. */
  readonly roleIn: (account: string) => Role | null;
}

export interface ArchiveView {
  readonly account: string;
  /** Sorted, apart, half-open. Empty: nothing was walked yet. */
  readonly coverage: readonly TimeRange[];
  readonly fills: number;
  readonly lastRun: { readonly endedAt: number; readonly complete: boolean; readonly problem: string | null } | null;
  /** A run holds the archive now. */
  readonly busy: boolean;
  /** Where it keeps what came late or changed in a time, oldest first; null: there is no archive. */
  readonly restatements: ((range: TimeRange) => Promise<readonly RestatementFile[]>) | null;
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

export interface PackDetails extends PackEntry {
  readonly files: readonly PackFileEntry[];
  /** Of `completeness.json`. */
  readonly claim: PackStatement;
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

/** Two versions of one period. */
export interface PackComparison {
  /** Of each currency, and what differs of each market; null: a summary.csv is missing, or too large to be read here. */
  readonly sums: readonly SumChange[] | null;
  /** Of `completeness.json`, those that differ. */
  readonly figures: readonly PackChange[];
  /** What the second knows of late and changed fills beyond the first. */
  readonly fills: readonly PackChange[];
  /** All of both, sorted. */
  readonly files: readonly FileChange[];
}

/** Columns of summary.csv that are compared, in the order in which they are shown. */
export const SUM_FIGURES = [
  "realised_pnl_net_of_fees_excl_funding",
  "gross_pnl",
  "fees_recognised",
  "fees_paid",
  "rebates",
  "funding",
] as const;

export type SumFigure = (typeof SUM_FIGURES)[number];

/** A sum of summary.csv, by the method that each pack was asked for. Exact decimals, as they stand there; empty: not known. */
export interface SumChange {
  readonly currency: string;
  /** Null: of the whole currency. */
  readonly market: string | null;
  readonly figure: SumFigure;
  readonly before: string;
  readonly after: string;
  /** Exact; null: cannot be told. */
  readonly difference: string | null;
}

export interface PackChange {
  /** What differs: a figure, or a fill. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

export interface FileChange {
  /** Without the mark of an incomplete pack. */
  readonly path: string;
  /** Size and hash; empty: there is no such file. */
  readonly before: string;
  readonly after: string;
}

export interface PackCatalogue {
  /** In no order that means anything. One list of folders a store. */
  readonly periods: (account: string) => Promise<readonly PackPeriod[]>;
  /** All versions of these periods: by period, as they come, then newest first. A list of keys each, and a read where there is a choice. */
  readonly list: (account: string, periods: readonly PackPeriod[]) => Promise<readonly PackEntry[]>;
  /** Null when there is no such version of such a period. */
  readonly find: (account: string, period: string, version: string) => Promise<PackDetails | null>;
  /** Of each pack, its hash not compared; null: it is not there, or cannot be read. A read each. */
  readonly claims: (account: string, packs: readonly PackEntry[]) => Promise<readonly (PackStatement | null)[]>;
  /**
   * Of each claim: how many fills of its time the archive knows to be late or changed beyond those that the pack counts; null: cannot be told, as where
   * there is no claim. What they have in common is read once.
   */
  readonly restatedSince: (
    archive: ArchiveView,
    claims: readonly (PackStatement | null)[],
  ) => Promise<readonly (number | null)[]>;
  readonly compare: (account: string, before: PackDetails, after: PackDetails) => Promise<PackComparison>;
  /** Null when the pack has no such file. */
  readonly open: (account: string, pack: PackEntry, path: string) => Promise<AsyncIterable<Uint8Array> | null>;
}

export interface MakeRequest {
  readonly account: string;
  /** `zip`: all files of a pack as one, where the page cannot make it as it goes out. */
  readonly kind: "export" | "sync" | "verify" | "zip";
  /** Of an export: the command line's own arguments, already checked. Of a ZIP: the pack's, as the catalogue knows it. */
  readonly period?: string;
  readonly from?: string;
  readonly to?: string;
  readonly zone?: string;
  readonly method?: string;
  /** Absent: the default, by the time of the fill. */
  readonly basis?: string;
  /** Absent: nothing is converted. */
  readonly currency?: string;
  /** Of a ZIP alone. */
  readonly version?: string;
}

export interface JobState {
  readonly id: string;
  readonly request: MakeRequest;
  readonly startedBy: string;
  readonly startedAt: number;
  readonly state: "running" | "done" | "failed";
  /** Share of what is asked that is covered, 0 to 1; null: not known yet. */
  readonly covered: number | null;
  /** One sentence of where it is, or of what went wrong and what to do. */
  readonly note: string;
  /** The pack that was made, or packed. */
  readonly pack: { readonly period: string; readonly version: string } | null;
}

export interface Jobs {
  /** Starts it, or gives the one that is running for the same request. */
  readonly start: (request: MakeRequest, user: User) => Promise<JobState>;
  readonly find: (account: string, id: string) => Promise<JobState | null>;
  /** Newest first. */
  readonly recent: (account: string) => Promise<readonly JobState[]>;
}

export interface DownloadRecord {
  readonly at: number;
  readonly user: string;
  readonly account: string;
  readonly period: string;
  readonly version: string;
  /** A file's path, or `*` for the whole pack as one ZIP. */
  readonly path: string;
}

export interface Downloads {
  /** Kept before a byte goes out: what cannot be recorded is not given. */
  readonly record: (record: DownloadRecord) => Promise<void>;
  /** Newest first, at most `limit`; only those before the record that `before` names, as `older` did. What names none is as if it were null. */
  readonly recent: (account: string, limit: number, before: string | null) => Promise<DownloadPage>;
}

export interface DownloadPage {
  readonly records: readonly DownloadRecord[];
  /** Names the last of them; null: there are no older ones. */
  readonly older: string | null;
}

/** How what is downloaded reaches the user: by links that are signed at the click for a minute, or through the page itself. */
export interface Links {
  /** Null: the page streams the file. */
  readonly toFile: (account: string, pack: PackEntry, path: string) => Promise<string | null>;
  /** Of all files of the pack as one. `stream`: the page makes it as it goes out; `make`: it is not there, and a job of kind `zip` makes it. */
  readonly toZip: (account: string, pack: PackEntry) => Promise<{ readonly url: string } | "stream" | "make">;
}
