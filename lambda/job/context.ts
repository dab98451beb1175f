import type { DeclaredLine } from "../accounting/declared.ts";
import type { Coverage } from "../archive/manifest.ts";
import type { Clock } from "../core/clock.ts";
import type { FillbookError } from "../core/errors.ts";
import type { Owner } from "../core/owner.ts";
import type { Random } from "../core/random.ts";
import type { TimeRange } from "../core/time.ts";
import type { Verdict } from "../core/verdict.ts";
import type { ServiceReader } from "../service/service.ts";
import type { Store } from "../storage/store.ts";

/**
 * Everything a run gets: ports and settings. Nothing is global. The Lambda, the command line and the
 * simulation each build one.
 */
export interface RunContext {
  readonly account: string;
  readonly reader: ServiceReader;
  readonly store: Store;
  /** Where everything under `<account>/packs/` is. Null: in `store`. */
  readonly packStore: Store | null;
  /**
   * The trader whose fills the reader asks for. Null: it cannot ask because an address or a token is missing.
   * Absent: archives are not bound to an owner.
   */
  readonly owner?: () => Promise<Owner | null>;
  /**
   * Rejects with kind `usage` and names everything that is missing if the service cannot be asked. Absent: it
   * can be asked.
   */
  readonly requireAccess?: () => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
  /** Fills may appear late, so a walk ends this long before now, ms. */
  readonly settleLagMs: number;
  /**
   * Fills may appear later than the settle lag, or change. A run reads what is covered again, this far back
   * from its upper end, ms.
   */
  readonly lookBackMs: number;
  /** Look back even if that was done a short while ago. */
  readonly alwaysLooksBack?: boolean;
  /** The second reading begins at once. Absent: a minute after the first. */
  readonly hurries?: boolean;
  /** Requests that are sent at the same time. */
  readonly concurrency: number;
  /**
   * Aborts when the run must end soon (a deadline, ctrl-c). The run then commits what it has and reports
   * `complete: false`.
   */
  readonly signal: AbortSignal;
  /**
   * Time until `signal` aborts by itself, ms. The run does not start a wait that is longer. Absent: it never
   * does.
   */
  readonly timeLeftMs?: () => number;
  /** `timeLeftMs` at the start of the run, ms. Absent: the run has no deadline. */
  readonly sliceMs?: number;
  readonly report: (progress: Progress) => void;
}

/** The progress that a user sees. It is sent after every page and every commit. */
export interface Progress {
  readonly stage: "waiting" | "walking" | "packing" | "verifying";
  /** For the user: what the run waits for, or which file it is writing. */
  readonly note?: string;
  readonly windowsDone: number;
  readonly windowsOpen: number;
  readonly pages: number;
  readonly requests: number;
  readonly refused: number;
  readonly fillsSeen: number;
  /**
   * The share of the request that has been read, 0 to 1. It is 1 only when everything is read, and never
   * falls. Null: not known.
   */
  readonly covered: number | null;
  /** While a pack is made: fills written so far, and about how many there are. */
  readonly packed?: { readonly fills: number; readonly of: number };
  /** While a pack is copied: bytes. */
  readonly copied?: { readonly bytes: number; readonly of: number };
  readonly checked?: CheckProgress;
}

/** The progress of a verification; its share is the progress's `covered`. */
export interface CheckProgress {
  /**
   * `archive`: its objects are read. `packs`: their files are hashed. `rewalk`: the service is asked again.
   */
  readonly step: "archive" | "packs" | "rewalk";
  /** Objects that were hashed so far, in all steps. */
  readonly objects: number;
  /** What is done of this step, and all of it: fills, but bytes of packs. */
  readonly done: number;
  readonly of: number;
}

export interface SyncRequest {
  /** ms UTC. Absent: the beginning of the account. */
  readonly from?: number;
  /** ms UTC, exclusive. Absent: now less the settle lag. */
  readonly to?: number;
  /**
   * Makes this run's owner the archive's owner, whoever it was before. Absent: an archive of another owner is
   * refused.
   */
  readonly rebinds?: boolean;
  /** When the second reading begins (walk.ts). Absent: as the context says. */
  readonly pace?: "once" | "hurry" | "usual";
  /** Read all covered times of the range again. Absent: only those of the look-back. */
  readonly rechecksAll?: boolean;
  /** Whether a complete run may collect orphans at its end. Absent: it may. */
  readonly collects?: boolean;
}

