import { describe, expect, test } from "vitest";
import type { OpenLot } from "../../lambda/accounting/cost-book.ts";
import type { Method } from "../../lambda/accounting/method.ts";
import { type Amount, fixed, totalOf, withSign, ZERO } from "../../lambda/core/amount.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { amountOf, exactly, rationalOf } from "../support/amounts.ts";
import { stepsOf } from "./draw.ts";
import { fillsFrom } from "./make.ts";
import { oracleFill } from "./oracle.ts";
import { divide, type Rational, read, roundHalfEven, times } from "./rational.ts";

/**
 * Published examples that others worked out, compared to the digit. `B12@100` buys 12 at 100; a slash
 * precedes its fee. If a source rounds, the comparison rounds too. T7 and T14 are in statement.test.ts, T20
 * is in accounts.test.ts, T21 in pack/tables/examples.test.ts. Packs do not cover the value of inverse
 * contracts (T8, T9, T17), matching by day (T12) and fees in kind (T15, sheet B1).
 */

interface Told {
  /** The gross of each close. */
  readonly closes?: string;
  /** The total gross, and the unrealised PnL at the mark price. */
  readonly realised?: string;
  readonly unrealised?: string;
  /** After each fill: total gross less all fees paid. */
  readonly expensed?: string;
  /** After each close: total gross less the fees recognised. */
  readonly capitalised?: string;
  /** The cost of everything that was closed. */
  readonly cost?: string;
  /** Open at the end: lots in order of opening; for average, quantity @ average. */
  readonly open?: string;
}

interface Example {
  readonly name: string;
  readonly fills: string;
  /** A fee rate on each fill's notional, instead of fees in the line. */
  readonly rate?: string;
  readonly mark?: string;
  /** Realised plus unrealised, equal for every method. */
  readonly total?: string;
  readonly told: Partial<Record<Method, Told>>;
}

const TRADING_TECHNOLOGIES = "B12@100 B17@99 S9@101 S4@105 B3@103";

