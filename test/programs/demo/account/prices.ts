import { hash32, type Prng, prng } from "../../../support/prng.ts";
import { DAYS, dayOf, hourOfStep, isWeekend, STEPS, STEPS_PER_DAY, stepAt } from "./calendar.ts";
import { TRADED_MARKETS, type TradedMarket } from "./markets.ts";

/**
 * The middle price of each market by step, as binary floats. Only the strategies read these prices; no amount
 * is calculated from them directly.
 */
export type Prices = ReadonlyMap<string, Float64Array>;

const STEPS_PER_YEAR = 365 * STEPS_PER_DAY;
/** Yearly volatility of the crypto factor, by regime. */
const CALM = 0.28;
const USUAL = 0.45;
const STORMY = 0.75;
/** The crypto factor's yearly gain during a trend, one of these at random. */
const TRENDS = [-3.6, -1.5, 0, 0, 1.7, 4];
/** How strongly a price is pulled back to its first value, per step. */
const PULL_PER_STEP = 0.000_01;

/** Sudden moves of all crypto markets, step by step: a rally, and the crash of the year. */
const SHOCKS: readonly (readonly [step: number, moves: readonly number[]])[] = [
  [stepAt(dayOf("2025-04-09"), 17.25), [0.012, 0.021, 0.014, 0.008, -0.004, 0.006]],
  [stepAt(dayOf("2025-10-10"), 20.75), [-0.012, -0.028, -0.041, -0.037, 0.016, -0.012, 0.021, 0.014, 0.006, 0.004]],
];

/**
 * Random walks over a year. One factor moves all crypto markets, with regimes of volatility and with trends
 * that last for weeks. Each market adds its own moves, and gold is independent. The code uses only sums and
 * products, so that every machine calculates the same prices.
 */
export function makePrices(seed: number): Prices {
  const volatility = volatilityByDay(prng(hash32(seed, 1)));
  const factor = factorMoves(volatility, prng(hash32(seed, 2)));
  const prices = new Map<string, Float64Array>();
  TRADED_MARKETS.forEach((market, index) => {
    const draw = prng(hash32(seed, 3, index));
    const leader = prices.get(market.follows ?? "");
    prices.set(market.name, leader === undefined ? walk(market, factor, volatility, draw) : follow(leader, draw));
  });
  return prices;
}

export function pricesOf(prices: Prices, market: string): Float64Array {
  const own = prices.get(market);
  if (own === undefined) {
    throw new RangeError(`${market} has no prices`);
  }
  return own;
}

function volatilityByDay(draw: Prng): Float64Array {
  let current = USUAL;
  return Float64Array.from({ length: DAYS }, (_, day) => {
    if (day === dayOf("2025-10-10")) {
      current = STORMY;
    } else if (draw.next() < 0.08) {
      const drawn = draw.next();
      current = drawn < 0.35 ? CALM : USUAL;
      current = drawn > 0.8 ? STORMY : current;
    }
    return current;
  });
}

function factorMoves(volatility: Float64Array, draw: Prng): Float64Array {
  let trend = 0;
  let daysLeft = 0;
  const moves = new Float64Array(STEPS);
  for (let step = 0; step < STEPS; step++) {
    if (step % STEPS_PER_DAY === 0) {
      daysLeft -= 1;
      if (daysLeft < 0) {
        trend = TRENDS[draw.int(TRENDS.length)] ?? 0;
        daysLeft = 8 + draw.int(18);
      }
    }
    moves[step] = trend / STEPS_PER_YEAR + moveAt(step, volatility, draw);
  }
  for (const [first, shocks] of SHOCKS) {
    shocks.forEach((move, at) => {
      moves[first + at] = move;
    });
  }
  return moves;
}

function walk(market: TradedMarket, factor: Float64Array, volatility: Float64Array, draw: Prng): Float64Array {
  const { firstPrice, beta, ownVolatility } = market;
  const path = new Float64Array(STEPS);
  let price = firstPrice * (0.95 + 0.1 * draw.next());
  for (let step = 0; step < STEPS; step++) {
    const own = ownVolatility * moveAt(step, volatility, draw);
    const pull = PULL_PER_STEP * (firstPrice / price - 1);
    price *= 1 + beta * (factor[step] ?? 0) + own + pull;
    path[step] = price;
  }
  return path;
}

/** A price that differs from the leader's by some hundredths of a percent and returns within the hour. */
function follow(leader: Float64Array, draw: Prng): Float64Array {
  let basis = 0;
  return leader.map((price) => {
    basis = basis * 0.85 + 0.0005 * bell(draw);
    return price * (1 + basis);
  });
}

/**
 * A move of one step at the volatility of its day. Moves are larger in New York's trading hours, and smaller
 * at night and on weekends.
 */
function moveAt(step: number, volatility: Float64Array, draw: Prng): number {
  const day = Math.floor(step / STEPS_PER_DAY);
  const hour = hourOfStep(step);
  let activity = hour >= 13 && hour <= 20 ? 1.35 : 0.85;
  activity = isWeekendDay[day] === true ? 0.6 : activity;
  return ((volatility[day] ?? 0) * activity * bell(draw)) / Math.sqrt(STEPS_PER_YEAR);
}

const isWeekendDay = Array.from({ length: DAYS }, (_, day) => isWeekend(day));

/** Approximately normal: mean 0, variance 1. */
function bell(draw: Prng): number {
  const sum = draw.next() + draw.next() + draw.next() + draw.next();
  return (sum - 2) * Math.sqrt(3);
}
