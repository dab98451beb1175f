// What is said of a pack, in one list for everything that shows it.

/**
 * What a point is about. `note` is for the reader's information; anything else means that figures are missing, may be
 * wrong, or are no longer those of today.
 */
export const SUBJECTS = ["records", "cash", "pnl", "files", "stale", "note"] as const;

/** What a reader must know before using the figures. */
export interface Point {
  readonly about: (typeof SUBJECTS)[number];
  /** The reason: a sentence. */
  readonly text: string;
  /** What to do: a sentence. Absent: there is nothing to do. */
  readonly remedy?: string;
  /** The section of the report that has more. */
  readonly see?: "results" | "exceptions" | "reconciliation" | "basis" | "proof";
}

/** What a pack says of itself, made once for everything that shows it. */
export interface Verdict {
  /** `Records complete; cash differs in USD; PnL missing for 1 of 11 markets` */
  readonly claim: string;
  readonly text: string;
  readonly points: readonly Point[];
}

/** The points that are more than information. Empty: nothing is known against the pack. */
export function objectionsOf({ points }: Pick<Verdict, "points">): readonly Point[] {
  return points.filter(({ about }) => about !== "note");
}

/** A point as one paragraph. */
export function pointText({ text, remedy }: Point): string {
  return remedy === undefined ? text : `${text} ${remedy}`;
}

/** The verdict with what became known after the pack was made. */
export function withLater(verdict: Verdict, later: readonly Point[]): Verdict {
  const subjects = new Set(later.map(({ about }) => about));
  const claims = [
    ...(subjects.has("files") ? ["made with other files"] : []),
    ...(subjects.has("stale") ? ["stale"] : []),
  ];
  return { ...verdict, claim: [verdict.claim, ...claims].join("; "), points: [...later, ...verdict.points] };
}