const EXAMPLES: readonly [source: string, examples: readonly Example[]][] = [
  [
    "T1: Trading Technologies, in NautilusTrader's tests/unit_tests/model/test_position.py",
    [
      {
        name: "the methods differ, their total does not",
        fills: TRADING_TECHNOLOGIES,
        mark: "99",
        total: "18",
        told: {
          average: {
            closes: "14.2758620690 22.3448275862",
            realised: "36.6206896552",
            unrealised: "-18.6206896552",
            open: "19@99.9800362976",
          },
          fifo: { closes: "9 21", realised: "30", unrealised: "-12", open: "16@99 3@103" },
          lifo: { closes: "18 24", realised: "42", unrealised: "-24", open: "12@100 4@99 3@103" },
          hifo: { closes: "9 21", realised: "30", unrealised: "-12", open: "16@99 3@103" },
        },
      },
      { name: "the average after two fills", fills: "B12@100 B17@99", told: { average: { open: "29@99.4137931034" } } },
      {
        name: "with 0.01 % of fees, each at its fill",
        fills: TRADING_TECHNOLOGIES,
        rate: "0.0001",
        told: { average: { expensed: "-0.12 -0.2883 13.8966620690 36.1994896552 36.1685896552" } },
      },
    ],
  ],
  [
    "T3: ansaurus, question 3112469",
    [
      {
        name: "two buys and a sale of less",
        fills: "B75@25.10 B50@25.12 S100@25.22",
        mark: "25.22",
        total: "14",
        told: {
          fifo: { realised: "11.50" },
          lifo: { realised: "11.00" },
          hifo: { realised: "11.00" },
          average: { realised: "11.20", open: "25@25.108" },
        },
      },
    ],
  ],
  [
    "T6: the reference, computed",
    [
      {
        name: "hifo takes the lowest entry of a short: the highest would show the most gain, 6.5",
        fills: "S1@100 S1@110 S1@105 B1.5@104",
        mark: "104",
        total: "3",
        told: {
          average: { realised: "1.5" },
          fifo: { realised: "-1" },
          lifo: { realised: "4" },
          hifo: { realised: "-3.5", open: "1@110 0.5@105" },
        },
      },
    ],
  ],
  [
    "T10: NautilusTrader, tests/unit_tests/model/test_position.py",
    [
      {
        name: "0.1 % of fees, each at its fill",
        fills: "B12@10000 B17@9999 S9@10001 B3@10003 S4@10005",
        rate: "0.001",
        told: {
          average: {
            expensed: "-120 -289.983 -365.7161379310 -395.7251379310 -415.2713748126",
            open: "19@9999.8815592204",
          },
        },
      },
    ],
  ],
  [
    // No method of a pack matches by the same day or with purchases of the next 30 days. Of those pages, only
    // the sales out of the pool are here.
    "T12: HMRC, CRYPTO22251 to 22256, what its pool does (the examples' matching by day is not expressed)",
    [
      {
        name: "22251: cost £42,000, gain £258,000, left £84,000",
        fills: "B100@10 B50@2500 S50@6000",
        told: { average: { cost: "42000", realised: "258000", open: "100@840" } },
      },
      {
        name: "22255: 3,500 of 14,000 at £200,000 cost £50,000, left £150,000",
        fills: "B4000@29.5 B10000@8.2 S3500@40",
        told: { average: { cost: "50000", open: "10500@14.2857142857" } },
      },
      {
        name: "22256: 100,000 of 110,000 at £345,000, sold for £150,000",
        fills: "B100000@3 B10000@4.5 S100000@1.5",
        told: { average: { realised: "-163636.36" } },
      },
    ],
  ],
  [
    "T13: freqtrade, tests/persistence/test_persistence.py (fifo: the reference, computed)",
    [
      {
        name: "a loss in the end",
        fills: "B100@10 B100@15 S50@12 S100@20 S50@5",
        rate: "0.0025",
        told: {
          average: { closes: "-25 750 -375", capitalised: "-28.0625 713.8125 336.625" },
          fifo: { closes: "100 750 -500", capitalised: "97.25 839.125 336.625" },
        },
      },
    ],
  ],
  [
    "T15: eprbell/rp2, input/test_hifo2.ods, sheet B2 (average: the reference, computed)",
    [
      {
        name: "eleven sales between twenty buys",
        fills: `B59@3 B486@12 S246.7210203@11 B1@13 B9@2 B85@1 B31@20 B72@28 S3.44934058@29 B18@26 B97@25 B52@10 S13.18924158@9 B53@7
          B81@6 S27.32555644@4 S13.66776282@5 B3@8 B34@30 B4@40 S16.88820448@34 S16.88999542@35 S16.42478947@37 B48@39 S15.37571299@43 B31@41
          S3.13513969@42 B32@38 B34@33 S17.18297715@32 B3@36`,
        mark: "36",
        total: "16741.06843784",
        told: {
          fifo: { realised: "2074.06221992", cost: "4151.99689104" },
          lifo: { realised: "236.52328369", cost: "5989.53582727" },
          hifo: { realised: "-1302.66567181", cost: "7528.72478277" },
          average: { realised: "1461.749027309997", cost: "4764.310083650003" },
        },
      },
    ],
  ],
  [
    // The tool treats a gift, a donation and the fee in kind of a move as sales at their price. They are
    // sales here too.
    "T16: eprbell/rp2, input/crypto_example.ods, BTC (a sale's own fee in kind: as money, at the 151 that it cost)",
    [
      {
        name: "of 2020: sale, move, sale, gift, donation, move; of 2021: sale, move",
        fills: `B1@11100 S0.2@11200 S0.01@11400 B2@12000 S1@12200 B3@13000 B4@14100 S5@14200 S3.79@14300 B5@15100 S0.02@14400
          S2@20200/151 S0.04@21400`,
        told: {
          // Sales 20 + 911 = 931, gift 7,559, donation 758, moves 3 − 14 = −11; then 10,200 − 151 = 10,049,
          // move 252.
          fifo: { closes: "20 3 911 7559 758 -14 10200 252", capitalised: "20 23 934 8493 9251 9237 19286 19538" },
          // Sales 20 + 200 = 220, gift 1,600, donation 7,428; all else as above.
          lifo: { closes: "20 3 200 1600 7428 -14 10200 252" },
          hifo: { closes: "20 3 200 1600 7428 -14 10200 252" },
        },
      },
    ],
  ],
];

