import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../../support/machine.ts";
import type { Survived } from "../attack/run-attacks.ts";

/** What each program keeps of its figures, for the page; `bench` has its own (bench/results.ts). */
export interface CostResults extends Machine {
  /** A range whose ends are given, by the shape of the account. */
  readonly walks: readonly {
    readonly fills: number;
    readonly workers: number;
    readonly order: string;
    /** Requests over the least possible; times as fast as one chain can be. The worst of the seeds. */
    readonly shapes: Readonly<Record<string, { readonly ratio: number; readonly speed: number }>>;
  }[];
  /** A whole account, from a beginning that is not given. */
  readonly wholes: readonly {
    readonly fills: number;
    readonly days: number;
    /** Requests of the first run, by shape. */
    readonly first: readonly number[];
    readonly allowed: number;
    /** Requests of a later night: the most. */
    readonly quiet: number;
    readonly unnamed: number;
    readonly busy: number;
  }[];
}

export interface LimitCell {
  readonly limit: string;
  readonly roundTripMs: number;
  readonly perSecond: number;
  readonly acceptedPercent: number;
  readonly refusedPercent: number;
  /** At least 90 % accepted, at most 5 % refused. */
  readonly meets: boolean;
}

export interface LimitResults extends Machine {
  readonly untold: readonly LimitCell[];
  readonly told: readonly LimitCell[];
}

export interface CompareResults extends Machine {
  readonly versions: string;
  readonly timed: readonly {
    readonly tool: string;
    readonly kept: string;
    readonly seconds: number;
    readonly requests: number;
    readonly cpuSeconds: number;
    readonly peakMb: number;
  }[];
  readonly hard: readonly {
    readonly name: string;
    readonly title: string;
    readonly kept: Readonly<Record<string, string>>;
  }[];
}

export interface PageResults extends Machine {
  readonly pages: readonly {
    /** Periods × versions. */
    readonly account: string;
    readonly page: string;
    readonly requests: number;
    readonly inARow: number;
    readonly ms: number;
    readonly cpuMs: number;
    readonly kB: number;
    readonly gzipKB: number;
  }[];
}

/** Filled in by hand after `FILLBOOK_CRASH=all npx vitest run test/crash`. */
export interface CrashResults {
  readonly date: string;
  readonly commit: string;
  readonly trials: number;
  readonly rows: readonly { readonly what: string; readonly failed: number }[];
}

/** Filled in by hand after long runs of `npm run simulate`. */
export interface SimulateResults {
  readonly date: string;
  readonly counts: Readonly<Record<string, string>>;
}

export interface AttackResults extends Machine {
  readonly seed: number;
  readonly each: number;
  readonly groups: readonly Survived[];
}

const PROGRAMS = join(import.meta.dirname, "..");

/** Beside the programs. */
export const FILES = {
  cost: join(PROGRAMS, "cost", "results.json"),
  limits: join(PROGRAMS, "limits", "results.json"),
  compare: join(PROGRAMS, "compare", "results.json"),
  page: join(PROGRAMS, "bench", "page-results.json"),
  crash: join(PROGRAMS, "..", "crash", "results.json"),
  simulate: join(PROGRAMS, "simulate", "results.json"),
  attack: join(PROGRAMS, "attack", "results.json"),
} as const;

export interface Kept {
  readonly cost: CostResults;
  readonly limits: LimitResults;
  readonly compare: CompareResults;
  readonly page: PageResults;
  readonly crash: CrashResults;
  readonly simulate: SimulateResults;
  readonly attack: AttackResults;
}

export function readKept<Name extends keyof Kept>(name: Name): Kept[Name] {
  return JSON.parse(readFileSync(FILES[name], "utf8"));
}
