import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "../../support/machine.ts";
import type { Survived } from "../attack/run-attacks.ts";

/** The figures that each program keeps for the page. `bench` keeps its own (bench/results.ts). */
export interface CostResults extends Machine {
  /** Walks of a range with both ends given, by the account's shape. */
  readonly walks: readonly {
    readonly fills: number;
    readonly workers: number;
    readonly order: string;
    /**
     * `ratio`: requests divided by the least possible number. `speed`: how many times as fast as a single
     * chain can be. Both are the worst of all seeds.
     */
    readonly shapes: Readonly<Record<string, { readonly ratio: number; readonly speed: number }>>;
  }[];
  /** Walks of a whole account whose beginning is not given. */
  readonly wholes: readonly {
    readonly fills: number;
    readonly days: number;
    /** Requests of the first run, by shape. */
    readonly first: readonly number[];
    readonly allowed: number;
    /** The most requests of a later night. */
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

/** The files lie beside their programs. */
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
