import { type Fill, identityOf } from "../core/fill.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";
import type { ChainAnswer } from "./chain.ts";
import { judge, marginOf, WIDE_MARGIN_MS } from "./judge.ts";
import { contradicts, differ } from "./messages.ts";
import { believedAt, freshQuestion, Ledger, nextQuestion, type Question, WIDTHS } from "./question.ts";
import { type WalkState, WalkStopped } from "./walk-state.ts";
import { FINEST_MS, halves, middleOf, widthOf } from "./window.ts";
import { Workers } from "./workers.ts";

/** Fills near a chunk are known, too: dates reach beyond a question, ms. */
const NEAR_MS = 1000;
/** The share of answers that may lack what the same question then shows. */
const MOST_CONTRADICTIONS = 0.01;
/** So many answers that prove nothing, and a share of all: asking on does not help. */
const MOST_DIFFERING = 300;
const DIFFERING_SHARE = 0.5;
/** Silence is measured a little wider than it is then asked: by one part in so many. */
const MEASURE_MARGIN = 25;
/** One answer may be empty by mistake. */
const MEASURE_TRIES = 2;

/** Silence that an answer has shown. It counts at the end of its chunk, if so wide a piece is believed by then. */
interface Silence extends TimeRange {
  /** Where its question began, of the margins: a wider one was needed since? Then it is asked again. */
  readonly rung: number;
}

/** The second reading: by dates alone, from known fill to known fill. What counts is covered twice. */
export class SecondReading {
  readonly #state: WalkState;
  #answers = 0;
  #contradictions = 0;
  #differing = 0;

  constructor(state: WalkState) {
    this.#state = state;
  }

