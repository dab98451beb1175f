import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { Accounts } from "../../lambda/accounting/accounts.ts";
import { formatAmount } from "../../lambda/accounting/amount.ts";
import type { Blank, Booked, DeclaredPosition } from "../../lambda/accounting/booked.ts";
import { METHODS } from "../../lambda/accounting/method.ts";
import { FillbookError } from "../../lambda/errors.ts";
import { formatUnits, parseDecimal } from "../../lambda/model/decimal.ts";
import { type Fill, tradeTime } from "../../lambda/model/fill.ts";
import { histories, planOf, type Step, stepsOf } from "./draw.ts";
import { fillsFrom } from "./make.ts";

/** What is not known is blank with its reason, never zero; and going on from a state is the same as going through. */

const MARKET = "BTC-USDT";
const FROM = Date.UTC(2025, 2, 1, 12);
const HOUR = 3_600_000;

const units = (text: string): bigint => parseDecimal(text)?.units as bigint;

function declared(quantity: string, price: string | null, more: Partial<DeclaredPosition> = {}): DeclaredPosition {
  const where = "opening-positions.csv, line 2";
  return {
    market: MARKET,
    quantity: units(quantity),
    price: price === null ? null : units(price),
    asOf: FROM,
    where,
    ...more,
  };
}

/** `closed gross/gross` by average and fifo, or why it is blank; `-` for a fill that closes nothing. */
function told({ booked }: Step): string {
  if (booked.realised !== null) {
    expect(booked.blank).toBeNull();
    return `${formatUnits(booked.closed)} ${booked.realised.map(({ gross }) => formatAmount(gross)).join("/")}`;
  }
  return booked.blank ?? "-";
}

const positions = (steps: readonly Step[]) =>
  steps.map(({ booked: { after } }) => (after === null ? null : formatUnits(after)));

describe("an opening that is not known", () => {
  const steps = stepsOf(fillsFrom("B1@100/0.1 S3@110/0.3 B2@90"), "fifo", { fromBeginning: false });

  test("leaves every figure blank, and says why", () => {
    expect(steps.map(told)).toEqual(new Array(3).fill("opening_unknown"));
    expect(steps.map(({ booked }) => booked)).toMatchObject(
      new Array(3).fill({ before: null, after: null, closed: 0n, opened: 0n, closeFee: 0n, openFee: 0n, trip: null }),
    );
    expect(steps.at(-1)?.state).toEqual({ position: null, blank: "opening_unknown", lots: [[], []], trip: null });
  });

  test("leaves the trades themselves as they are", () => {
    expect(steps.map(({ booked }) => booked.trade?.quantity)).toEqual([units("1"), units("3"), units("2")]);
  });
});

