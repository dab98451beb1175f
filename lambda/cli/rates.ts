import { SECOND_MS } from "../core/time.ts";

/** Counts of a run so far. */
interface Counts {
  readonly fills: number;
  readonly requests: number;
}

/** Per second. Null: nothing was gained, or the time is too short to say it. */
export type Rates = { readonly [Name in keyof Counts]: number | null };

interface Sample extends Counts {
  /** ms, monotonic */
  readonly at: number;
}

const RATE_MS = 10 * SECOND_MS;
/** A rate of a shorter time says nothing. */
const SHORTEST_MS = 2 * SECOND_MS;

/** Rates of the last ten seconds, from counts at monotonic times in ms. Keeps at most one sample a second. */
export function createRates(): (counts: Counts, at: number) => Rates {
  let samples: readonly Sample[] = [];
  return ({ fills, requests }, at) => {
    const sample = { at, fills, requests };
    const first = samples.findLastIndex((one) => at - one.at >= RATE_MS);
    const last = samples.at(-1);
    const isDue = last === undefined || at - last.at >= SECOND_MS;
    samples = [...samples.slice(Math.max(0, first)), ...(isDue ? [sample] : [])];
    const since = samples[0] ?? sample;
    const ms = at - since.at;
    const rate = (gained: number) => (ms < SHORTEST_MS || gained <= 0 ? null : (gained * SECOND_MS) / ms);
    return { fills: rate(fills - since.fills), requests: rate(requests - since.requests) };
  };
}