describe.each(EXAMPLES)("%s", (_, examples) => {
  describe.each(examples)("$name", ({ fills: line, rate, mark, total, told }) => {
    test.each(Object.entries(told) as [Method, Told][])("%s", (method, expected) => {
      const fills = rate === undefined ? fillsFrom(line) : charged(fillsFrom(line), rate);
      const seen = figuresOf(fills, method, mark);
      for (const [figure, text] of Object.entries(expected)) {
        expect(`${figure}: ${shownLike(seen[figure as keyof Told], text)}`).toBe(`${figure}: ${text}`);
      }
      if (total !== undefined) {
        expect(String(seen.total)).toBe(total);
      }
    });
  });
});

test("T19: the reference, computed: three shares of a cost of 302, rounded at 18 places, add up to it", () => {
  const shares = stepsOf(fillsFrom("B1@100 B2@101 S1@100 S1@100 S1@100"), "average").flatMap(
    ({ booked }) => booked.realised?.matches.map(({ openValue }) => openValue) ?? [],
  );
  expect(shares.map(String)).toEqual(["100.666666666666666667", "100.666666666666666666", "100.666666666666666667"]);
  expect(String(totalOf(shares, (share) => share))).toBe("302");
});

/** Adds a fee of `rate` times the notional to each fill. */
function charged(fills: readonly Fill[], rate: string): Fill[] {
  return fills.map((fill) => {
    const { quantity, price } = oracleFill(fill);
    return { ...fill, fee: String(amountOf(times(times(quantity, price), read(rate)))) };
  });
}

function figuresOf(fills: readonly Fill[], method: Method, mark = "0") {
  const steps = stepsOf(fills, method);
  const closes: Amount[] = [];
  const expensed: Amount[] = [];
  const capitalised: Amount[] = [];
  let [gross, paid, recognised, cost] = [ZERO, ZERO, ZERO, ZERO];
  for (const { booked } of steps) {
    paid = paid.plus(booked.trade?.fee ?? ZERO);
    const { realised } = booked;
    if (realised !== null) {
      gross = gross.plus(realised.gross);
      recognised = recognised.plus(realised.fees);
      cost = cost.plus(totalOf(realised.matches, ({ openValue }) => openValue));
      closes.push(realised.gross);
      capitalised.push(gross.minus(recognised));
    }
    expensed.push(gross.minus(paid));
  }
  const lots = (steps.at(-1)?.state.lots ?? []).toSorted((a, b) => a.opener.time - b.opener.time);
  const price = exactly(mark);
  const unrealised = totalOf(lots, (lot) => withSign(lot.sign, lot.quantity.times(price).minus(lot.value)));
  return {
    closes,
    realised: gross,
    unrealised,
    total: gross.plus(unrealised),
    expensed,
    capitalised,
    cost,
    open: lots,
  };
}

/** The figures, each with as many digits as the source gives. */
function shownLike(seen: Amount | readonly (Amount | OpenLot)[] | undefined, text: string): string {
  const wanted = text.split(" ");
  return [seen ?? []]
    .flat()
    .map((one, at) => shownOne(one, wanted[at] ?? ""))
    .join(" ");
}

function shownOne(one: Amount | OpenLot, text: string): string {
  if (!("opener" in one)) {
    return rounded(rationalOf(one), text);
  }
  const entry = divide(rationalOf(one.value), rationalOf(one.quantity));
  return `${one.quantity}@${rounded(entry, text.split("@")[1] ?? "")}`;
}

function rounded(value: Rational, like: string): string {
  const places = like.split(".")[1]?.length ?? 0;
  return fixed(amountOf(roundHalfEven(value, places)), places);
}
