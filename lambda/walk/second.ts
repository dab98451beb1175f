import type { Known } from "../archive/manifest.ts";
import { identityOf } from "../core/fill.ts";
import { covers, wider, widthOf } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { again, IN_VAIN, judge, marginOf, partsOf, ROUNDED_MS, type Verdict, WIDENED } from "./judge.ts";
import type { ChainAnswer } from "./pages.ts";
import { contradicts, differ } from "./problems.ts";
import { FINEST_MS, freshQuestion, Ledger, nextQuestion, type Question } from "./question.ts";
import { BelievedSilence } from "./silence.ts";
import type { WalkState } from "./walk-state.ts";

/** The share of answers that may lack what the same question then shows. */
const MOST_CONTRADICTIONS = 0.01;
/** Rows may change while a chain is read: a capped one has at least this share of the most rows of any. */
const CAPPED = 0.9;

/** Silence that an answer has shown. It counts at the end of its chunk, if so wide a piece is believed by then. */
interface Silence extends TimeRange {
  /** How far its dates reached: farther was needed since? Then it is asked again, ms. */
  readonly reach: number;
  /** So many fills were known of it: are there more now? Then it is asked again, too. */
  readonly known: number;
  /** How wide it was asked, ms. */
  readonly asked: number;
}

/** The second reading: by dates alone, from known fill to known fill. What counts is covered twice. */
export class SecondReading {
  readonly #state: WalkState;
  readonly #silence: BelievedSilence;
  #answers = 0;
  #contradictions = 0;
  /** The most rows of an answer that reached the known fill at its end: no cap is below. */
  #reached = 0;

  /** `isStale`: as in BelievedSilence. */
  constructor(state: WalkState, isStale: boolean) {
    this.#state = state;
    this.#silence = new BelievedSilence(state, isStale);
  }