describe("a declared opening", () => {
  test("T20: the reference, computed: assumed flat −30; declared long 3@100, +30 at the sale, then long 3@120", () => {
    const fills = fillsFrom("S3@110 B3@120");
    expect(stepsOf(fills, "fifo").map(told)).toEqual(["-", "3 -30/-30"]);
    const steps = stepsOf(fills, "fifo", { declared: [declared("3", "100")] });
    expect(steps.map(told)).toEqual(["3 30/30", "-"]);
    expect(steps[0]?.booked.realised?.[1].matches[0]?.opener).toEqual({
      matchId: null,
      orderId: null,
      time: FROM,
      price: units("100"),
    });
    for (const lots of steps.at(-1)?.state.lots ?? []) {
      expect(lots).toMatchObject([{ sign: 1n, quantity: units("3"), opener: { matchId: "M2", price: units("120") } }]);
    }
  });

  test("of a short", () => {
    const steps = stepsOf(fillsFrom("B2@90 B2@95"), "fifo", { declared: [declared("-3", "100")] });
    expect(steps.map(told)).toEqual(["2 20/20", "1 5/5"]);
    expect(positions(steps)).toEqual(["-1", "1"]);
  });

  test("that is flat is as good as a beginning", () => {
    const plan = { fromBeginning: false, declared: [declared("0", null)] };
    expect(stepsOf(fillsFrom("S3@110 B3@120"), "fifo", plan).map(told)).toEqual(["-", "3 -30/-30"]);
  });

  test("without its price: blank until it is flat for certain", () => {
    const steps = stepsOf(fillsFrom("S1@110 B1@100 S3@120 B2@90 S2@95"), "fifo", { declared: [declared("3", null)] });
    expect(steps.map(told)).toEqual([...new Array(3).fill("quantity_known_cost_unknown"), "-", "2 10/10"]);
    expect(positions(steps)).toEqual(["2", "3", "0", "2", "0"]);
    expect(steps.map(({ booked }) => formatUnits(booked.closed))).toEqual(["1", "0", "3", "0", "2"]);
  });

  test("without its price, then a flip: its closing part is blank, its opening part is known", () => {
    const steps = stepsOf(fillsFrom("S5@110/0.5 B2@100"), "fifo", { declared: [declared("3", null)] });
    expect(steps.map(told)).toEqual(["quantity_known_cost_unknown", "2 20/20"]);
    expect(steps[0]?.booked).toMatchObject({ closed: units("3"), opened: units("2"), realised: null });
    expect(formatAmount(steps[1]?.booked.realised?.[1].fees ?? 0n)).toBe("0.2");
    expect(steps[1]?.booked.trip).toMatchObject({ side: "short", fills: 2 });
  });

  test("without its price, and later with it", () => {
    const later = declared("2", "105", { asOf: FROM + HOUR });
    const steps = stepsOf(fillsFrom("S1@110 S2@120"), "fifo", { declared: [declared("3", null), later] });
    expect(steps.map(told)).toEqual(["quantity_known_cost_unknown", "2 30/30"]);
  });

  test("for every market that has no line of its own", () => {
    const fills = [...fillsFrom("S3@110 B3@120"), ...fillsFrom("S1@10 B1@9", { market: "ETH-USDT" })];
    const everyOther = declared("0", null, { market: null });
    const plan = { fromBeginning: false, declared: [everyOther, declared("3", "100")] };
    expect(stepsOf(fills, "fifo", plan).map(told)).toEqual(["3 30/30", "-", "-", "1 1/1"]);
  });

  test("later than the first fills, which stay blank", () => {
    const plan = { fromBeginning: false, declared: [declared("0", null, { asOf: FROM + HOUR })] };
    expect(stepsOf(fillsFrom("S3@110 B3@120 S3@130"), "fifo", plan).map(told)).toEqual([
      "opening_unknown",
      "-",
      "3 30/30",
    ]);
  });

  test("that the fills say too changes nothing", () => {
    const again = declared("-3", "1", { asOf: FROM + HOUR });
    expect(stepsOf(fillsFrom("S3@110 B3@120"), "fifo", { declared: [again] })).toEqual(
      stepsOf(fillsFrom("S3@110 B3@120"), "fifo"),
    );
  });

  test("that the fills contradict stops the run", () => {
    const wrong = declared("5", "100", { asOf: FROM + HOUR });
    const run = () => stepsOf(fillsFrom("S3@110 B3@120"), "fifo", { declared: [wrong] });
    expect(run).toThrow(FillbookError);
    expect(run).toThrow(
      "opening-positions.csv, line 2: it declares a position of 5 at 2025-03-01T13:00:00.000Z, and the fills before it give -3",
    );
  });

  test("of a market without fills is open all the same", () => {
    const accounts = new Accounts(planOf("fifo", { declared: [declared("3", "100")] }));
    accounts.advance(FROM - 1);
    expect(accounts.state.size).toBe(0);
    accounts.advance(FROM);
    expect(accounts.state.get(MARKET)).toMatchObject({ origin: "declared", state: { position: units("3") } });
  });
});

describe("a fill that cannot be typed", () => {
  test.each<[string, Partial<Fill>]>([
    ["no quantity", { quantity: null }],
    ["a quantity with an exponent", { quantity: "1e3" }],
    ["of nothing", { quantity: "0" }],
    ["of less than nothing", { quantity: "-1" }],
    ["19 places", { quantity: "0.0000000000000000001" }],
    ["no price", { price: null }],
    ["for nothing", { price: "0.00" }],
    ["no fee", { fee: null }],
    ["a fee in words", { fee: "=1+1" }],
    ["no side", { side: null }],
    ["another side", { side: "liquidation" }],
  ])("%s: its market is blank from there on", (_, change) => {
    const [first, second, third] = fillsFrom("B2@100 S1@110 S1@120") as [Fill, Fill, Fill];
    const steps = stepsOf([first, { ...second, ...change }, third], "fifo");
    expect(steps.map(told)).toEqual(["-", "market_incomplete", "market_incomplete"]);
    expect(steps[1]?.booked).toMatchObject({ trade: null, before: units("2"), after: null });
    expect(steps[2]?.state).toEqual({ position: null, blank: "market_incomplete", lots: [[], []], trip: null });
  });

  test("leaves other markets alone", () => {
    const [bad] = fillsFrom("B1@1", { market: "ETH-USDT" }) as [Fill];
    const fills = [...fillsFrom("B2@100 S1@110"), { ...bad, price: null }];
    expect(stepsOf(fills, "fifo").map(told)).toEqual(["-", "1 10/10", "market_incomplete"]);
  });

  test("without a market, or of one without a quote currency, is of no other's account", () => {
    const [bad, worse] = fillsFrom("B1@1 B1@1") as [Fill, Fill];
    const fills = [{ ...bad, market: null }, { ...worse, market: "BTC" }, ...fillsFrom("B2@100 S1@110")];
    expect(stepsOf(fills, "fifo").map(told)).toEqual(["market_incomplete", "market_incomplete", "-", "1 10/10"]);
  });

  test("until the user declares what is open", () => {
    const [first, second, ...rest] = fillsFrom("B2@100 S1@110 S1@120 B1@90") as [Fill, Fill, ...Fill[]];
    const again = declared("1", "100", { asOf: FROM + 2 * HOUR });
    const steps = stepsOf([first, { ...second, quantity: null }, ...rest], "fifo", { declared: [again] });
    expect(steps.map(told)).toEqual(["-", "market_incomplete", "1 20/20", "-"]);
  });
});

