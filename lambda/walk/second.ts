import { type Fill, identityOf } from "../core/fill.ts";
import { halves, wider, widthOf } from "../core/ranges.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange } from "../core/time.ts";
import { Workers } from "../core/workers.ts";
import { judge, MARGINS, marginOf, type Verdict } from "./judge.ts";
import { contradicts, differ, shortens } from "./messages.ts";
import type { ChainAnswer } from "./pages.ts";
import { believedAt, FILLED, freshQuestion, Ledger, nextQuestion, type Question, WIDTHS } from "./question.ts";
import { FINEST_MS } from "./refusal.ts";
import { type WalkState, WalkStopped } from "./walk-state.ts";

/** The share of answers that may lack what the same question then shows. */
const MOST_CONTRADICTIONS = 0.01;
/** Rows may change while a chain is read: a capped one has at least this share of the most rows of any. */
const CAPPED = 0.9;
/** Silence is measured a little wider than it is then asked: by one part in so many. */
const MEASURE_MARGIN = 25;
/** Beside silence that is narrow enough, rounded dates cost nothing, ms. */
const ROUNDED_MS = DAY_MS + SECOND_MS;

/** Silence that an answer has shown. It counts at the end of its chunk, if so wide a piece is believed by then. */
interface Silence extends TimeRange {
  /** How far its dates reached: farther was needed since? Then it is asked again, ms. */
  readonly reach: number;
  /** So many fills were known of it: are there more now? Then it is asked again, too. */
  readonly known: number;
}

/** The second reading: by dates alone, from known fill to known fill. What counts is covered twice. */
export class SecondReading {
  readonly #state: WalkState;
  #answers = 0;
  #contradictions = 0;
  /** So many fills were held when silence was measured last. */
  #measured = 0;

  constructor(state: WalkState) {
    this.#state = state;
  }

  async read(ranges: readonly TimeRange[]): Promise<void> {
    const { session, problems } = this.#state;
    for (const range of ranges) {
      for (const chunk of await session.chunksOf(range)) {
        await this.#readChunk(chunk);
      }
    }
    if (this.#contradictions > 1 && this.#contradictions > this.#answers * MOST_CONTRADICTIONS) {
      // What such a service has shown twice may be wrong twice: it is read again.
      session.file({ fills: [], covers: null, doubts: ranges });
      problems.push(contradicts(this.#contradictions, this.#answers));
    }
  }

  /** `chunk`: a range with so many fills as memory holds, both ends included. */
  async #readChunk(chunk: TimeRange): Promise<void> {
    const { session, known } = this.#state;
    const near = wider(chunk, this.#reach);
    const ledger = new Ledger(near, await session.fillsIn(near), known.vanished);
    let questions: readonly Question[] = [freshQuestion(chunk)];
    const isSure = (one: Silence) =>
      widthOf(one) <= this.#believed(one.from) + 1 &&
      one.reach >= this.#reach &&
      one.known === ledger.within(one).length;
    while (questions.length > 0) {
      const silences: Silence[] = [];
      try {
        await this.#measure(ledger);
        await this.#ask(questions, ledger, silences);
        await this.#measure(ledger);
      } finally {
        // What was silent before the run was stopped counts, too.
        for (const { from, to } of silences.filter(isSure)) {
          session.file({ fills: [], covers: { from, to, readings: 2, silentIn: to - from }, requests: 1 });
        }
      }
      questions = silences.filter((one) => !isSure(one)).map(freshQuestion);
    }
    await session.flush();
  }

  /** Beside silence no known fill shows that dates filter by `filledAt`: a margin as far as that may differ, ms. */
  get #reach(): number {
    const { rung, skewMs } = this.#state.known;
    const least = Math.max(MARGINS[rung] as number, Math.min(skewMs, DAY_MS), MINUTE_MS);
    return MARGINS.find((margin) => margin >= least) as number;
  }

  get #now(): number {
    return this.#state.job.clock.now();
  }

