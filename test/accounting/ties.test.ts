import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { Accounts, type AccountsPlan } from "../../lambda/accounting/accounts.ts";
import { type Amount, formatAmount } from "../../lambda/accounting/amount.ts";
import type { Booked, DeclaredPosition } from "../../lambda/accounting/booked.ts";
import { METHODS, type Method, type MethodRole } from "../../lambda/accounting/method.ts";
import { type MarketTies, Ties, tieEffects } from "../../lambda/accounting/ties.ts";
import { tradeTime } from "../../lambda/core/fill.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { breaksAmong, planOf } from "./draw.ts";
import { booksOf, fillsFrom } from "./make.ts";
import { parseAmount } from "./rational.ts";

/** Ties with the fills of a pack's books: `earlier` come before the period, `batches` are in it. */
function compared(plan: AccountsPlan, batches: readonly (readonly PlainFill[])[], earlier: readonly PlainFill[] = []) {
  const ties = new Ties(plan, new Accounts(plan));
  const book = (batch: readonly PlainFill[]) => [...ties.book(batch, 3)].flat();
  book(earlier);
  ties.begin();
  return { booked: batches.flatMap(book), markets: ties.markets };
}

function tiesOf(fills: readonly PlainFill[], plan: AccountsPlan): readonly MarketTies[] {
  return compared(plan, [fills]).markets;
}

function effectsOf(fills: readonly PlainFill[], method: Method, rest: Partial<AccountsPlan> = {}): string[] {
  const { statement } = booksOf(fills, { method, ...rest });
  return tieEffects(tiesOf(fills, planOf(method, rest)), statement).map(
    (one) => `${one.method} ${one.figure}: ${formatAmount(one.inOrder)}, ${formatAmount(one.reversed)}`,
  );
}

describe("T18, order within one instant: B1@100, then B1@110 and S1@110 at one time", () => {
  test.each<[Method, string[]]>([
    // Selling first: 10 in all. Buying first: average 5, FIFO 10, the others 0.
    ["average", ["average gross: 5, 10"]],
    ["fifo", ["average gross: 5, 10"]],
    ["lifo", ["lifo gross: 0, 10", "average gross: 5, 10"]],
    ["hifo", ["hifo gross: 0, 10", "average gross: 5, 10"]],
  ])("%s", (method, effects) => {
    expect(effectsOf(fillsFrom("B1@100 B1@110 =S1@110"), method)).toEqual(effects);
    const swapped = effects.map((effect) => effect.replace(/: (\d+), (\d+)/, ": $2, $1"));
    expect(effectsOf(fillsFrom("B1@100 S1@110 =B1@110"), method)).toEqual(swapped);
  });

  test("the fees of lots are compared too", () => {
    expect(effectsOf(fillsFrom("B1@100/0.1 =B1@100/0.3 S1@100/0"), "lifo")).toEqual(["lifo fees: 0.3, 0.1"]);
  });
});

interface Drawn {
  readonly fills: readonly PlainFill[];
  readonly cuts: readonly number[];
  readonly border: number;
  readonly method: Method;
}

/**
 * Fills of two markets. Most share their time with others. Within a time they are ordered by match, as in the
 * archive.
 */
function drawn(maxLength: number): fc.Arbitrary<Drawn> {
  const one = fc.record({
    moves: fc.boolean(),
    market: fc.constantFrom("BTC-USDT", "BTC-USDT", "BTC-USDT", "ETH-USD"),
    side: fc.constantFrom("buy", "sell"),
    quantity: fc.constantFrom("1", "2", "3", "0.7"),
    price: fc.constantFrom("100", "101", "103", "97.5"),
    fee: fc.constantFrom("0", "0.1", "0.3", "-0.05"),
  });
  return fc
    .record({
      parts: fc.array(one, { minLength: 1, maxLength, size: "max" }),
      cuts: fc.array(fc.nat(maxLength), { maxLength: 6 }),
      border: fc.nat(maxLength),
      method: fc.constantFrom(...METHODS),
    })
    .map(({ parts, ...rest }) => {
      let time = Date.UTC(2025, 2, 1);
      const fills = parts.map(({ moves, ...fields }, at): PlainFill => {
        time += moves ? 1000 : 0;
        const [base] = fillsFrom("B1@1", { from: time });
        const id = String(at).padStart(4, "0");
        return { ...(base as PlainFill), ...fields, matchId: `M${id}`, orderId: `O${id}` };
      });
      return { ...rest, fills };
    });
}

/** The ties in reverse order, made by hand: within each time and market. */
function reversed(fills: readonly PlainFill[]): PlainFill[] {
  return [...Map.groupBy(fills, tradeTime).values()].flatMap((instant) =>
    [...Map.groupBy(instant, ({ market }) => market).values()].flatMap((own) => own.toReversed()),
  );
}

type Sums = Record<"gross" | "fees", Amount>;

function sums(booked: readonly Booked[], market: string, role: MethodRole): Sums {
  const own = booked.filter(({ fill }) => fill.market === market);
  const of = (figure: keyof Sums) => own.reduce((sum, { realised }) => sum + (realised?.[role][figure] ?? 0n), 0n);
  return { gross: of("gross"), fees: of("fees") };
}