  async read(ranges: readonly TimeRange[]): Promise<void> {
    const { session, problems } = this.#state;
    for (const range of ranges) {
      for await (const chunk of session.chunksOf(range)) {
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
    const near = { from: chunk.from - NEAR_MS, to: chunk.to + NEAR_MS };
    const ledger = new Ledger(await session.fillsIn(near), new Set(known.vanished));
    let questions: readonly Question[] = [freshQuestion(chunk)];
    while (questions.length > 0) {
      await this.#measure();
      const silences = await this.#ask(questions, ledger);
      await this.#measure();
      const isSure = (one: Silence) =>
        widthOf(one) <= this.#believed(one.from) + 1 && one.rung === this.#state.known.rung;
      for (const { from, to } of silences.filter(isSure)) {
        session.file({ fills: [], covers: { from, to, readings: 2, silentIn: to - from }, requests: 1 });
      }
      questions = silences.filter((one) => !isSure(one)).map(freshQuestion);
    }
    await session.flush();
  }

  #believed(time: number): number {
    return believedAt(time, this.#state.known.believedMs, this.#state.job.clock.now());
  }

  /** Asks questions until none is left. What is between known fills counts at once; the silence is given. */
  async #ask(first: readonly Question[], ledger: Ledger): Promise<readonly Silence[]> {
    const { job } = this.#state;
    const ranges: TimeRange[] = first.map(({ from, to }) => ({ from, to }));
    const again: Question[] = [];
    const silences: Silence[] = [];
    const workers = new Workers({
      workers: job.concurrency,
      hasRoom: () => job.reader.hasRoom(),
      take: () => {
        const question = again.shift() ?? this.#cutOff(ranges, ledger);
        return question === null
          ? null
          : async () => {
              again.push(...(await this.#check(question, ledger, silences)));
            };
      },
    });
    this.#state.onPage = () => workers.notify();
    await workers.run();
    return silences;
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

  /** `silences`: where silence is put. → the next questions */
  async #check(question: Question, ledger: Ledger, silences: Silence[]): Promise<readonly Question[]> {
    const { session, known, job } = this.#state;
    if (isWithinOne(this.#state.failed, question)) {
      return [];
    }
    const isAnchored = () => ledger.has(question.from) && ledger.has(question.to);
    if (widthOf(question) > this.#believed(question.from) + 1 && !isAnchored()) {
      return halves(question, middleOf(question)).map(freshQuestion);
    }
    await session.room();
    const { rung } = known;
    const before = ledger.within(question);
    // Beside silence no known fill shows that dates filter by `filledAt`: as far as that is known to differ.
    const skew = isAnchored() ? 0 : Math.min(known.skewMs, DAY_MS);
    const margin = Math.max(marginOf(question, rung), skew);
    const isOnePage = this.#fits(before) && widthOf(question) > FINEST_MS && margin < WIDE_MARGIN_MS;
    const answer = await this.#state.read(question, { margin, isOnePage, isProof: true });
    this.#answers += 1;
    const { fills, moved } = newOf(answer, ledger);
    if (answer.end.kind === "refused") {
      session.file({ fills, moved, covers: null });
      return (await this.#state.after(question, answer.end.refusal)).map((part) => ({ ...question, ...part }));
    }
    const isVanished = (identity: string) => ledger.isVanished(identity);
    const verdict = judge(question, before, answer, { rung, now: job.clock.now(), isVanished });
    const counts = verdict.kind === "counts";
    const silentIn = isAnchored() ? null : widthOf(question);
    const isSilent = counts && silentIn !== null;
    const covered = { from: question.from, to: question.to, readings: 2 as const, silentIn };
    const covers = counts && !isSilent ? covered : null;
    session.file({ fills, moved, covers, requests: answer.pages, shown: [...answer.fills.values()] });
    if (isSilent) {
      silences.push({ from: question.from, to: question.to, rung });
    }
    switch (verdict.kind) {
      case "counts":
        this.#contradictions += verdict.contradicts ? 1 : 0;
        session.learn({ rung: Math.max(this.#state.known.rung, verdict.rung) });
        this.#state.windowsDone += 1;
        return [];
      case "again":
        this.#differing += 1;
        if (this.#differing > MOST_DIFFERING + this.#answers * DIFFERING_SHARE) {
          throw new WalkStopped(differ(question, before.length));
        }
        return verdict.questions;
      case "vanished":
        session.learn({ vanished: [...this.#state.known.vanished, ...verdict.identities] });
        ledger.forget(verdict.identities);
        return [verdict.question];
      case "failed":
        this.#state.fail(question, differ(question, verdict.lacking));
        return [];
    }
  }

  /** One millisecond with many fills needs cursors. */
  #fits(fills: readonly Fill[]): boolean {
    let most = 0;
    let run = 0;
    for (const [place, { txCreated }] of fills.entries()) {
      run = txCreated === fills[place - 1]?.txCreated ? run + 1 : 1;
      most = Math.max(most, run);
    }
    return most < this.#state.known.page / 2;
  }

  /**
   * Silence cannot show that it was cut. The first known fill has silence before it and the last one behind it:
   * a question that reaches so far must show them.
   */
  async #measure(): Promise<void> {
    const { session, known } = this.#state;
    const ends = known.believedMs === null ? await session.ends() : null;
    if (ends === null) {
      return;
    }
    const { first, last } = ends;
    const shows = async (fill: Fill, range: TimeRange) => {
      for (let tries = 1; tries <= MEASURE_TRIES; tries += 1) {
        const answer = await this.#state.read(range, { margin: tries });
        session.file({ fills: [...answer.fills.values()], covers: null });
        if (answer.fills.has(identityOf(fill))) {
          return true;
        }
      }
      return false;
    };
    for (const width of WIDTHS) {
      const reach = width + Math.floor(width / MEASURE_MARGIN);
      const before = { from: first.txCreated - reach, to: first.txCreated + WIDE_MARGIN_MS };
      const behind = { from: last.txCreated - WIDE_MARGIN_MS, to: last.txCreated + reach };
      if ((await shows(first, before)) && (await shows(last, behind))) {
        session.learn({ believedMs: width });
        return;
      }
    }
    session.learn({ believedMs: WIDTHS.at(-1) as number });
  }
}

/** The rows that are new or have changed, and their versions at other times. They are known from now on. */
function newOf(
  { fills }: Pick<ChainAnswer, "fills">,
  ledger: Ledger,
): { fills: readonly Fill[]; moved: readonly Fill[] } {
  const found: Fill[] = [];
  const moved: Fill[] = [];
  for (const [identity, fill] of fills) {
    const held = ledger.get(identity);
    if (held?.row !== fill.row) {
      found.push(fill);
      moved.push(...(held === undefined || held.txCreated === fill.txCreated ? [] : [held]));
      ledger.add(fill);
    }
  }
  return { fills: found, moved };
}

function isWithinOne(ranges: readonly TimeRange[], { from, to }: TimeRange): boolean {
  return ranges.some((one) => one.from <= from && to <= one.to);
}
