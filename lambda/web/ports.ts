import type { Store } from "../storage/store.ts";
import type { AccountStores, PackName } from "./packs.ts";

/**
 * What a host (this machine or AWS) provides for the page. The page itself is the same on both: a request in,
 * an answer out.
 */
export interface PagePorts {
  /** All accounts, sorted. */
  readonly accounts: () => Promise<readonly string[]>;
  /**
   * Names under which packs of several accounts lie. None on a host whose users may see some accounts only: a name
   * need not say which are in it.
   */
  readonly groups: () => Promise<readonly string[]>;
  readonly storesOf: (account: string) => AccountStores;
  /** Why new fills of an account cannot be read from the service, and what to do; null if they can. */
  readonly cannotAsk: (account: string) => Obstacle | null;
  readonly jobs: Jobs;
  /**
   * How downloads reach the user: by links that are signed at the click and valid for a minute, or (null)
   * through the page itself.
   */
  readonly links: Links | null;
  /** Of a file of the user that is put up. */
  readonly mostFileBytes: number;
  /** A name that nothing else has. */
  readonly newId: () => string;
  /** Wall time, ms UTC. */
  readonly now: () => number;
}

/** The message and hint of a FillbookError. */
export interface Obstacle {
  readonly message: string;
  readonly hint?: string | undefined;
}

export type Role = "accountant" | "operator";

/**
 * Who sends the request. An accountant reads, downloads and asks for packs; an operator also reads new fills
 * and verifies.
 */
export interface User {
  /** The name in the history of downloads. */
  readonly name: string;
  /** Null if the user may not see the account; the page then says that it does not exist. */
  readonly roleIn: (account: string) => Role | null;
}

export const KINDS = ["export", "sync", "verify"] as const;

/**
 * For an export: the command line's arguments, already checked. Without `basis`, fills count by the default
 * time; without `currency`, nothing is converted.
 */
export const REQUEST_FIELDS = ["period", "from", "to", "zone", "method", "basis", "currency"] as const;

export interface MakeRequest extends Partial<Readonly<Record<(typeof REQUEST_FIELDS)[number], string>>> {
  readonly account: string;
  readonly kind: (typeof KINDS)[number];
}

export interface JobState {
  readonly id: string;
  readonly request: MakeRequest;
  readonly startedBy: string;
  readonly startedAt: number;
  /** `stopped`: somebody ended it. */
  readonly state: "running" | "done" | "failed" | "stopped";
  /** The share that is done of what it does now, 0 to 1; null if not known. */
  readonly covered: number | null;
  /** A sentence about the progress, or about what went wrong and what to do. */
  readonly note: string;
  /** The pack that was made. */
  readonly pack: PackName | null;
}

export interface Jobs {
  /** Starts the job, or returns the running job for the same request. */
  readonly start: (request: MakeRequest, user: User) => Promise<JobState>;
  /** Asks the job to end soon; what it has read is kept. Does nothing if the job is not running. */
  readonly stop: (account: string, id: string) => Promise<void>;
  readonly find: (account: string, id: string) => Promise<JobState | null>;
  /** Newest first. */
  readonly recent: (account: string) => Promise<readonly JobState[]>;
}

/** To an object of the account, as a download with this header. */
export type Links = (account: string, at: StoredAt, disposition: string) => Promise<string>;

export interface StoredAt {
  readonly store: Store;
  readonly key: string;
}
