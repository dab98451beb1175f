import { type Fill, identityOf } from "../core/fill.ts";
import { wider } from "../core/ranges.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../core/time.ts";
import { MARGINS } from "./judge.ts";
import { shortens } from "./problems.ts";
import { believedAt, FILLED, type Ledger, WIDTHS } from "./question.ts";
import { type WalkState, WalkStopped } from "./walk-state.ts";

/** Silence is measured a little wider than it is then asked: by one part in so many. */
const MEASURE_MARGIN = 25;

/** How wide silence is believed: a service may cut ranges, and silence cannot show it. */
export class BelievedSilence {
  readonly #state: WalkState;
  /** So many fills were held when it was measured last. */
  #measured = 0;

  constructor(state: WalkState) {
    this.#state = state;
  }

  /** Beside silence no known fill shows that dates filter by `filledAt`: a margin as far as that may differ, ms. */
  get reach(): number {
    const { rung, skewMs } = this.#state.known;
    const least = Math.max(MARGINS[rung] as number, Math.min(skewMs, DAY_MS), MINUTE_MS);
    return MARGINS.find((margin) => margin >= least) as number;
  }

  /** How wide silence may be asked, ms. What was measured with less reach beside it is narrower with more. */
  believed(time: number): number {
    const width = believedAt(time, this.#state.known.believedMs, this.#state.now);
    const left = Math.min(width, measuredFor(width) + MINUTE_MS - this.reach);
    if (left < HOUR_MS) {
      throw new WalkStopped(shortens());
    }
    return left;
  }

  /**
   * Silence cannot show that it was cut. The first known fill has silence before it, and some fill has few behind
   * it: a question that reaches so far must show them. What was never narrower than asked is only assumed.
   */
  async measure(ledger: Ledger): Promise<void> {
    const { session, known } = this.#state;
    const isDue = known.believedMs === null && session.fills !== this.#measured;
    const ends = isDue ? await session.ends() : null;
    if (ends === null) {
      return;
    }
    this.#measured = session.fills;
    let [isOpen, isCut] = [false, false];
    for (const width of WIDTHS) {
      const quiet = ledger.quietest(measuredFor(width), this.#state.now - this.reach, known.page * FILLED);
      const before = await this.#shows(ends.first, -measuredFor(width));
      const isWhole = before === true ? await this.#shows(quiet ?? ends.last, measuredFor(width)) : before;
      if (isWhole === true && (isCut || quiet !== null)) {
        isOpen &&= !isCut;
        this.#believe(isOpen ? null : width);
        return;
      }
      isOpen ||= isWhole !== false;
      isCut ||= isWhole === false;
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
      const answer = await this.#state.read(window, { asked: wider(window, this.reach), isOnePage: true });
      session.file({ fills: [...answer.fills.values()], covers: null });
      isShown = answer.fills.has(identityOf(fill));
      if (answer.end.kind !== "whole" || isShown === (window === range)) {
        return isShown || null;
      }
    }
    return isShown;
  }

  /** What is believed to be silent in wider ranges is read again. */
  #believe(believedMs: number | null): void {
    const { session } = this.#state;
    session.learn({ believedMs });
    const doubts = session.coverage.filter(
      ({ silentIn }) => (silentIn ?? 0) > (believedMs ?? Number.POSITIVE_INFINITY) + 1,
    );
    session.file({ fills: [], covers: null, ...(doubts.length > 0 ? { doubts } : {}) });
  }
}

function measuredFor(width: number): number {
  return width + Math.floor(width / MEASURE_MARGIN);
}
