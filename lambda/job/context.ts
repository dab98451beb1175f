import type { Clock } from "../core/clock.ts";
import type { FillbookError } from "../core/errors.ts";
import type { Owner } from "../core/owner.ts";
import type { Random } from "../core/random.ts";
import type { TimeRange } from "../core/time.ts";
import type { DeclaredLine } from "../inputs/declared-line.ts";
import type { ServiceReader } from "../service/service.ts";
import type { Store } from "../storage/store.ts";

/** What a run is given: ports and settings, nothing global. The Lambda, the command line and a simulation build one each. */
export interface RunContext {
  readonly account: string;
  readonly reader: ServiceReader;
  readonly store: Store;
  /** Where all under `<account>/packs/` is; null: in `store`. */
  readonly packStore: Store | null;
  /** Whose fills the reader asks for; null: it cannot ask, for want of an address or a token. Absent: archives are not bound to an owner. */
  readonly owner?: () => Promise<Owner | null>;
  /** Rejects, with kind `usage` and all that is missing, where the service cannot be asked. Absent: it can be. */
  readonly requireAccess?: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  /** Names this run in the head's lease: `<host>:<pid>:<unique>`. */
  readonly holder: string;
  /** Whether the process that a lease names is known to be dead, so that its lease need not be waited for. */
  readonly isDead: (holder: string) => boolean;
  /** How long to wait for another run that holds the archive, ms; absent: an hour. More than a lease's 30 s, or no dead run is ever outlived. */
  readonly leaseWaitMs?: number;
  /** Fills may appear late: nothing younger than this is walked. ms */
  readonly settleLagMs: number;
  /** How far back from its upper end a run walks covered time again: fills may appear later than the settle lag, or change. ms */
  readonly lookBackMs: number;
  /** Covered days of the look-back are walked again even if they were so a short while ago. */
  readonly alwaysLooksBack?: boolean;
  /** Whether the archive is published as a Delta table, for readers that know no manifests. */
  readonly deltaLog: boolean;
  /** Windows walked at once. */
  readonly concurrency: number;
  /** Aborted when the run must end soon (a deadline, ctrl-c): it commits what it has and reports `complete: false`. */
  readonly signal: AbortSignal;
  /** How long it is until `signal` aborts by itself, ms: a longer wait is not begun. Absent: it does not. */
  readonly timeLeftMs?: () => number;
  /** How long `timeLeftMs` is at the beginning of a run, ms. Absent: nothing ends it. */
  readonly sliceMs?: number;
  readonly report: (progress: Progress) => void;
}

/** What a person watching sees; sent after every page and commit. */
export interface Progress {
  readonly stage: "waiting" | "walking" | "packing" | "verifying";
  /** For people: what is waited for, or which file is being made. */
  readonly note?: string;
  readonly windowsDone: number;
  readonly windowsOpen: number;
  readonly pages: number;
  readonly requests: number;
  readonly refused: number;
  readonly fillsSeen: number;
  /**
   * Share of what is asked that is read, 0 to 1, and 1 only when all of it is; never less than before. Null:
   * not known.
   */
  readonly covered: number | null;
  /**
   * How far the walk has come without a gap, ms UTC: from the newest time back, or, if rows ascend, from the
   * oldest on.
   */
  readonly reached?: number;
  /** While a pack is made: the fills that are in it, of about so many. */
  readonly packed?: { readonly fills: number; readonly of: number };
}

/** How late fills were seen to appear, beyond what the settle lag allows for: in times that were covered without them. */
export interface Lateness {
  /** Longest time from a fill's transaction to this program's first sight of it, ms: it appeared then or earlier. */
  readonly maxMs: number;
  /** late fills so far */
  readonly count: number;
  /** When the last of them was seen, ms UTC. */
  readonly lastSeenAt: number;
}

export interface SyncRequest {
  /** ms UTC; absent: the beginning of the account. */
  readonly from?: number;
  /** ms UTC, exclusive; absent: now less the settle lag. */
  readonly to?: number;
  /** The archive is this run's owner's from now on, whoever's it was; absent: another's is refused. */
  readonly rebinds?: boolean;
  /**
   * What of the range is covered is walked again, as the look-back is; absent: only what the look-back says.
   */
  readonly again?: boolean;
  /** Whether a complete run may end with a collection of orphans; absent: it may. */
  readonly collects?: boolean;
}

