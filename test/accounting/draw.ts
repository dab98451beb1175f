import { fc } from "@fast-check/vitest";
import { Accounts, type AccountsPlan } from "../../lambda/accounting/accounts.ts";
import type { Booked, DeclaredPosition } from "../../lambda/accounting/booked.ts";
import type { Carried } from "../../lambda/accounting/carried.ts";
import { type Method, methodsOf } from "../../lambda/accounting/method.ts";
import { type Fill, tradeTime } from "../../lambda/core/fill.ts";
import { ofUnits, unitsText } from "../support/amounts.ts";
import { makeFill as makeSoundFill } from "../support/make-fill.ts";

/** Draws histories, and books them fill by fill. */

const ONE = 10n ** 18n;
/** Above the largest cell of 20 digits before and 18 after the point. */
const LIMIT = 10n ** 38n;

/** Whole numbers that are often equal, arbitrary digits, dust, and numbers that just fit. */
const quantity = fc.oneof(
  { weight: 5, arbitrary: fc.bigInt(1n, 5n).map((units) => units * ONE) },
  { weight: 3, arbitrary: fc.bigInt(1n, 10n ** 24n) },
  { weight: 1, arbitrary: fc.bigInt(1n, 3n) },
  { weight: 1, arbitrary: fc.bigInt(LIMIT - 1000n, LIMIT - 1n) },
);
const price = fc.oneof(
  { weight: 5, arbitrary: fc.bigInt(98n, 102n).map((units) => units * ONE) },
  { weight: 3, arbitrary: fc.bigInt(1n, 10n ** 24n) },
  { weight: 1, arbitrary: fc.bigInt(1n, 3n) },
  { weight: 1, arbitrary: fc.bigInt(LIMIT - 1000n, LIMIT - 1n) },
);
const fee = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0n) },
  { weight: 5, arbitrary: fc.bigInt(-(10n ** 20n), 10n ** 20n) },
  { weight: 1, arbitrary: fc.bigInt(-3n, 3n) },
  { weight: 1, arbitrary: fc.constantFrom(LIMIT - 1n, 1n - LIMIT) },
);

const draft = fc.record({
  market: fc.nat(9),
  side: fc.constantFrom<"buy" | "sell">("buy", "sell"),
  /**
   * Its own quantity; the quantity that makes the position flat; or that plus its own quantity in the other
   * direction.
   */
  what: fc.constantFrom("own", "own", "own", "flatten", "flip"),
  quantity,
  price,
  fee,
  liquidity: fc.constantFrom("maker", "taker", "maker", "taker", null),
  /** ms after the previous fill; often 0. */
  wait: fc.oneof(fc.constant(0), fc.nat(10), fc.nat(40 * 86_400_000)),
});
type Draft = typeof draft extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Fills in the order of a pack, with many flat positions, flips and ties. `most`: fills; `from`: ms UTC. */
export function histories({
  markets = ["BTC-USDT"],
  most = 40,
  from = Date.UTC(2025, 0, 1),
} = {}): fc.Arbitrary<Fill[]> {
  return fc
    .array(draft, { minLength: 1, maxLength: most, size: "max" })
    .map((drafts) => fillsOf(drafts, markets, from));
}

function fillsOf(drafts: readonly Draft[], markets: readonly string[], from: number): Fill[] {
  const positions = new Map<string, bigint>();
  let time = from;
  return drafts.map((drawn, at) => {
    time += drawn.wait;
    const market = markets[drawn.market % markets.length] as string;
    const position = positions.get(market) ?? 0n;
    const size = position < 0n ? -position : position;
    const more = drawn.what === "flip" ? drawn.quantity : 0n;
    const isOwn = drawn.what === "own" || size === 0n || size + more >= LIMIT;
    const units = isOwn ? drawn.quantity : size + more;
    const against = position > 0n ? "sell" : "buy";
    const side = isOwn ? drawn.side : against;
    positions.set(market, position + (side === "buy" ? units : -units));
    return makeFill(at + 1, {
      market,
      time,
      side,
      liquidity: drawn.liquidity,
      quantity: unitsText(units),
      price: unitsText(drawn.price),
      fee: unitsText(drawn.fee),
    });
  });
}

const breakDraft = fc.record({
  /** How many fills come before the break, and how many within it. */
  skip: fc.nat(8),
  within: fc.nat(5),
  /** Whether each end is at the time of a fill (0) or 1 ms later (1). */
  late: fc.tuple(fc.nat(1), fc.nat(1)),
  sign: fc.constantFrom(-1n, 0n, 1n),
  quantity,
  price,
});

/**
 * Up to three breaks of a market among its fills, in order of time. Some lie between two fills, and some
 * begin where another ends.
 */
export function breaksAmong(market = "BTC-USDT"): fc.Arbitrary<(fills: readonly Fill[]) => DeclaredBreak[]> {
  return fc.array(breakDraft, { minLength: 1, maxLength: 3 }).map((drafts) => (fills) => {
    const times = fills.filter((fill) => fill.market === market).map(tradeTime);
    const breaks: DeclaredBreak[] = [];
    let at = 0;
    for (const { skip, within, late, sign, quantity: size, price: each } of drafts) {
      const earliest = breaks.at(-1)?.asOf ?? 0;
      const breakFrom = Math.max(earliest, (times[at + skip] ?? times.at(-1) ?? 0) + late[0]);
      at += skip + within;
      const asOf = Math.max(breakFrom, (times[at] ?? times.at(-1) ?? 0) + late[1]);
      if (asOf > earliest) {
        const price = sign === 0n ? null : ofUnits(each);
        breaks.push({
          market,
          quantity: ofUnits(sign * size),
          price,
          asOf,
          breakFrom,
          where: `line ${breaks.length + 2}`,
        });
      }
    }
    return breaks;
  });
}

export type DeclaredBreak = DeclaredPosition & { readonly breakFrom: number };

interface FillValues extends Pick<Fill, "market" | "side" | "quantity" | "price" | "fee"> {
  readonly time: number;
  readonly liquidity?: string | null;
}

/** Its match is `M7` and its order `O7` for `at` 7. */
export function makeFill(at: number, { time, ...values }: FillValues): Fill {
  const own = { matchId: `M${at}`, orderId: `O${at}`, txCreated: time, filledAt: time, transactionHash: null };
  return makeSoundFill({ ...own, ...values });
}

export interface Step {
  readonly booked: Booked;
  /** The state of the fill's market after the fill. */
  readonly state: Carried;
}

export function planOf(method: Method, plan: Partial<AccountsPlan> = {}): AccountsPlan {
  return {
    account: "main",
    designations: new Map(),
    declared: [],
    fromBeginning: true,
    isLinear: () => true,
    timeOf: tradeTime,
    borders: [],
    ...plan,
    methods: methodsOf(method),
  };
}

/** Books each fill, and gives the result and the market's state after it. */
export function stepsOf(fills: readonly Fill[], method: Method, plan: Partial<AccountsPlan> = {}): Step[] {
  const accounts = new Accounts(planOf(method, plan));
  return fills.map((fill) => {
    const booked = accounts.book(fill);
    const state = accounts.state.get(fill.market ?? "");
    if (state === undefined) {
      throw new TypeError("a fill leaves its market without a state");
    }
    return { booked, state };
  });
}
