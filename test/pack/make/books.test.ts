import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { METHODS, methodsOf } from "../../../lambda/accounting/method.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { Books, type BooksPlan } from "../../../lambda/pack/make/books.ts";
import { DATE_BY, DATE_BY_NAMES } from "../../../lambda/pack/make/date-by.ts";
import { histories } from "../../accounting/draw.ts";
import { makeFill } from "../../support/make-fill.ts";
import { prepareArchive } from "../archive.ts";
import { NO_INPUTS } from "../inputs.ts";

async function periodOf(plan: BooksPlan, from: number, to: number) {
  const books = await Books.at(plan, from);
  const booked = (await Array.fromAsync(books.until(to))).flat();
  return { booked, after: books.stateAt(to - 1) };
}

const drawnFills = histories({ markets: ["BTC-USDT", "ETH-USD"], most: 60 }).map((fills) =>
  fills.map((fill, at) => makeFill({ ...fill, filledAt: fill.txCreated + ((at * 7) % 11) * 1000 - 5000 })),
);

test.prop([drawnFills, fc.constantFrom(...METHODS), fc.constantFrom(...DATE_BY_NAMES), fc.nat(59)], { numRuns: 150 })(
  "the accounts of a period equal the end of the accounts from the beginning",
  async (fills, method, basis, at) => {
    const times = fills.map(({ txCreated }) => txCreated);
    const all = { from: Math.min(...times) - DAY_MS, to: Math.max(...times) + DAY_MS };
    const own = { inputs: NO_INPUTS, contractTypes: new Map<string, string>(), since: Number.NEGATIVE_INFINITY };
    const plan = {
      accounts: [{ account: "main", ...prepareArchive(fills, 10 * DAY_MS, all), ...own }],
      basis: DATE_BY[basis],
      methods: methodsOf(method),
    };
    const from = (times[at % times.length] ?? 0) + 17;
    const [whole, period] = [await periodOf(plan, all.from, all.to), await periodOf(plan, from, all.to)];
    expect(period.booked).toEqual(whole.booked.filter(({ fill }) => plan.basis.timeOf(fill) >= from));
    expect(period.after).toEqual(whole.after);
  },
);
