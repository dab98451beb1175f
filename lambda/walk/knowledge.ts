import type { Checkpoint, OpenWindow, Order, Proven, RangeLimits } from "../archive/manifest.ts";
import type { TimeRange } from "../core/time.ts";
import { type Answer, provenBy, widestOf } from "./clamp-proof.ts";
import { askedBy } from "./window.ts";

/** What is known of the service, as the manifest keeps it from run to run. Nothing else that answers show is kept. */
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

/** What answers have shown of the service, whatever they were asked for. */
export type Finding =
  /** A page of so many rows was followed by another. */
  | { readonly kind: "page-followed"; readonly rows: number }
  /** One query delivered so many rows, with repeated ones so many: no cap is lower. */
  | { readonly kind: "rows-delivered"; readonly rows: number; readonly sent: number }
  /** Rows so far apart came by one query: no clamp is narrower. */
  | { readonly kind: "width-answered"; readonly proven: Proven }
  /** The dates of a range were taken, or not although none as wide were taken before: it is too wide. */
  | { readonly kind: "range-taken"; readonly range: TimeRange }
  | { readonly kind: "range-refused"; readonly range: TimeRange }
  /** Narrower windows showed fills where wider ones had shown none. */
  | { readonly kind: "clamp" }
  /** An answer that seemed to have ended had not. */
  | { readonly kind: "false-end" }
  /** A fill came by its `txCreated` that another time would have left out. */
  | { readonly kind: "dates-by-txCreated" }
  /** A fill does not come by its `txCreated`. */
  | { readonly kind: "dates-by-another-time" }
  /** A row lay outside the dates that were asked for. */
  | { readonly kind: "row-from-elsewhere" }
  /** Pages by cursor kept to the dates of their chain. */
  | { readonly kind: "cursors-keep-dates" }
  /** Whether a cursor brought the rest of a millisecond in which a page had ended. */
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

/** Least rows of a page that another may follow, after one of so many was followed: where they differ in size, none is too short for it. */
export function shortestAfter(shortest: number | undefined, rows: number): number {
  return shortest === undefined || shortest === rows ? rows : 1;
}

/** What a page shows, whatever becomes of its chain. `window`: as it stands after it. */
export function findingsOfPage(window: OpenWindow, rows: number): readonly Finding[] {
  const isFollowed = window.cursor !== null && rows > 0;
  return [
    ...(isFollowed ? [{ kind: "page-followed" as const, rows }] : []),
    ...(window.pages === 1 ? [{ kind: "range-taken" as const, range: askedBy(window) }] : []),
  ];
}

/** What all rows of a chain so far show. Those that came by a cursor show no width while it may forget the dates. */
export function findingsOfAnswer(answer: Answer, { cursorsProven }: Knowledge): readonly Finding[] {
  const showsWidth = answer.pages === 1 || cursorsProven;
  return [
    { kind: "rows-delivered", rows: answer.rows, sent: answer.sent },
    ...(showsWidth ? [{ kind: "width-answered" as const, proven: provenBy(answer) }] : []),
  ];
}

/** Whether the same of an answer is covered by both. */
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