export interface SyncResult {
  readonly account: string;
  readonly from: number;
  readonly to: number;
  /** Every ms of `[from, to)` is covered and committed. */
  readonly complete: boolean;
  /** in the archive */
  readonly fills: number;
  /** by this run */
  readonly added: number;
  readonly restated: number;
  readonly requests: number;
  readonly refused: number;
  readonly pages: number;
  /** Fills of the archive that exceptions.csv would list, also those that can be calculated with. */
  readonly exceptions: number;
  /** Of all runs; null: no fill came late. */
  readonly lateness: Lateness | null;
  /** When the covered days of the look-back were last walked again, where this run did not for that reason; wall time, ms. Absent: it left none. */
  readonly leftAloneSince?: number;
  /** All of the archive's coverage. */
  readonly coverage: readonly TimeRange[];
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  /** Objects that nothing named any more, and what kept the rest of them: never a reason for the run to have failed. */
  readonly orphans: { readonly deleted: number; readonly problem: FillbookError | null };
  /**
   * What kept the Delta log from being written; null also where none is asked for. Never a reason for the run
   * to have failed.
   */
  readonly deltaLogProblem: FillbookError | null;
  /** Why the run ended before it was complete, or null. Its kind decides the exit code. */
  readonly problem: FillbookError | null;
}

export interface ExportResult {
  readonly account: string;
  readonly period: string;
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly method: string;
  /** Where the pack is: a folder, or `s3://…`. Null when none was written. */
  readonly dir: string | null;
  readonly complete: boolean;
  readonly files: readonly PackFile[];
  /** What was understood of the user's opening-positions.csv, line by line. */
  readonly declared: readonly DeclaredLine[];
  /** What a person should know of it, a sentence each. */
  readonly notes: readonly string[];
  readonly problem: FillbookError | null;
}

export interface PackFile {
  /** relative to `dir` */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** records, without the header; absent for what is not a table */
  readonly rows?: number;
}

export interface StatusResult {
  readonly account: string;
  readonly store: string;
  readonly fills: number;
  readonly coverage: readonly TimeRange[];
  /** Holes between covered windows. */
  readonly gaps: readonly TimeRange[];
  readonly parts: number;
  readonly restated: number;
  readonly exceptions: number;
  readonly lateness: Lateness | null;
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  readonly checkpoint: {
    /** Windows begun and not ended: how far each is. */
    readonly open: readonly { readonly from: number; readonly to: number; readonly pages: number }[];
  };
  /** Covered time without fills in which a service that silently cuts its answers to less than `widthMs` could have hidden some. */
  readonly assumed: readonly { readonly from: number; readonly to: number; readonly widthMs: number }[];
  /** When the service was last asked for the newest covered days, and for a piece of the older ones once more; wall time, ms. Null: not known, or never. */
  readonly lastAsked: { readonly newest: number | null; readonly older: number | null };
  readonly lastRun: { readonly endedAt: number; readonly complete: boolean; readonly problem: string | null } | null;
  readonly checks: LastChecks;
}

export interface VerifyResult {
  readonly account: string;
  readonly ok: boolean;
  /** objects hashed */
  readonly checked: number;
  /** One sentence each: what differs, where. */
  readonly findings: readonly string[];
  /** With `rewalk`: windows walked again. */
  readonly rewalked?: number;
  /** With `rewalk`: where the service has fills that the archive lacks, or has otherwise. */
  readonly lacking?: readonly Lacking[];
}

/** How a check of the archive went. What it found is not kept: the check says that, and can be run again. */
export interface Check {
  /** `files`: hashes were compared. `rewalk`: the service was walked again and compared. */
  readonly kind: "files" | "rewalk";
  /** Null: of all the archive. */
  readonly period: string | null;
  /** ms UTC */
  readonly checkedAt: number;
  /** Number of the manifest that was checked. */
  readonly seq: number;
  readonly ok: boolean;
  /** Objects, or windows. */
  readonly checked: number;
  readonly findings: number;
  /** Where packs were read that are not with the archive; absent: none were. */
  readonly packStore?: string;
}

/** The newest check of each kind that a reader of the archive should see. */
export interface LastChecks {
  readonly files: Check | null;
  readonly rewalk: Check | null;
}

/**
 * Fills of a window, by `txCreated`, that the service answers and the archive does not hold, or holds with
 * other content.
 */
export interface Lacking extends TimeRange {
  readonly missing: number;
  readonly changed: number;
}
