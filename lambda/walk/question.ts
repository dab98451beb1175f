import type { Filing } from "../archive/commit.ts";
import { changeOf } from "../archive/merge.ts";
import { byTxCreated, type Fill, identityOf } from "../core/fill.ts";
import { firstPlace, isInside, isWithin } from "../core/ranges.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";

/** The next question of the second reading: from a known fill to a known fill. Pure. */

/** A range that is asked for by dates alone, both ends included. */
export interface Question extends TimeRange {
  /** How often it was asked in vain. */
  readonly tried: number;
  /** The known fills that the last answer lacked. Null: it was not asked, or the answer lacked none. */
  readonly lacked: ReadonlySet<string> | null;
  /** The margin with which they were lacking, ms. */
  readonly margin: number | null;
  /** The most known fills that an answer showed of it: with wider dates there may not be fewer. */
  readonly shown: number;
  /** So many answers changed known fills: if more than one did, the service contradicts itself. */
  readonly changes: number;
}

export function freshQuestion({ from, to }: TimeRange): Question {
  return { from, to, tried: 0, lacked: null, margin: null, shown: 0, changes: 0 };
}

/** A narrower range is not halved, ms. */
export const FINEST_MS = 8;
/** Widths of silence that are tried, ms. */
export const WIDTHS: readonly number[] = [28, 6.5, 2.9, 0.95, 0.2].map((days) => days * DAY_MS);
const [WIDEST, WIDEST_OF_LATE] = WIDTHS as [number, number];
/** Older silence is asked in pieces as wide as WIDEST. */
const LATE_MS = 3 * 365 * DAY_MS;
/** The share of a page that a question should fill: hidden fills must still fit on it. */
export const FILLED = 0.75;

/** How wide silence without a fill at both its ends may be asked, ms. `measured`: what the service has shown. */
export function believedAt(time: number, measured: number | null, now: number): number {
  return Math.min(measured ?? WIDEST, time > now - LATE_MS ? WIDEST_OF_LATE : WIDEST);
}

/**
 * Cuts the next question off a range: three quarters of a page of known fills. Without a known fill at one of
 * its ends it is no wider than `believed`.
 */
export function nextQuestion(
  range: TimeRange,
  ledger: Ledger,
  page: number,
  believed: number,
): { readonly question: Question; readonly rest: TimeRange | null } {
  const step = Math.max(1, Math.floor(page * FILLED));
  const after = ledger.placeOf(range.from + 1); // many fills may share the first millisecond
  let at = ledger.timeAt(Math.max(ledger.placeOf(range.from) + step, after)) ?? range.to;
  at = endAlone(range.from, Math.min(at, range.to), ledger);
  if (at - range.from > believed && !ledger.anchors({ from: range.from, to: at })) {
    const first = ledger.timeAt(ledger.placeOf(range.from));
    const isSilent = first === null || first > range.from + believed;
    at = ledger.has(range.from) || isSilent ? Math.floor(range.from + believed) : first;
  }
  const rest = at < range.to ? { from: at, to: range.to } : null;
  return { question: freshQuestion({ from: range.from, to: at }), rest };
}

/** Silence is asked for alone, up to the known fill at its other end: a cap could hide it behind many fills. */
function endAlone(from: number, at: number, ledger: Ledger): number {
  if (!ledger.has(from)) {
    const first = ledger.timeAt(ledger.placeOf(from));
    return first === null ? at : Math.min(first, at);
  }
  const last = ledger.has(at) ? null : ledger.timeAt(ledger.placeOf(at) - 1);
  return last === null || last <= from ? at : last;
}

/** What fills are to a question that brought them: nothing else, not known before, known with other content. */
export const NEWS = { enriched: 0, new: 1, changed: 2 } as const;

/** The fills that are known of a range of time, in order of `txCreated`. */
export class Ledger {
  readonly #range: TimeRange;
  readonly #chunk: TimeRange;
  readonly #byId: Map<string, Fill>;
  readonly #vanished: Set<string>;
  #sorted: Fill[] | null = null;

  /** `fills`: of `range`, both ends included. `vanished`: no longer shown, they prove nothing. `chunk`: is asked. */
  constructor(range: TimeRange, fills: readonly Fill[], vanished: Iterable<string>, chunk = range) {
    this.#range = range;
    this.#chunk = chunk;
    this.#vanished = new Set(vanished);
    this.#byId = new Map(fills.map((fill) => [identityOf(fill), fill]));
  }