  async read(ranges: readonly TimeRange[]): Promise<void> {
    const { session, problems } = this.#state;
    for (const range of ranges) {
      for await (const chunk of (await session.held()).chunksOf(range)) {
        await this.#readChunk(chunk);
      }
    }
    if (this.#contradictions > 1 && this.#contradictions > this.#answers * MOST_CONTRADICTIONS) {
      session.file({ fills: [], covers: null, doubts: ranges }); // what it has shown twice may be wrong twice
      problems.push(contradicts(this.#contradictions, this.#answers));
    }
  }

  /** `chunk`: a range with so many fills as memory holds, both ends included. */
  async #readChunk(chunk: TimeRange): Promise<void> {
    const { session, known } = this.#state;
    const near = wider(chunk, this.#silence.reach);
    const ledger = new Ledger(near, await session.fillsIn(near), known.vanished, chunk);
    let ranges: readonly TimeRange[] = [chunk];
    const isSure = (one: Silence) =>
      widthOf(one) <= this.#silence.believed(one.from) + 1 &&
      one.reach >= this.#silence.reach &&
      one.known === ledger.within(one).length;
    while (ranges.length > 0) {
      const silences: Silence[] = [];
      try {
        await this.#ask(ranges, ledger, silences);
        for (const one of silences) {
          await this.#silence.isTooWide(one, ledger);
        }
      } finally {
        // What was silent before the run was stopped counts, too.
        for (const { from, to, asked } of silences.filter(isSure)) {
          session.file({ fills: [], covers: { from, to, readings: 2, silentIn: asked }, requests: 1 });
        }
      }
      ranges = silences.filter((one) => !isSure(one));
    }
    await session.flush();
  }

  /** Asks until nothing is left. What is between known fills counts at once; the rest is put in `silences`. */
  async #ask(ranges: readonly TimeRange[], ledger: Ledger, silences: Silence[]): Promise<void> {
    const left = ranges.map(freshQuestion);
    const next = () => {
      const range = left.shift();
      const { known } = this.#state;
      if (range === undefined || range.tried > 0) {
        return range;
      }
      const { question, rest } = nextQuestion(range, ledger, known.page, this.#silence.believed(range.from));
      left.unshift(...(rest === null ? [] : [freshQuestion(rest)]));
      return { ...question, changes: range.changes };
    };
    const workers = this.#state.workers(() => {
      const question = next();
      const check = async (one: Question) => void left.unshift(...(await this.#check(one, ledger, silences)));
      return question === undefined ? null : () => check(question);
    });
    await workers.run();
  }

  /** `silences`: where silence is put. → the next questions */
  async #check(question: Question, ledger: Ledger, silences: Silence[]): Promise<readonly Question[]> {
    const { session, failed } = this.#state;
    if (failed.some((one) => covers([one], question))) {
      return [];
    }
    const { from, to, tried } = question;
    const isAnchored = ledger.anchors(question);
    const parts = tried < WIDENED ? [freshQuestion(question)] : partsOf(question, ledger.within(question), IN_VAIN);
    if (!isAnchored && (await this.#silence.isTooWide(question, ledger))) {
      return parts;
    }
    await session.room();
    const before = this.#state.known;
    const { asked, margin, reach, isOnePage } = this.#datesOf(question, ledger);
    const answer = await this.#state.read(question, { asked, isOnePage, isProof: true });
    this.#answers += 1;
    const { own, ...news } = ledger.take(answer.rows, question);
    if (answer.end.kind === "refused") {
      session.file({ ...news, covers: null });
      return (await this.#state.after(question, answer.end.refusal, asked)).map((part) => ({ ...question, ...part }));
    }
    const { fills, pages, rows } = answer;
    const known = ledger.within(question);
    const isLess = known.filter((fill) => fills.has(identityOf(fill))).length < question.shown;
    // A cursor may leave the dates behind a part of a millisecond: fills on both sides of it must be shown, too.
    const isLeft = answer.end.kind === "whole" && answer.end.wentOn === true && !(from < to && isAnchored);
    const beside = { ...freshQuestion(ledger.beside(question, 1)), tried: WIDENED };
    const isCut = answer.end.kind === "cut" || isLeft || isLess || this.#isCapped(answer, question, ledger, before);
    const shown = { fills, known, isCut, own, around: ledger.beside(question, known.length) };
    const verdict =
      isLeft && tried !== WIDENED && ledger.anchors(beside)
        ? again(beside)
        : judge(question, { ...shown, margin, rung: before.rung, now: this.#state.job.clock.now() });
    const counts = verdict.kind === "counts";
    const read = counts && isAnchored ? { from, to, readings: 2 as const, silentIn: null } : null;
    session.file({ ...news, covers: read, requests: pages, shown: rows });
    const wide = to - from + (margin === ROUNDED_MS ? 2 * margin : 0);
    if (counts && !isAnchored) {
      silences.push({ from, to, reach, known: known.length, asked: wide });
    }
    return this.#follow(question, verdict, ledger);
  }

  #datesOf(question: Question, ledger: Ledger) {
    const { known, job, session } = this.#state;
    const isUnknown = session.fills + ledger.size === 0 && question.tried === 0;
    const isNarrow = isUnknown && widthOf(question) + 2 * ROUNDED_MS <= this.#silence.believed(question.from);
    const margin = isNarrow ? ROUNDED_MS : marginOf(question, known.rung);
    const reach = Math.max(margin, this.#silence.reach);
    const { from, to } = ledger.around(question, { margin, reach });
    const asked = { from, to: Math.max(question.to, Math.min(to, job.clock.now())) }; // the future may be refused
    // A page must hold what is known; many fills of one millisecond, or beside the question, need cursors.
    const isOnePage = ledger.within(asked).length < known.page && widthOf(question) > FINEST_MS;
    return { asked, margin, reach, isOnePage };
  }

  #follow(question: Question, verdict: Verdict, ledger: Ledger): readonly Question[] {
    const { session, known } = this.#state;
    const isWide = this.#silence.believed(question.from) > 2 * ROUNDED_MS;
    const skewMs = verdict.kind === "counts" && isWide ? verdict.skewMs : 0;
    switch (verdict.kind) {
      case "counts":
        this.#contradictions += verdict.contradicts ? 1 : 0;
        session.learn({ rung: Math.max(known.rung, verdict.rung), skewMs: Math.max(known.skewMs, skewMs) });
        this.#state.windowsDone += 1;
        return [];
      case "again":
        return verdict.questions;
      case "vanished":
        session.learn({ vanished: [...new Set([...known.vanished, ...verdict.identities])] });
        ledger.forget(verdict.identities);
        return [verdict.question];
      case "failed":
        return this.#state.fail(question, differ(question, verdict.lacking));
    }
  }

  /**
   * A service may end each chain after so many rows. Then an answer of several pages that brought about as many as
   * any chain did may lack some, unless its rows came in order and reached a known fill. Fills beside it may be lacking
   * even so, where dates go by another time than rows: it is asked in parts, if a known fill lies between.
   */
  #isCapped({ longest, fills, order }: ChainAnswer, { from, to }: TimeRange, ledger: Ledger, { most, page }: Known) {
    const isReached = (order === "up" && ledger.has(to)) || (order === "down" && ledger.has(from));
    this.#reached = Math.max(this.#reached, isReached ? fills.size : 0);
    const isSure = isReached && ledger.within({ from: from + 1, to: to - 1 }).length === 0;
    return !isSure && fills.size > longest && fills.size >= Math.max(most * CAPPED, page, this.#reached);
  }
}
