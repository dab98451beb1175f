import type { AccountStores, PackEntry, PackName } from "./packs.ts";

/**
 * What a host of the page (this machine, or AWS) gives it. The page itself is the same in both: a request in,
 * an answer out.
 */
export interface PagePorts {
  /** Accounts that there are, sorted. */
  readonly accounts: () => Promise<readonly string[]>;
  readonly storesOf: (account: string) => AccountStores;
  /** Why the service cannot be asked for more fills of an account, and what to do about it; null: it can. */
  readonly cannotAsk: (account: string) => Obstacle | null;
  readonly jobs: Jobs;
  /**
   * How what is downloaded reaches the user: by links that are signed at the click for a minute, or (null)
   * through the page itself.
   */
  readonly links: Links | null;
  /** Of the user's files: of one that is put up, and of all together, which are in memory to be compared. */
  readonly inputLimits: { readonly mostFileBytes: number; readonly mostTotalBytes: number };
  /** A name that nothing else has. */
  readonly newId: () => string;
  /** Wall time, ms UTC. */
  readonly now: () => number;
}

/** As a FillbookError has it. */
export interface Obstacle {
  readonly message: string;
  readonly hint?: string | undefined;
}

export type Role = "accountant" | "operator";

/** Who asks. An accountant reads, downloads and asks for a period; an operator also runs and verifies. */
export interface User {
  /** As the history of downloads names them. */
  readonly name: string;
  /** Null: they may not see it, and the page says that there is none. */
  readonly roleIn: (account: string) => Role | null;
}

/** `zip`: all files of a pack as one, where the page cannot make it as it goes out. */
export const KINDS = ["export", "sync", "verify", "zip"] as const;

/**
 * Of an export: the command line's own arguments, already checked; without `basis` the default, by the time
 * of the fill, without `currency` nothing is converted. Of a ZIP: the pack's period and version, as the
 * stores have it.
 */
export const REQUEST_FIELDS = ["period", "from", "to", "zone", "method", "version", "basis", "currency"] as const;

export interface MakeRequest extends Partial<Readonly<Record<(typeof REQUEST_FIELDS)[number], string>>> {
  readonly account: string;
  readonly kind: (typeof KINDS)[number];
}

export interface JobState {
  readonly id: string;
  readonly request: MakeRequest;
  readonly startedBy: string;
  readonly startedAt: number;
  /** `stopped`: somebody asked it to end. */
  readonly state: "running" | "done" | "failed" | "stopped";
  /** Share of what is asked that is covered, 0 to 1; null: not known yet. */
  readonly covered: number | null;
  /** One sentence of where it is, or of what went wrong and what to do. */
  readonly note: string;
  /** The pack that was made, or packed. */
  readonly pack: PackName | null;
}

export interface Jobs {
  /** Starts it, or gives the one that is running for the same request. */
  readonly start: (request: MakeRequest, user: User) => Promise<JobState>;
  /** Asks it to end soon: what it has read is kept. Of a job that does not run, nothing. */
  readonly stop: (account: string, id: string) => Promise<void>;
  readonly find: (account: string, id: string) => Promise<JobState | null>;
  /** Newest first. */
  readonly recent: (account: string) => Promise<readonly JobState[]>;
}

export interface Links {
  readonly toFile: (account: string, pack: PackEntry, path: string) => Promise<string>;
  /** To a file of the user, by its name under `inputs/`. */
  readonly toInput: (account: string, name: string) => Promise<string>;
  /** Of all files of the pack as one; null: it is not there, and a job of kind `zip` makes it. */
  readonly toZip: (account: string, pack: PackEntry) => Promise<string | null>;
}