  /**
   * Takes over what an answer has shown. → what was not known so. `own`: the most of NEWS in the question. `doubts`:
   * where fills are new outside of it, for what was read there has lacked them.
   */
  take(shown: readonly Fill[], question: TimeRange): Pick<Filing, "fills" | "moved" | "doubts"> & { own: number } {
    const found: Fill[] = [];
    const moved: Fill[] = [];
    const doubts: TimeRange[] = [];
    let own = 0;
    for (const fill of shown) {
      const identity = identityOf(fill);
      const held = this.#byId.get(identity);
      const { txCreated } = fill;
      const change = held === undefined ? "new" : changeOf(held.row, fill.row);
      if (change === null) {
        continue;
      }
      found.push(fill);
      moved.push(...(held === undefined || held.txCreated === txCreated ? [] : [held]));
      this.#byId.set(identity, fill);
      const isAsked = isInside(question, txCreated);
      own = isAsked ? Math.max(own, NEWS[change]) : own;
      const isDoubt = change === "new" && !isAsked && isWithin(this.#range, txCreated);
      doubts.push(...(isDoubt ? [{ from: txCreated, to: txCreated + 1 }] : []));
    }
    this.#sorted = found.length === 0 ? this.#sorted : null;
    return { fills: found, moved, ...(doubts.length > 0 ? { doubts } : {}), own };
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The place of the first fill at `time` or later. */
  placeOf(time: number): number {
    return firstPlace(this.#all(), ({ txCreated }) => txCreated < time);
  }

  /** The time of the fill at a place, ms UTC; null: there is none. */
  timeAt(place: number): number | null {
    return this.#all()[place]?.txCreated ?? null;
  }

  /** Whether a fill is known at exactly this time. */
  has(time: number): boolean {
    return this.timeAt(this.placeOf(time)) === time;
  }

  /** Whether fills are known at both its ends. */
  anchors({ from, to }: TimeRange): boolean {
    return this.has(from) && this.has(to);
  }

  /**
   * A question's dates: `margin` beyond a known fill; into silence up to `reach`, before the next known fill; at the
   * chunk's ends, beside which no other question follows, `reach`, ms.
   */
  around({ from, to }: TimeRange, { margin, reach }: { readonly margin: number; readonly reach: number }): TimeRange {
    const before = this.has(from) ? 0 : from - (this.timeAt(this.placeOf(from) - 1) ?? Number.NEGATIVE_INFINITY);
    const behind = this.has(to) ? 0 : (this.timeAt(this.placeOf(to)) ?? Number.POSITIVE_INFINITY) - to;
    const widened = (gap: number, isEnd: boolean) => Math.max(margin, isEnd ? reach : Math.min(gap - 1, reach));
    return { from: from - widened(before, from === this.#chunk.from), to: to + widened(behind, to === this.#chunk.to) };
  }

  /** The fill with the fewest others in `far` ms behind it, or before it, at most `most`, up to `until`. Null: none. */
  quietest(far: number, until: number, most: number): Fill | null {
    let [fewest, quiet]: [number, Fill | null] = [most + 1, null];
    const known = { from: this.#range.from, to: Math.min(until, this.#range.to) };
    for (const fill of this.#all()) {
      const [from, to] = [fill.txCreated + Math.min(0, far), fill.txCreated + Math.max(0, far)];
      const count = known.from <= from && to <= known.to ? this.placeOf(to + 1) - this.placeOf(from) : fewest;
      [fewest, quiet] = count < fewest ? [count, fill] : [fewest, quiet];
    }
    return quiet;
  }

  /** A range with so many more fills on both sides. */
  beside({ from, to }: TimeRange, count: number): TimeRange {
    const before = this.timeAt(Math.max(0, this.placeOf(from) - count));
    const behind = this.timeAt(Math.min(this.#all().length, this.placeOf(to + 1) + count) - 1);
    return { from: Math.min(from, before ?? from), to: Math.max(to, behind ?? to) };
  }

  /** The fills of [from, to], both ends included, that the service must show. */
  within({ from, to }: TimeRange): readonly Fill[] {
    return this.#all().slice(this.placeOf(from), this.placeOf(to + 1));
  }

  #all(): readonly Fill[] {
    this.#sorted ??= [...this.#byId]
      .filter(([identity]) => !this.#vanished.has(identity))
      .map(([, fill]) => fill)
      .sort(byTxCreated);
    return this.#sorted;
  }

  /** These fills have vanished, too. */
  forget(identities: readonly string[]): void {
    for (const identity of identities) {
      this.#vanished.add(identity);
    }
    this.#sorted = null;
  }
}