/** Batches that never split a time. */
function cutAt(fills: readonly PlainFill[], cuts: readonly number[]): PlainFill[][] {
  const instants = [...Map.groupBy(fills, tradeTime).values()];
  return [...Map.groupBy(instants, (_, at) => cuts.filter((cut) => cut <= at).length).values()].map((batch) =>
    batch.flat(),
  );
}

function expectDifferences(
  markets: readonly MarketTies[],
  straight: readonly Booked[],
  turned: readonly Booked[],
): void {
  for (const market of ["BTC-USDT", "ETH-USD"]) {
    const found = markets.find((one) => one.market === market);
    for (const role of ["primary", "reference"] as const) {
      const [a, b] = [sums(straight, market, role), sums(turned, market, role)];
      expect(found?.differences[role] ?? { gross: 0n, fees: 0n }).toEqual({
        gross: b.gross - a.gross,
        fees: b.fees - a.fees,
      });
    }
  }
}

describe("compared with a second run in which every tie is reversed", () => {
  const noBreaks = fc.constant((_: readonly PlainFill[]): DeclaredPosition[] => []);

  test.prop([drawn(60), fc.oneof(noBreaks, breaksAmong(), breaksAmong("ETH-USD"))], { numRuns: 1600 })(
    "of a period, in batches, over breaks",
    ({ fills, cuts, border, method }, among) => {
      const plan = planOf(method, { declared: among(fills) });
      const start = tradeTime(fills[Math.min(border, fills.length - 1)] as PlainFill);
      const isBefore = (fill: PlainFill) => tradeTime(fill) < start;
      const [earlier, own] = [fills.filter(isBefore), fills.filter((fill) => !isBefore(fill))];
      const { booked: straight, markets } = compared(plan, cutAt(own, cuts), earlier);
      const plain = new Accounts(plan);
      expect(straight).toEqual(fills.map((fill) => plain.book(fill)).slice(earlier.length));
      const shared = [...Map.groupBy(own, (fill) => `${fill.market} ${tradeTime(fill)}`).values()];
      const ties = shared.reduce((sum, { length }) => sum + (length > 1 ? length : 0), 0);
      expect(markets.reduce((sum, one) => sum + one.ties, 0)).toBe(ties);
      const other = new Accounts(plan);
      for (const fill of reversed(earlier)) {
        other.book(fill);
      }
      expectDifferences(
        markets,
        straight,
        reversed(own).map((fill) => other.book(fill)),
      );
    },
  );
});

test("ties whose order cannot matter change nothing: fills of one side that only close, or that open on the same terms", () => {
  for (const line of ["B9@100 B9@101 S1@110 =S1@111 =S1@112", "B1@100/0.1 =B2@100/0.2 =B3@100/0.3 S1@101"]) {
    for (const method of ["fifo", "lifo", "hifo"] as const) {
      expect(tiesOf(fillsFrom(line), planOf(method))).toMatchObject([{ ties: 3 }]);
      expect(effectsOf(fillsFrom(line), method)).toEqual([]);
    }
  }
});

describe("unknown figures", () => {
  test("a market with an unknown position is not compared, but its ties are counted", () => {
    const fills = fillsFrom("B1@100 =S1@110 B1@110 =S1@120");
    const ties = tiesOf(fills, planOf("fifo", { fromBeginning: false }));
    expect(ties).toMatchObject([{ ties: 4, differences: { primary: { gross: 0n }, reference: { gross: 0n } } }]);
  });

  test("fills at the time of a fill that cannot be typed, or after it, are not compared", () => {
    const fills = fillsFrom("B1@100 =B1@101 S1@103 =S1@104 S1@105 =S1@106").map((fill, at) =>
      at === 3 ? { ...fill, price: "?" } : fill,
    );
    expect(tiesOf(fills, planOf("fifo"))).toMatchObject([
      { ties: 6, differences: { primary: { gross: 0n }, reference: { gross: 0n } }, reversible: true },
    ]);
  });

  test("the first ties begin with a declared position", () => {
    const fills = fillsFrom("B1@110 =S1@110");
    const declared = [
      {
        market: "BTC-USDT",
        quantity: 10n ** 18n,
        price: 100n * 10n ** 18n,
        asOf: Date.UTC(2025, 0, 5),
        where: "line 2",
      },
    ];
    expect(effectsOf(fills, "lifo", { declared, fromBeginning: false })).toEqual([
      "lifo gross: 0, 10",
      "average gross: 5, 10",
    ]);
  });

  test("matches.csv may fix the order of a tie", () => {
    const fills = fillsFrom("B1@100 B1@110 =S1@110");
    const designations = new Map([
      ["M3\u0000O3", [{ openMatchId: "M2", openOrderId: "O2", quantity: 10n ** 18n, where: "matches.csv, line 2" }]],
    ]);
    const ties = tiesOf(fills, planOf("specific", { designations }));
    expect(ties).toMatchObject([
      { ties: 2, reversible: false, differences: { primary: { gross: 0n }, reference: { gross: 0n } } },
    ]);
    // From there on, the reversed books begin with what the accounts hold: 1 at 105 by average, lot M1 at
    // 100.
    const longer = tiesOf(fillsFrom("B1@100 B1@110 =S1@110 B1@120 =S1@130"), planOf("specific", { designations }));
    expect(longer).toMatchObject([
      { ties: 4, reversible: false, differences: { primary: { gross: 0n }, reference: { gross: parseAmount("7.5") } } },
    ]);
  });
});
