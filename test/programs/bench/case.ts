import type { StoreCounts } from "./counting-store.ts";
import type { Meter } from "./meter.ts";

/** One thing that is measured, in a process of its own. */
export type Case = (input: CaseInput, meter: Meter) => Measured | Promise<Measured>;

export interface CaseInput {
  /** Holds the account's pages, and the archive once it is made. */
  readonly dir: string;
  readonly fills: number;
}

export interface Measured {
  readonly store?: StoreCounts;
  /** Bytes of files, numbers of requests and the like, by name. */
  readonly facts?: Readonly<Record<string, number>>;
  /**
   * What another process cost that this one has started, or a part of this one; absent: this one is measured.
   */
  readonly process?: ProcessCost;
  /** Why it could not be measured on this machine. */
  readonly missing?: string;
}

export interface ProcessCost {
  /** user + system, all threads */
  readonly cpuSeconds: number;
  /** largest resident set */
  readonly peakBytes: number;
}

export interface CaseResult extends ProcessCost {
  readonly wallSeconds: number;
  readonly store: StoreCounts | null;
  readonly facts: Readonly<Record<string, number>>;
  readonly missing?: string;
}

export const ACCOUNT = "main";