export interface SyncResult {
  readonly account: string;
  readonly from: number;
  readonly to: number;
  /** True if every ms of `[from, to)` was read twice, or at the pace "once" once, and is committed. */
  readonly complete: boolean;
  /** In the archive. */
  readonly fills: number;
  /** By this run. */
  readonly added: number;
  readonly restated: number;
  readonly requests: number;
  readonly refused: number;
  readonly pages: number;
  /** Fills of the archive that exceptions.csv would list, including those that PnL can still use. */
  readonly exceptions: number;
  /** The coverage of the whole archive. */
  readonly coverage: readonly Coverage[];
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  /** Objects that nothing names, and why some could not be deleted. A problem here never fails the run. */
  readonly orphans: { readonly deleted: number; readonly problem: FillbookError | null };
  /** Why the run ended before it was complete. Null: it is complete. Its kind decides the exit code. */
  readonly problem: FillbookError | null;
}

export interface ExportResult {
  readonly account: string;
  readonly period: string;
  readonly from: number;
  readonly to: number;
  readonly zone: string;
  readonly method: string;
  /** The location of the pack: a folder, or `s3://…`. Null: none was written. */
  readonly dir: string | null;
  readonly complete: boolean;
  readonly files: readonly PackFile[];
  /** The location of all its files as one ZIP. Null: there is none. */
  readonly zip: string | null;
  /** How each line of the user's opening-positions.csv was understood. */
  readonly declared: readonly DeclaredLine[];
  /** Of a pack of several accounts: what each archive holds of the period. */
  readonly accounts: readonly ExportResult[];
  /** What the pack says of itself. Null: none was written. */
  readonly verdict: Verdict | null;
  /** One sentence each, for the user. */
  readonly notes: readonly string[];
  readonly problem: FillbookError | null;
}

export interface PackFile {
  /** Relative to `dir`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Records without the header. Absent if the file is not a table. */
  readonly rows?: number;
}

export interface StatusResult {
  readonly account: string;
  readonly store: string;
  readonly fills: number;
  readonly coverage: readonly Coverage[];
  /** Gaps between covered times. */
  readonly gaps: readonly TimeRange[];
  /** Times that wait for their second reading. */
  readonly readOnce: readonly TimeRange[];
  readonly dataFiles: number;
  readonly restated: number;
  readonly exceptions: number;
  /** Fills that the service no longer shows. They are kept. */
  readonly vanished: number;
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  /**
   * How wide silence was asked at most, ms: a service that silently cuts its answers to less could hide fills
   * in it. Null: nothing is assumed.
   */
  readonly silentInMs: number | null;
  /**
   * When the service was last asked for the newest covered days, and for a piece of the older ones again:
   * wall time, ms. Null: never.
   */
  readonly lastAsked: { readonly newest: number | null; readonly older: number | null };
  readonly lastRun: { readonly endedAt: number; readonly complete: boolean; readonly problem: string | null } | null;
  readonly checks: LastChecks;
}

export interface VerifyResult {
  readonly account: string;
  readonly ok: boolean;
  /** Objects that were hashed. */
  readonly checked: number;
  /** One sentence each: what differs, and where. */
  readonly findings: readonly string[];
  /** `table/` is older than the archive, and was not checked. */
  readonly isTableBehind?: true;
  /** With `rewalk`: windows that were read again. */
  readonly rewalked?: number;
  /** With `rewalk`: where the service has fills that the archive lacks or holds with other content. */
  readonly lacking?: readonly Lacking[];
}

/**
 * A window, by `txCreated`, with fills that the service returns and the archive lacks or holds with other
 * content.
 */
export interface Lacking extends TimeRange {
  readonly missing: number;
  readonly changed: number;
}

/**
 * The outcome of a check of the archive. Its findings are not stored: the check printed them, and can be run
 * again.
 */
export interface Check {
  /** `files`: hashes were compared. `rewalk`: the service was read again and compared. */
  readonly kind: "files" | "rewalk";
  /** Null: the whole archive. */
  readonly period: string | null;
  /** ms UTC. */
  readonly checkedAt: number;
  /** The number of the manifest that was checked. */
  readonly seq: number;
  readonly ok: boolean;
  /** Objects that were hashed, or windows that were read. */
  readonly checked: number;
  readonly findings: number;
  /** Where packs were read that are not with the archive; absent: none were. */
  readonly packStore?: string;
}

/** The newest check of each kind. */
export interface LastChecks {
  readonly files: Check | null;
  readonly rewalk: Check | null;
}
