import type { Checkpoint, OpenWindow, Order, Proven, RangeLimits } from "../archive/manifest.ts";
import type { TimeRange } from "../core/time.ts";
import { type Answer, provenBy, widestOf } from "./clamp-proof.ts";
import { askedBy } from "./window.ts";

/** What the manifest keeps about the service from run to run. Nothing else that answers show is kept. */
export type Knowledge = Pick<
  Checkpoint,
  | "proven"
  | "mostRows"
  | "mostSent"
  | "shortestPage"
  | "limits"
  | "clampSeen"
  | "falseEnds"
  | "datesProven"
  | "datesTrusted"
  | "cursorsProven"
  | "ties"
  | "order"
>;

/** One thing that an answer has shown about the service. */
export type Finding =
  /** A page with this many rows was followed by another page. */
  | { readonly kind: "page-followed"; readonly rows: number }
  /** One query delivered this many rows (`sent`: with repeats). No cap is lower. */
  | { readonly kind: "rows-delivered"; readonly rows: number; readonly sent: number }
  /** One query delivered rows this far apart. No clamp is narrower. */
  | { readonly kind: "width-answered"; readonly proven: Proven }
  /** The service accepted the dates of a range; or refused them although it had accepted none as wide. */
  | { readonly kind: "range-taken"; readonly range: TimeRange }
  | { readonly kind: "range-refused"; readonly range: TimeRange }
  /** Narrower windows brought fills where wider ones had brought none. */
  | { readonly kind: "clamp" }
  /** An answer looked finished and was not. */
  | { readonly kind: "false-end" }
  /** A fill came by its `txCreated`, and a filter by another time would have left it out. */
  | { readonly kind: "dates-by-txCreated" }
  /** A fill does not come by its `txCreated`. */
  | { readonly kind: "dates-by-another-time" }
  /** A row lay outside the dates that were asked for. */
  | { readonly kind: "row-from-elsewhere" }
  /** Pages by cursor kept to the dates of their chain. */
  | { readonly kind: "cursors-keep-dates" }
  /** Whether a cursor brought the rest of a millisecond in which a page ended. */
  | { readonly kind: "ties"; readonly ties: "kept" | "dropped" }
  /** How rows have followed each other. */
  | { readonly kind: "order"; readonly order: Order };

export function apply(known: Knowledge, finding: Finding): Knowledge {
  switch (finding.kind) {
    case "page-followed":
      return { ...known, shortestPage: shortestAfter(known.shortestPage, finding.rows) };
    case "rows-delivered":
      return {
        ...known,
        mostRows: Math.max(known.mostRows ?? 0, finding.rows),
        mostSent: Math.max(known.mostSent ?? 0, finding.sent),
      };
    case "width-answered":
      return { ...known, proven: widestOf(known.proven, finding.proven) };
    case "range-taken":
      return { ...known, limits: limitsAfterAnswer(finding.range, known.limits) };
    case "range-refused":
      return { ...known, limits: limitsAfterRefusal(finding.range, known.limits) };
    case "clamp":
      return { ...known, clampSeen: true };
    case "false-end":
      return { ...known, falseEnds: true };
    case "dates-by-txCreated":
      return { ...known, datesProven: true };
    case "dates-by-another-time":
    case "row-from-elsewhere":
      return { ...known, datesTrusted: false };
    case "cursors-keep-dates":
      return { ...known, cursorsProven: true };
    case "ties":
      return { ...known, ties: known.ties === "dropped" ? "dropped" : finding.ties };
    case "order":
      return { ...known, order: finding.order };
  }
}

/**
 * The fewest rows of a page that another page followed, after one more such page. If such pages differ in
 * size, no page is too short to be followed.
 */
export function shortestAfter(shortest: number | undefined, rows: number): number {
  return shortest === undefined || shortest === rows ? rows : 1;
}

/** What a page shows, whether or not its chain succeeds. `window`: its state after the page. */
export function findingsOfPage(window: OpenWindow, rows: number): readonly Finding[] {
  const isFollowed = window.cursor !== null && rows > 0;
  return [
    ...(isFollowed ? [{ kind: "page-followed" as const, rows }] : []),
    ...(window.pages === 1 ? [{ kind: "range-taken" as const, range: askedBy(window) }] : []),
  ];
}

/**
 * What all rows of a chain show so far. Rows that came by a cursor prove no width while cursors may forget
 * dates.
 */
export function findingsOfAnswer(answer: Answer, { cursorsProven }: Knowledge): readonly Finding[] {
  const showsWidth = answer.pages === 1 || cursorsProven;
  return [
    { kind: "rows-delivered", rows: answer.rows, sent: answer.sent },
    ...(showsWidth ? [{ kind: "width-answered" as const, proven: provenBy(answer) }] : []),
  ];
}

/** True when both cover the same part of any answer. */
export function cutsAlike(a: Knowledge, b: Knowledge): boolean {
  const isSame = a.proven.keepingEnd === b.proven.keepingEnd && a.proven.keepingBeginning === b.proven.keepingBeginning;
  return isSame && a.mostRows === b.mostRows && a.mostSent === b.mostSent;
}

const NO_LIMITS: RangeLimits = { refusedMs: null, acceptedMs: 0 };

function limitsAfterAnswer({ from, to }: TimeRange, limits: RangeLimits = NO_LIMITS): RangeLimits {
  return to - from <= limits.acceptedMs ? limits : { ...limits, acceptedMs: to - from };
}

function limitsAfterRefusal({ from, to }: TimeRange, limits: RangeLimits = NO_LIMITS): RangeLimits {
  return { ...limits, refusedMs: Math.min(limits.refusedMs ?? to - from, to - from) };
}