  /** What was measured with less reach beside it is narrower with more. */
  #believed(time: number): number {
    const width = believedAt(time, this.#state.known.believedMs, this.#now);
    const left = Math.min(width, measuredFor(width) + MINUTE_MS - this.#reach);
    if (left < HOUR_MS) {
      throw new WalkStopped(shortens());
    }
    return left;
  }

  /** Asks questions until none is left. What is between known fills counts at once; what is silent is put in `silences`. */
  async #ask(first: readonly Question[], ledger: Ledger, silences: Silence[]): Promise<void> {
    const { job } = this.#state;
    const ranges: TimeRange[] = first.map(({ from, to }) => ({ from, to }));
    const again: Question[] = [];
    const workers = new Workers({
      workers: job.concurrency,
      hasRoom: () => job.reader.hasRoom(),
      take: () => {
        const question = again.shift() ?? this.#cutOff(ranges, ledger);
        return question === null
          ? null
          : async () => {
              again.unshift(...(await this.#check(question, ledger, silences)));
            };
      },
    });
    this.#state.onPage = () => workers.notify();
    await workers.run();
  }

  #cutOff(ranges: TimeRange[], ledger: Ledger): Question | null {
    const range = ranges.shift();
    if (range === undefined) {
      return null;
    }
    const { question, rest } = nextQuestion(range, ledger, {
      page: this.#state.known.page,
      believed: this.#believed(range.from),
    });
    if (rest !== null) {
      ranges.unshift(rest);
    }
    return question;
  }

  #cutAnew(range: TimeRange, ledger: Ledger): readonly Question[] {
    const ranges = [range];
    const questions: Question[] = [];
    for (let next = this.#cutOff(ranges, ledger); next !== null; next = this.#cutOff(ranges, ledger)) {
      questions.push(next);
    }
    return questions;
  }

