import { type Fill, identityOf } from "../core/fill.ts";
import { halves, middleOf, widthOf } from "../core/ranges.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { freshQuestion, type Question } from "./question.ts";
import { FINEST_MS } from "./refusal.ts";

/** What an answer of the second reading proves, and what follows when it proves nothing. Pure. */

/** How far dates are widened when a known fill is lacking, ms: rounded dates, filters by `filledAt`. */
export const MARGINS: readonly number[] = [1, 1, SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS + SECOND_MS];
/** Nothing is learned from younger fills, ms. */
export const SETTLED_MS = 7 * DAY_MS;
/** Fills that lie closer than this around a lacking one are around it, ms. */
const NEAR_MS = 1000;
const MOST_TRIES = 20;

export type Verdict =
  /** The answer showed both ends, every known fill between, and no other. */
  | { readonly kind: "counts"; readonly contradicts: boolean; readonly rung: number }
  /** It did not: something known was lacking, something new came, or there may be more. These questions follow. */
  | { readonly kind: "again"; readonly questions: readonly Question[] }
  /** These fills stay away while the fills around them are shown. The question follows without them. */
  | { readonly kind: "vanished"; readonly identities: readonly string[]; readonly question: Question }
  | { readonly kind: "failed"; readonly lacking: number };

/** The margin that a question is asked with, ms. `rung`: of MARGINS, where questions begin. */
export function marginOf({ tried }: Question, rung: number): number {
  return MARGINS[Math.min(MARGINS.length - 1, Math.max(rung, tried))] as number;
}

/** What came as the answer to a question. */
export interface Shown {
  readonly fills: ReadonlyMap<string, Fill>;
  /** There may be more. */
  readonly isCut: boolean;
  /** Fills between the ends that were not known. */
  readonly hasNew: boolean;
}

/**
 * Judges the answer to a question. `known`: the fills of [from, to] that are known. `rung`: as in `marginOf`.
 * `now`: wall time, ms UTC.
 */
export function judge(
  question: Question,
  known: readonly Fill[],
  { fills, isCut, hasNew }: Shown,
  { rung, now }: { readonly rung: number; readonly now: number },
): Verdict {
  const margin = marginOf(question, rung);
  const lacking = known.map(identityOf).filter((identity) => !fills.has(identity));
  const cut = cutOf(question, known);
  if (isCut) {
    return widthOf(question) <= FINEST_MS
      ? { kind: "failed", lacking: 0 }
      : { kind: "again", questions: halves(question, cut).map(freshQuestion) };
  }
  if (lacking.length === 0) {
    return hasNew
      ? { kind: "again", questions: [freshQuestion(question)] }
      : counted(question, known, { margin, rung, now });
  }
  const { lacked, tried } = question;
  const same = lacked === null ? lacking : lacking.filter((identity) => lacked.has(identity));
  if (tried < MARGINS.length) {
    return { kind: "again", questions: [{ ...question, tried: tried + 1, lacked: new Set(same), margin }] };
  }
  return away(question, { known, same, shown: fills, cut, now });
}

function counted(
  { lacked, margin: before }: Question,
  known: readonly Fill[],
  { margin, rung, now }: { readonly margin: number; readonly rung: number; readonly now: number },
): Verdict {
  const contradicts = margin === before && known.some((fill) => lacked?.has(identityOf(fill)));
  const isSettled = known.every((fill) => !lacked?.has(identityOf(fill)) || fill.txCreated < now - SETTLED_MS);
  const isWider = margin > (MARGINS[rung] as number) && margin < DAY_MS;
  const helped = lacked !== null && !contradicts && isWider && isSettled;
  return { kind: "counts", contradicts, rung: helped ? MARGINS.indexOf(margin) : rung };
}

/** What follows when fills stay away with every margin: they have vanished, or the range was cut. */
function away(
  question: Question,
  by: {
    readonly known: readonly Fill[];
    readonly same: readonly string[];
    readonly shown: ReadonlyMap<string, Fill>;
    readonly cut: number;
    readonly now: number;
  },
): Verdict {
  const gone = by.known.filter((fill) => by.same.includes(identityOf(fill)));
  const times = by.known.filter((fill) => by.shown.has(identityOf(fill))).map(({ txCreated }) => txCreated);
  const isAmong = gone.every(
    ({ txCreated }) => times.some((time) => time <= txCreated) && times.some((time) => time >= txCreated),
  );
  const isSettled = gone.every(({ txCreated }) => txCreated < by.now - SETTLED_MS);
  if (gone.length > 0 && isSettled && (isAmong || widthOf(question) <= NEAR_MS)) {
    return { kind: "vanished", identities: by.same, question: freshQuestion(question) };
  }
  if (widthOf(question) > FINEST_MS && !(isAmong && gone.length > 0)) {
    const parts = halves(question, by.cut).map((part) => ({ ...freshQuestion(part), tried: 1 }));
    return { kind: "again", questions: parts };
  }
  const next = { ...question, tried: question.tried + 1, lacked: new Set(by.same) };
  return question.tried > MOST_TRIES || (isAmong && !isSettled)
    ? { kind: "failed", lacking: gone.length }
    : { kind: "again", questions: [next] };
}

/** Where a question is halved: at a known fill between its ends, if there is one. */
function cutOf(question: Question, known: readonly Fill[]): number {
  const inner = known.filter(({ txCreated }) => question.from < txCreated && txCreated < question.to);
  return inner[inner.length >> 1]?.txCreated ?? middleOf(question);
}
