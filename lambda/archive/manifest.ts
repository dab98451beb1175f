import type { TimeRange } from "../core/time.ts";

/**
 * The manifest is an immutable JSON object that names the data files, the coverage and what is known of the
 * service. Data and coverage are one commit and cannot diverge. An independent reader needs head.json, the
 * manifest, and the data files (docs/archive-format.md, "How to read all fills").
 */
export const MANIFEST_FORMAT = "fillbook-manifest/4";

export interface Manifest {
  readonly format: typeof MANIFEST_FORMAT;
  readonly account: string;
  readonly seq: number;
  /** The run that wrote it. It makes every run's manifest unique. */
  readonly run: string;
  /** The rows of all data files. Until a month is cut, a fill that two chains brought counts twice. */
  readonly fills: number;
  /** In order of writing for chains, in order of time for parts. */
  readonly dataFiles: readonly DataFile[];
  /** Sorted, disjoint. */
  readonly coverage: readonly Coverage[];
  readonly known: Known;
  readonly restatements: readonly RestatementFile[];
}

/** An immutable file with fills of one month: canonical rows, one a line, sorted, zstd. */
export interface DataFile extends TimeRange {
  /** Of the text, before it is compressed. */
  readonly sha256: string;
  readonly run: string;
  readonly fills: number;
  readonly bytes: number;
  /** Smallest and largest trade time (`filledAt`, or `txCreated` where that is missing) in it. */
  readonly firstTrade: number;
  readonly lastTrade: number;
  /** Rows that exceptions.csv would list. */
  readonly exceptions: number;
  /**
   * `chain`: what one chain of a run brought; it may overlap others. `part`: all fills of its range, which is
   * a month, or a half of a half of it.
   */
  readonly kind: "chain" | "part";
}

/** A range and how often it was read. */
export interface Coverage extends TimeRange {
  readonly readings: 1 | 2;
  /** How wide silence without a known fill at both its ends was asked, ms. Null: there was none. */
  readonly silentIn: number | null;
}

/** What is known of the service. */
export interface Known {
  /** The most rows of a page; and of one that another page followed, null: none was followed. */
  readonly page: number;
  readonly full: number | null;
  /** The most fills that a chain brought. */
  readonly most: number;
  /** False once rows came out of order. */
  readonly isOrdered: boolean;
  /** True once a page went on in the millisecond in which the page before ended. */
  readonly keepsTies: boolean;
  /** Where the second reading's questions begin, of its margins (walk/judge.ts). */
  readonly rung: number;
  /** How wide silence the service was seen to answer whole, ms. Null: it could not be tried. */
  readonly believedMs: number | null;
  /** The largest distance between the two times of a fill, ms. */
  readonly skewMs: number;
  /** Identities of fills that the service no longer shows among those around them. They are kept. */
  readonly vanished: readonly string[];
  /** Wall times, ms UTC: of the last first reading, look-back and rotation. Null: never. */
  readonly readAt: number | null;
  readonly lookedBackAt: number | null;
  readonly rotatedAt: number | null;
  /** Where the range ended whose newest days were read again last, ms UTC. */
  readonly lookedBackTo: number | null;
  /** Down to which `txCreated` the older times were read again. Null: the rotation begins anew. */
  readonly rotatedTo: number | null;
}

/** Old and new versions of fills that one commit restated: JSON Lines, zstd. */
export interface RestatementFile {
  readonly sha256: string;
  readonly run: string;
  /** Counts up in the order of filing. */
  readonly seq: number;
  readonly rows: number;
  /** Smallest and largest trade time among both versions of its rows. */
  readonly firstTrade: number;
  readonly lastTrade: number;
}

export function emptyManifest(account: string): Manifest {
  return {
    format: MANIFEST_FORMAT,
    account,
    seq: 0,
    run: "",
    fills: 0,
    dataFiles: [],
    coverage: [],
    known: {
      page: 1,
      full: null,
      most: 0,
      isOrdered: true,
      keepsTies: false,
      rung: 0,
      believedMs: null,
      skewMs: 0,
      vanished: [],
      readAt: null,
      lookedBackAt: null,
      lookedBackTo: null,
      rotatedAt: null,
      rotatedTo: null,
    },
    restatements: [],
  };
}