  /** `silences`: where silence is put. → the next questions */
  async #check(question: Question, ledger: Ledger, silences: Silence[]): Promise<readonly Question[]> {
    const { session, failed } = this.#state;
    if (failed.some((one) => one.from <= question.from && question.to <= one.to)) {
      return [];
    }
    const isAnchored = ledger.has(question.from) && ledger.has(question.to);
    if (widthOf(question) > this.#believed(question.from) + 1 && !isAnchored) {
      return halves(question).map(freshQuestion);
    }
    if (!isAnchored && ledger.within({ from: question.from + 1, to: question.to - 1 }).length > 0) {
      return this.#cutAnew(question, ledger); // fills came in what was silent
    }
    await session.room();
    const { rung, most } = this.#state.known;
    const margin = marginOf(question, rung);
    const isNarrow = question.tried === 0 && widthOf(question) + 2 * ROUNDED_MS <= this.#believed(question.from);
    const reach = Math.max(margin, isNarrow ? ROUNDED_MS : this.#reach);
    const { from: since, to: until } = ledger.around(question, { margin, reach });
    const asked = { from: since, to: Math.max(question.to, Math.min(until, this.#now)) }; // the future may be refused
    // A page must hold what is known; many fills of one millisecond, or beside the question, need cursors.
    const isOnePage = ledger.within(asked).length < this.#state.known.page && widthOf(question) > FINEST_MS;
    const answer = await this.#state.read(question, { asked, isOnePage, isProof: true });
    this.#answers += 1;
    const { isOwn, ...news } = ledger.take(answer.fills, question);
    if (answer.end.kind === "refused") {
      session.file({ ...news, covers: null });
      return (await this.#state.after(question, answer.end.refusal)).map((part) => ({ ...question, ...part }));
    }
    const isCut = answer.end.kind === "cut" || this.#isCapped(answer, question, ledger, most);
    const known = ledger.within(question);
    const shown = { fills: answer.fills, isCut, hasNew: isOwn };
    const verdict = judge(question, known, shown, { rung, now: this.#now });
    const counts = verdict.kind === "counts";
    const { from, to } = question;
    const covers = counts && isAnchored ? { from, to, readings: 2 as const, silentIn: null } : null;
    session.file({ ...news, covers, requests: answer.pages, shown: [...answer.fills.values()] });
    if (counts && !isAnchored) {
      silences.push({ from, to, reach, known: known.length });
    }
    return this.#follow(question, verdict, ledger);
  }

  #follow(question: Question, verdict: Verdict, ledger: Ledger): readonly Question[] {
    const { session, known } = this.#state;
    switch (verdict.kind) {
      case "counts":
        this.#contradictions += verdict.contradicts ? 1 : 0;
        session.learn({ rung: Math.max(known.rung, verdict.rung) });
        this.#state.windowsDone += 1;
        return [];
      case "again":
        return verdict.questions;
      case "vanished":
        session.learn({ vanished: [...new Set([...known.vanished, ...verdict.identities])] });
        ledger.forget(verdict.identities);
        return [verdict.question];
      case "failed":
        this.#state.fail(question, differ(question, verdict.lacking));
        return [];
    }
  }

  /**
   * A service may end each chain after so many rows. Then an answer of several pages that brought about as many as
   * any chain did may lack some, unless its rows came in order and reached a known fill.
   */
  #isCapped({ pages, fills, order }: ChainAnswer, { from, to }: TimeRange, ledger: Ledger, most: number): boolean {
    const isReached = (order === "up" && ledger.has(to)) || (order === "down" && ledger.has(from));
    return pages > 1 && fills.size >= Math.max(most * CAPPED, this.#state.known.page) && !isReached;
  }

  /**
   * Silence cannot show that it was cut. The first known fill has silence before it, and some fill has few behind
   * it: a question that reaches so far must show them. What was never narrower than asked is only assumed.
   */
  async #measure(ledger: Ledger): Promise<void> {
    const { session, known } = this.#state;
    const isDue = known.believedMs === null && session.fills !== this.#measured;
    const ends = isDue ? await session.ends() : null;
    if (ends === null) {
      return;
    }
    this.#measured = session.fills;
    let [isOpen, isCut] = [false, false];
    for (const width of WIDTHS) {
      const wide = measuredFor(width);
      const quiet = ledger.quietest({ width: wide, until: this.#now - this.#reach, most: known.page * FILLED });
      const before = await this.#shows(ends.first, -wide);
      const behind = before === true ? await this.#shows(quiet ?? ends.last, wide) : before;
      if (behind === true && (isCut || quiet !== null)) {
        return isCut || !isOpen ? this.#believe(width) : undefined;
      }
      isOpen ||= behind !== false;
      isCut ||= behind === false;
    }
    if (isCut) {
      throw new WalkStopped(shortens());
    }
  }

  /** Whether an answer that reaches so far from a fill shows it. Null: that cannot be said. */
  async #shows(fill: Fill, far: number): Promise<boolean | null> {
    const { session } = this.#state;
    const time = fill.txCreated;
    const own = { from: time, to: time };
    const range = { from: Math.min(time, time + far), to: Math.max(time, time + far) };
    let isShown: boolean | null = null;
    for (const window of [range, own, range]) {
      const answer = await this.#state.read(window, { asked: wider(window, this.#reach), isOnePage: true });
      session.file({ fills: [...answer.fills.values()], covers: null });
      isShown = answer.fills.has(identityOf(fill));
      if (answer.end.kind !== "whole" || isShown === (window === range)) {
        return isShown || null;
      }
    }
    return isShown;
  }

  #believe(believedMs: number): void {
    const { session } = this.#state;
    session.learn({ believedMs });
    const doubts = session.coverage.filter(({ silentIn }) => (silentIn ?? 0) > believedMs + 1);
    session.file({ fills: [], covers: null, ...(doubts.length > 0 ? { doubts } : {}) });
  }
}

function measuredFor(width: number): number {
  return width + Math.floor(width / MEASURE_MARGIN);
}
