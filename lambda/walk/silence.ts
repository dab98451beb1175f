import { type Fill, identityOf } from "../core/fill.ts";
import { wider, widthOf } from "../core/ranges.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from "../core/time.ts";
import { MARGINS, ROUNDED_MS } from "./judge.ts";
import { shortens } from "./problems.ts";
import { believedAt, FILLED, type Ledger, WIDTHS } from "./question.ts";
import { type WalkState, WalkStopped } from "./walk-state.ts";

/** Silence is measured a little wider than it is then asked, ms. */
const measuredFor = (width: number) => width + Math.floor(width / 25);
/** Narrower silence is believed, ms. */
const LEAST_MS = 0.9 * DAY_MS;

/** How wide silence is believed: a service may cut ranges, and silence cannot show it. */
export class BelievedSilence {
  readonly #state: WalkState;
  #isOpen: boolean;
  /** So many fills were known when it was measured last. */
  #measured = 0;

  /** `isStale`: what was measured in earlier runs is tried again, for a service may change. */
  constructor(state: WalkState, isStale: boolean) {
    this.#state = state;
    this.#isOpen = isStale || state.known.believedMs === null;
  }

  /** Beside silence no known fill shows that dates filter by `filledAt`: a margin as far as that may differ, ms. */
  get reach(): number {
    const { rung, skewMs } = this.#state.known;
    const least = Math.max(MARGINS[rung] as number, Math.min(skewMs, DAY_MS), MINUTE_MS);
    return MARGINS.find((margin) => margin >= least) as number;
  }

  /** How wide silence may be asked, ms. What was measured with less reach beside it is narrower with more. */
  believed(time: number): number {
    const width = believedAt(time, this.#state.known.believedMs, this.#state.job.clock.now());
    const left = Math.min(width, measuredFor(width) + MINUTE_MS - this.reach);
    if (left < HOUR_MS) {
      throw new WalkStopped(shortens());
    }
    return left;
  }

  /** Whether a range without known fills at both its ends is wider than silence is believed. */
  async isTooWide(range: TimeRange, ledger: Ledger): Promise<boolean> {
    if (widthOf(range) > LEAST_MS && this.#isOpen && this.#measured !== ledger.size) {
      this.#measured = ledger.size;
      const ends = await (await this.#state.session.held()).ends();
      await (ends === null ? undefined : this.#measure(ledger, ends));
    }
    return widthOf(range) > this.believed(range.from) + 1;
  }

  /**
   * Silence cannot show that it was cut. The first known fill has silence before it, and some fill has few behind
   * it: a question that reaches so far must show them. What could not be tried is assumed.
   */
  async #measure(ledger: Ledger, { first, last }: { readonly first: Fill; readonly last: Fill }): Promise<void> {
    let [isOpen, isCut] = [false, false];
    for (const width of WIDTHS) {
      const wide = measuredFor(width);
      const quietest = (far: number) =>
        ledger.quietest(far, this.#state.job.clock.now() - this.reach, this.#state.known.page * FILLED);
      const quiet = quietest(wide);
      const before = (await this.#shows(first, -wide)) ?? (await this.#shows(quietest(-wide) ?? first, -wide));
      const isWhole = before === true ? await this.#shows(quiet ?? last, wide) : before;
      if (isWhole === true && (isCut || quiet !== null)) {
        return isCut || !isOpen ? this.#believe(width) : undefined;
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
    const { txCreated: time } = fill;
    const asks = async (other: number, reach: number) => {
      const window = { from: Math.min(time, other), to: Math.max(time, other) };
      const { fills, rows, end } = await this.#state.read(window, { asked: wider(window, reach) });
      this.#state.session.file({ fills: rows, covers: null });
      return fills.has(identityOf(fill)) || (end.kind === "whole" ? false : null);
    };
    const isShown = await asks(time + far, this.reach);
    if (isShown !== false) {
      return isShown;
    }
    let isThere = (await asks(time, 1)) === true || (await asks(time, this.reach)) === true;
    if (!isThere && (await asks(time, ROUNDED_MS)) === true) {
      this.#state.session.learn({ skewMs: DAY_MS });
      isThere = true;
    }
    return isThere ? await asks(time + far, this.reach) : null; // one answer may be empty by mistake
  }

  /** What was silent in wider ranges is read again. */
  #believe(width: number): void {
    const { session, known } = this.#state;
    this.#isOpen = false;
    const believedMs = Math.min(width, known.believedMs ?? width);
    session.learn({ believedMs });
    const doubts = session.coverage.filter(({ silentIn }) => (silentIn ?? 0) > believedMs + 1);
    session.file({ fills: [], covers: null, ...(doubts.length > 0 ? { doubts } : {}) });
  }
}
