import fc from "fast-check";
import { expect, test } from "vitest";
import { sumChanges } from "../../../lambda/web/data/comparison.ts";
import { decimalText, rational, read, subtract } from "../../accounting/rational.ts";

const HEAD = "currency,fills,method,realised_pnl_net_incl_funding,gross_pnl,fees_paid,funding\r\n";

test("compares each currency, the one with the most fills first; what neither pack knows is left out", () => {
  const before = `${HEAD}EUR,1,FIFO,,1,0.5,\r\nUSD,3,FIFO,,10.25,3,\r\n`;
  const after = `${HEAD}USD,3,Average cost,-2,-0.75,3,1\r\n`;
  const lines = sumChanges(before, after).map(
    (one) => `${one.currency} ${one.figure}: ${one.before} > ${one.after} = ${one.difference}`,
  );
  expect(lines).toEqual([
    "USD realised_pnl_net_incl_funding:  > -2 = null",
    "USD gross_pnl: 10.25 > -0.75 = -11",
    "USD fees_paid: 3 > 3 = 0",
    "USD funding:  > 1 = null",
    "EUR gross_pnl: 1 >  = null",
    "EUR fees_paid: 0.5 >  = null",
  ]);
});

test("differences are exact, as in fractions; a text that is not an amount has none", () => {
  const amount = fc
    .tuple(fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }), fc.integer({ min: 0, max: 36 }))
    .map(([digits, places]) => decimalText(rational(digits, 10n ** BigInt(places))));
  const gross = (text: string) => `${HEAD}USD,1,FIFO,,${text},,\r\n`;
  fc.assert(
    fc.property(amount, amount, (before, after) => {
      const [change] = sumChanges(gross(before), gross(after));
      expect(change).toMatchObject({ before, after, difference: decimalText(subtract(read(after), read(before))) });
    }),
  );
  expect(sumChanges(gross(`0.${"1".repeat(37)}`), gross("1"))[0]?.difference).toBeNull();
  expect(sumChanges("\uFEFF", "x\r\n")).toEqual([]);
});