describe("a contract that is not linear", () => {
  const plan = { isLinear: (market: string) => market !== MARKET, declared: [declared("3", "100")] };

  test("has no PnL, whatever the user declares", () => {
    const fills = [...fillsFrom("S3@110 B3@120"), ...fillsFrom("B2@100 S1@110", { market: "ETH-USDT" })];
    const blank: Blank = "unsupported_contract_type";
    expect(stepsOf(fills, "fifo", plan).map(told)).toEqual([blank, blank, "-", "1 10/10"]);
  });

  test("has none after a fill that cannot be typed, nor where the accounts go on from a state", () => {
    const [first, second] = fillsFrom("S3@110 B3@120") as [Fill, Fill];
    const accounts = new Accounts(planOf("fifo", plan));
    accounts.book({ ...first, fee: null });
    const after = new Accounts(planOf("fifo", plan), { state: accounts.state, time: FROM - 1 });
    expect(after.book(second)).toMatchObject({ blank: "unsupported_contract_type", after: null });
  });
});

describe("I10: going on from a state", () => {
  const FIRST = Date.UTC(2025, 0, 1);
  const MARKETS = ["BTC-USDT", "ETH-USDT", "SOL-USD", "DOGE-USD"];

  /** Of one market: what the fills before it give, from whatever there was at first. */
  const declarations = fc.array(
    fc.record({
      market: fc.constantFrom(null, ...MARKETS),
      day: fc.nat(400),
      price: fc.option(fc.bigInt(1n, 10n ** 20n)),
      opening: fc.bigInt(-3n, 3n),
    }),
    { maxLength: 5 },
  );

  test.prop(
    [
      histories({ markets: MARKETS, from: FIRST }),
      fc.array(fc.nat(12), { minLength: 5, maxLength: 40 }),
      declarations,
      fc.boolean(),
      fc.constantFrom(...METHODS),
      fc.nat(),
    ],
    { numRuns: 1000 },
  )("at any fill gives the same as going through", (drawn, luck, positions, fromBeginning, method, place) => {
    const fills = drawn.map((fill, at) => (luck[at % luck.length] === 0 ? { ...fill, price: "1e3" } : fill));
    const plan = planOf(method, {
      fromBeginning,
      declared: positions.map(({ market, day, price, opening }, at) => {
        const fill = drawn[day % drawn.length] as Fill;
        const asOf = day % 2 === 0 ? tradeTime(fill) : FIRST + day * 86_400_000;
        const own = drawn.filter((fill) => fill.market === market && tradeTime(fill) < asOf);
        const sum = own.reduce(
          (all, { side, quantity }) => all + units(quantity ?? "") * (side === "buy" ? 1n : -1n),
          0n,
        );
        return { market, quantity: fromBeginning ? sum : opening + sum, price, asOf, where: `line ${at + 2}` };
      }),
      isLinear: (market) => market !== "DOGE-USD",
    });
    const cut = place % (fills.length + 1);
    const end = tradeTime(fills.at(-1) as Fill);
    expect(outcomeOf(() => inTwo(fills, plan, cut, end))).toEqual(outcomeOf(() => through(fills, plan, end)));
  });

  type Plan = ReturnType<typeof planOf>;

  function through(fills: readonly Fill[], plan: Plan, end: number) {
    const accounts = new Accounts(plan);
    const booked = fills.map((fill) => accounts.book(fill));
    accounts.advance(end);
    return { booked, state: accounts.state };
  }

  function inTwo(fills: readonly Fill[], plan: Plan, cut: number, end: number) {
    const time = cut === 0 ? FIRST - 1 : tradeTime(fills[cut - 1] as Fill);
    const before = new Accounts(plan);
    const first = fills.slice(0, cut).map((fill) => before.book(fill));
    before.advance(time);
    const { state } = before;
    const kept = structuredClone(state);
    const after = new Accounts(plan, { state, time });
    const booked = [...first, ...fills.slice(cut).map((fill) => after.book(fill))];
    after.advance(end);
    expect(state).toEqual(kept);
    return { booked, state: after.state };
  }

  /** A contradiction of the user's is one in both. */
  function outcomeOf(run: () => { booked: Booked[]; state: unknown }) {
    try {
      return run();
    } catch (error) {
      return error instanceof FillbookError ? error.message : error;
    }
  }
});
