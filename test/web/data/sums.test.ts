import fc from "fast-check";
import { expect, test } from "vitest";
import { sumChanges } from "../../../lambda/web/data/csv-changes.ts";
import { decimalText, rational, read, subtract } from "../../accounting/rational.ts";

const TOTALS = "currency,method,gross_pnl,fees_paid,funding\r\n";
const MONTHS = `month,${TOTALS}`;
function linesOf(...[before, after]: Parameters<typeof sumChanges>): string[] {
  return sumChanges(before, after).map(
    ({ currency, month, figure, before: was, after: is, difference }) =>
      `${currency} ${month} ${figure}: ${was} > ${is} = ${difference}`,
  );
}

const BEFORE = {
  totals: `${TOTALS}EUR,FIFO,1,0.5,\r\nUSD,FIFO,10.25,3,\r\n`,
  months: `${MONTHS}2025-01,USD,FIFO,4,1,\r\n2025-02,USD,FIFO,,2,\r\n`,
};
const CHANGES = [
  "EUR null gross_pnl: 1 >  = null",
  "EUR null fees_paid: 0.5 >  = null",
  "USD null gross_pnl: 10.25 > -0.75 = -11",
  "USD null fees_paid: 3 > 3 = 0",
  "USD null funding:  > 1 = null",
  "USD 2025-02 gross_pnl:  > 5 = null",
  "USD 2025-03 gross_pnl:  > 0 = null",
  "USD 2025-03 fees_paid:  > 0.1 = null",
];

test("compares currencies always and months if they differ, each by its pack's chosen method", () => {
  const after = {
    totals: `${TOTALS}USD,Average cost,-0.75,3,1\r\n`,
    months: `${MONTHS}2025-01,USD,Average cost,4,1,\r\n2025-02,USD,Average cost,5,2,\r\n2025-03,USD,Average cost,0,0.1,\r\n`,
  };
  expect(linesOf(BEFORE, after)).toEqual(CHANGES);
});

test("differences are exact, as in fractions; a text that is not an amount has none", () => {
  const amount = fc
    .tuple(fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }), fc.integer({ min: 0, max: 36 }))
    .map(([digits, places]) => decimalText(rational(digits, 10n ** BigInt(places))));
  const gross = (text: string) => ({ totals: `${TOTALS}USD,FIFO,${text},,\r\n`, months: MONTHS });
  fc.assert(
    fc.property(amount, amount, (before, after) => {
      const [change] = sumChanges(gross(before), gross(after));
      expect(change).toMatchObject({ before, after, difference: decimalText(subtract(read(after), read(before))) });
    }),
  );
  expect(sumChanges(gross(`0.${"1".repeat(37)}`), gross("1"))[0]?.difference).toBeNull();
  expect(sumChanges({ totals: "\uFEFF", months: null }, { totals: "x\r\n", months: null })).toEqual([]);
});

test("first stands the net with which each pack's page begins, where one of them includes funding", () => {
  const head = "currency,fills,realised_pnl_net_of_fees_excl_funding,realised_pnl_net_incl_funding,funding\r\n";
  const pack = (...rows: readonly string[]) => ({ totals: head + rows.join("\r\n"), months: null });
  const [without, added] = [pack("USD,3,10,,"), pack("USD,3,10,7,-3")];
  expect(linesOf(without, added)[0]).toBe("USD null net_with_funding_added: 10 > 7 = -3");
  expect(linesOf(added, without)[0]).toBe("USD null net_with_funding_dropped: 7 > 10 = 3");
  expect(linesOf(added, pack("USD,3,10,8,-2"))[0]).toBe("USD null net_incl_funding: 7 > 8 = 1");
  expect(linesOf(pack(), added)[0]).toBe("USD null net_incl_funding:  > 7 = null");
  expect(linesOf(without, without)[0]).toBe("USD null realised_pnl_net_of_fees_excl_funding: 10 > 10 = 0");
});

test("currencies come by their fills, the most first, as in the report", () => {
  const totals = "currency,fills,gross_pnl\r\nUSD,3,1\r\nUSDT,40,1\r\n";
  const shown = sumChanges({ totals, months: null }, { totals, months: null });
  expect([...new Set(shown.map(({ currency }) => currency))]).toEqual(["USDT", "USD"]);
});
