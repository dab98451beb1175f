import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Match } from "../../../lambda/accounting/booked.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { isoTime } from "../../../lambda/core/time.ts";
import { rationalOf, unitsText } from "../../support/amounts.ts";
import { installPython } from "../../support/python-tool.ts";
import { makeFill, stepsOf } from "../draw.ts";
import { compare, magnitude, rational, read, subtract } from "../rational.ts";

/**
 * A second opinion: rp2, an open-source tax calculator, on histories that it can express: only long, no two
 * fills at one time, no rebates. Lots, quantities, cost with the opening fee, and gain after both fees must
 * agree.
 */

const METHODS = ["fifo", "lifo", "hifo"] as const;
const HISTORIES = 20;
/** rp2 compares at 13 places and calculates with 31 digits. */
const NEAR = rational(1n, 10n ** 12n);

interface Rp2Match {
  /** Numbers of the fills, from 1. */
  readonly sale: number;
  readonly lot: number;
  readonly quantity: string;
  readonly cost: string;
  readonly gain: string;
}

const draft = fc.record({
  isBuy: fc.boolean(),
  /** × 10^-8 */
  quantity: fc.bigInt(1n, 10n ** 10n),
  /** The share of the open position that is sold. */
  percent: fc.constantFrom(1n, 10n, 33n, 50n, 99n, 100n),
  /** × 10^-4. Equal prices are common, because methods differ there. */
  price: fc.oneof(fc.constantFrom(1_000_000n, 1_010_000n, 990_000n), fc.bigInt(10n ** 5n, 10n ** 9n)),
  /** × 10^-8 of a unit's price */
  rate: fc.bigInt(0n, 10n ** 5n),
  waitMs: fc.integer({ min: 1, max: 20 * 86_400_000 }),
});

const history = fc.array(draft, { minLength: 5, maxLength: 40, size: "max" }).map((drafts): Fill[] => {
  let open = 0n; // × 10^-8
  let time = Date.UTC(2025, 0, 1);
  return drafts.map(({ isBuy, quantity, percent, price, rate, waitMs }, at) => {
    const sold = (open * percent) / 100n;
    const isSale = !isBuy && sold > 0n;
    const size = isSale ? sold : quantity;
    open += isSale ? -size : size;
    time += waitMs;
    return makeFill(at + 1, {
      market: "BTC-USDT",
      time,
      side: isSale ? "sell" : "buy",
      quantity: unitsText(size * 10n ** 10n),
      price: unitsText(price * 10n ** 14n),
      fee: unitsText((size * price * rate) / 100n),
    });
  });
});

test(`rp2 takes the same lots, with the same cost and gain, in ${HISTORIES} histories by ${METHODS.join(", ")}`, async ({
  skip,
}) => {
  const installed = await installPython(join(import.meta.dirname, "requirements.txt"));
  if ("missing" in installed) {
    return skip(`rp2 could not be asked: ${installed.missing}`);
  }
  const histories = fc.sample(history, HISTORIES);
  const cases = histories.flatMap((fills) => METHODS.map((method) => ({ fills, method })));
  const told = await ask(installed.python, cases);
  for (const [at, { fills, method }] of cases.entries()) {
    const seen = stepsOf(fills, method).flatMap(({ booked }) =>
      (booked.realised?.matches ?? []).map((match) => ({
        sale: numberOf(booked.fill.matchId),
        lot: numberOf(match.opener.matchId),
        match,
      })),
    );
    const lots = (rows: readonly { readonly sale: number; readonly lot: number }[] = []) =>
      rows.map(({ sale, lot }) => `${sale} of ${lot}`).toSorted();
    expect(lots(seen)).toEqual(lots(told[at]));
    for (const { sale, lot, match } of seen) {
      expectNear(match, told[at]?.find((one) => one.sale === sale && one.lot === lot) as Rp2Match);
    }
  }
});

const numberOf = (matchId: string | null): number => Number(matchId?.slice(1));

function expectNear({ quantity, openValue, openFee, gross, closeFee }: Match, told: Rp2Match): void {
  const pairs = [
    [quantity, told.quantity],
    [openValue.plus(openFee), told.cost],
    [gross.minus(openFee).minus(closeFee), told.gain],
  ] as const;
  for (const [ours, theirs] of pairs) {
    const off = magnitude(subtract(rationalOf(ours), read(theirs)));
    expect(compare(off, NEAR)).not.toBe(1);
  }
}

/** Runs rp2 once, in a folder of its own, because it writes a log where it runs. */
async function ask(
  python: string,
  cases: readonly { readonly fills: readonly Fill[]; readonly method: string }[],
): Promise<Rp2Match[][]> {
  const folder = await mkdtemp(join(tmpdir(), "fillbook-rp2-"));
  try {
    const child = spawn(python, [join(import.meta.dirname, "lots.py")], { cwd: folder });
    child.stdin.end(
      JSON.stringify(
        cases.map(({ fills, method }) => ({
          method,
          fills: fills.map(({ side, quantity, price, fee, txCreated }) => ({
            side,
            quantity,
            price,
            fee,
            time: isoTime(txCreated),
          })),
        })),
      ),
    );
    const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return out === "" ? expect.fail(problems) : JSON.parse(out);
  } finally {
    await rm(folder, { recursive: true });
  }
}
