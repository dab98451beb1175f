import type { StoreCounts } from "./counting-store.ts";
import type { Meter } from "./meter.ts";

/** One measurement, which runs in its own process. */
export type Case = (input: CaseInput, meter: Meter) => Measured | Promise<Measured>;

export interface CaseInput {
  /** The folder with the account's pages, and with the archive once it is made. */
  readonly dir: string;
  readonly fills: number;
}

export interface Measured {
  readonly store?: StoreCounts;
  /** Sizes of files in bytes, numbers of requests and similar, by name. */
  readonly facts?: Readonly<Record<string, number>>;
  /**
   * The cost of another process that this one started, or of a part of this one. If absent, this whole
   * process is measured.
   */
  readonly process?: ProcessCost;
  /** Why this machine could not measure it. */
  readonly missing?: string;
}

export interface ProcessCost {
  /** user + system, all threads */
  readonly cpuSeconds: number;
  /** maximum resident set */
  readonly peakBytes: number;
}

export interface CaseResult extends ProcessCost {
  readonly wallSeconds: number;
  readonly store: StoreCounts | null;
  readonly facts: Readonly<Record<string, number>>;
  readonly missing?: string;
}

export const ACCOUNT = "main";
