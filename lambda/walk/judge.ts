import { type Fill, identityOf } from "../core/fill.ts";
import { halves, middleOf, widthOf } from "../core/ranges.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange } from "../core/time.ts";
import { FINEST_MS, freshQuestion, NEWS, type Question } from "./question.ts";

/** What an answer of the second reading proves, and what follows when it proves nothing. Pure. */

/** The margin of dates that are rounded to a day, ms. */
export const ROUNDED_MS = DAY_MS + SECOND_MS;
/** How far dates are widened when a known fill is lacking, ms: rounded dates, filters by `filledAt`. */
export const MARGINS: readonly number[] = [1, 1, SECOND_MS, MINUTE_MS, HOUR_MS, ROUNDED_MS];
/** Nothing is learned from younger fills, ms. */
export const SETTLED_MS = 7 * DAY_MS;
/** Fills that lie closer than this around a lacking one are around it, ms. */
const NEAR_MS = 1000;
const MOST_TRIES = 20;
/** Asked with every margin: it is asked once more, from fills beside it; then in parts. */
export const WIDENED = MARGINS.length + 1;
export const IN_VAIN = WIDENED + 1;

export type Verdict =
  /** The answer showed both ends, every known fill between, and no other. */
  | { readonly kind: "counts"; readonly contradicts: boolean; readonly skewMs: number; readonly rung: number }
  /** It did not: something known was lacking, something new came, or there may be more. These questions follow. */
  | { readonly kind: "again"; readonly questions: readonly Question[] }
  /** These fills stay away while the fills around them are shown. The question follows without them. */
  | { readonly kind: "vanished"; readonly identities: readonly string[]; readonly question: Question }
  | { readonly kind: "failed"; readonly lacking: number };

/** The margin that a question is asked with, ms. `rung`: of MARGINS, where questions begin. */
export function marginOf({ tried }: Question, rung: number): number {
  return MARGINS[tried < WIDENED ? Math.min(MARGINS.length - 1, Math.max(rung, tried)) : rung] as number;
}

/** How a question was asked, and what came as its answer. */
export interface Answer {
  /** The margin that it was asked with, ms. */
  readonly margin: number;
  readonly rung: number;
  /** Wall time, ms UTC. */
  readonly now: number;
  /** The fills of [from, to] that are known. */
  readonly known: readonly Fill[];
  /** A wider range, up to other known fills. */
  readonly around: TimeRange;
  readonly fills: ReadonlyMap<string, Fill>;
  /** There may be more. */
  readonly isCut: boolean;
  /** Of NEWS: whether fills between the ends were not known, or not so. */
  readonly own: number;
}

export function judge(question: Question, answer: Answer): Verdict {
  const { margin, known, fills, isCut, own } = answer;
  const { lacked, tried } = question;
  if (isCut && widthOf(question) > FINEST_MS) {
    return again(...partsOf(question, known, tried < MARGINS.length ? 0 : IN_VAIN));
  }
  const lacking = known.map(identityOf).filter((identity) => !fills.has(identity));
  const same = lacked === null ? lacking : lacking.filter((identity) => lacked.has(identity));
  if (!isCut && lacking.length === 0) {
    return own > 0 ? renewed(question, own) : counted(question, answer);
  }
  if (tried < MARGINS.length) {
    const shown = Math.max(question.shown, known.length - lacking.length);
    return again({ ...question, tried: tried + 1, lacked: isCut ? lacked : new Set(same), margin, shown });
  }
  if (isCut && tried === MARGINS.length && widthOf(answer.around) > widthOf(question)) {
    return again({ ...freshQuestion(answer.around), tried: WIDENED }); // if that brings more, nothing ended this one
  }
  return isCut ? { kind: "failed", lacking: 0 } : away(question, same, answer);
}

function renewed(question: Question, own: number): Verdict {
  const changes = question.changes + (own === NEWS.changed ? 1 : 0);
  return changes > MOST_TRIES ? { kind: "failed", lacking: 0 } : again({ ...freshQuestion(question), changes });
}

export const again = (...questions: readonly Question[]): Verdict => ({ kind: "again", questions });

function counted({ lacked, margin: before, changes }: Question, { margin, rung, known, now }: Answer): Verdict {
  const contradicts = changes > 1 || (margin === before && known.some((fill) => lacked?.has(identityOf(fill))));
  const isSettled = known.every((fill) => !lacked?.has(identityOf(fill)) || fill.txCreated < now - SETTLED_MS);
  const helped = lacked !== null && !contradicts && isSettled && margin > (MARGINS[rung] as number);
  const isFar = helped && margin === ROUNDED_MS;
  const learned = helped && !isFar ? MARGINS.indexOf(margin) : rung;
  return { kind: "counts", contradicts, skewMs: isFar ? DAY_MS : 0, rung: learned };
}

/** What follows when fills stay away with every margin: they have vanished, or the range was cut: one end shows. */
function away(question: Question, same: readonly string[], { known, fills, around, now }: Answer): Verdict {
  const gone = known.filter((fill) => same.includes(identityOf(fill)));
  const times = known.filter((fill) => fills.has(identityOf(fill))).map(({ txCreated }) => txCreated);
  const [first = Number.POSITIVE_INFINITY, last = Number.NEGATIVE_INFINITY] = [times[0], times.at(-1)];
  const isAmong = gone.length > 0 && gone.every(({ txCreated }) => first <= txCreated && txCreated <= last);
  const isSettled = gone.every(({ txCreated }) => txCreated < now - SETTLED_MS);
  if (gone.length > 0 && isSettled && (isAmong || widthOf(question) <= NEAR_MS)) {
    return { kind: "vanished", identities: same, question: freshQuestion(question) };
  }
  const isAnchored = [question.from, question.to].every((end) => known.some(({ txCreated }) => txCreated === end));
  const isNone = question.tried === MARGINS.length && isAnchored && gone.length === known.length;
  if ((isNone || question.tried === WIDENED) && widthOf(around) > widthOf(question)) {
    return again({ ...freshQuestion(around), tried: WIDENED }); // the fills beside them must be shown
  }
  if (widthOf(question) > FINEST_MS && !isAmong) {
    return again(...partsOf(question, known, question.tried < WIDENED ? 1 : IN_VAIN));
  }
  return question.tried > MOST_TRIES || (isAmong && !isSettled)
    ? { kind: "failed", lacking: gone.length }
    : again({ ...question, tried: question.tried + 1, lacked: new Set(same) });
}

/** Halves, at a known fill between the ends, if there is one. */
export function partsOf(question: Question, known: readonly Fill[], tried: number): readonly Question[] {
  const inner = known.filter(({ txCreated }) => question.from < txCreated && txCreated < question.to);
  const cut = inner[inner.length >> 1]?.txCreated ?? middleOf(question);
  return halves(question, cut).map((part) => ({ ...freshQuestion(part), tried }));
}
