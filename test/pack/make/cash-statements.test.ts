import { expect, test } from "vitest";
import type { Inputs } from "../../../lambda/inputs/inputs.ts";
import type { StatedBalance } from "../../../lambda/inputs/tables.ts";
import { fillsFrom } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { NO_INPUTS } from "../inputs.ts";
import { bytesOf, MARCH, packOf, WIDE } from "../pack.ts";
import { squeezed, statementText } from "../report/statement-text.ts";

// The statement says of cash only what was compared; a difference is a point to note. Gross 10, fees 0.43: the cash
// grows by 9.57. Rows: test/pack/tables/balance.test.ts.

const stated = (time: number, amount: string, currency = "USDT"): StatedBalance => ({
  ...{ time, currency, note: "" },
  amount: exactly(amount),
});
/** At both ends of the period. */
const ends = (opening: string, closing: string, currency?: string) => [
  stated(MARCH.from, opening, currency),
  stated(MARCH.to, closing, currency),
];
const MIDDLE = Date.UTC(2025, 2, 10); // after both fills
/** Of the account, long before what was read. */
const UNKNOWN = { beginning: 0 };

const DIFFERS =
  "Cash in USDT differs by 104.57 from balances.csv: the statement for 2025-04-01 00:00 (UTC) says 5.00, but 109.57 is calculated from the statement for 2025-03-01 00:00 (UTC). Possible causes: no funding.csv was given; no transfers.csv was given; a fee or interest that the venue's fills do not show; a statement by another clock: a date alone is the start of that day in UTC. Add what is missing to your files, or correct balances.csv, and make the pack again.";

test.each<[string, Partial<Inputs>, object, readonly unknown[], string]>([
  [
    "cash that differs",
    { balances: ends("100", "5") },
    {},
    [DIFFERS],
    `${DIFFERS} See Reconciliation. Statements of cash (balances.csv): differ in USDT.`,
  ],
  [
    "only causes that are possible, and unknown fills among them",
    { funding: [], transfers: [], balances: ends("0", "1") },
    UNKNOWN,
    [
      expect.stringMatching(
        /^Cash .* says 1\.00, but -0\.43 is calculated .* Possible causes: the PnL or fee of 2 fills is not known; a fee or interest/,
      ),
      expect.stringMatching(/^BTC-USDT: PnL of 2 fills could not be calculated, /),
    ],
    "Statements of cash (balances.csv): differ in USDT (the PnL or fee of 2 fills is not known).",
  ],
  [
    "each currency once, by its largest difference",
    {
      balances: ends("100", "101")
        .toSpliced(1, 0, stated(MIDDLE, "100"))
        .concat(ends("7", "7", "EUR")),
    },
    {},
    [
      expect.stringMatching(
        /^Cash in USDT differs by 9\.57 from balances\.csv: the statement for 2025-03-10 00:00 \(UTC\) says 100\.00, but 109\.57 is .*; it also differs in 1 other range of time\. /,
      ),
      "balances.csv: 2 of its 5 rows are in EUR, in which nothing was booked",
    ],
    "Statements of cash (balances.csv): differ in USDT; agree in EUR.",
  ],
  [
    "less than a cent in all digits",
    { balances: ends("0", "9.571") },
    {},
    [expect.stringMatching(/differs by 0\.001 from balances\.csv: .* says 9\.571, but 9\.57 is/)],
    "Statements of cash (balances.csv): differ in USDT.",
  ],
  [
    "statements that agree",
    { balances: ends("100", "109.57") },
    {},
    [],
    "Controls: the pack's own sums of positions, cash and fees were compared with each other, market by market, wherever both sides are known (control-totals.csv). If a control fails, no pack is made. Statements of cash (balances.csv): agree in USDT.",
  ],
  [
    "a currency without money beside it",
    { balances: [...ends("0", "9.57"), stated(MARCH.from, "0", "EUR"), stated(MARCH.to, "0", "EUR")] },
    {},
    [],
    "Statements of cash (balances.csv): agree in EUR, USDT.",
  ],
  [
    "statements that agree although the PnL of fills is not known",
    { balances: ends("1", "0.57") }, // only the fees are known
    UNKNOWN,
    [expect.stringMatching(/^BTC-USDT: PnL of 2 fills could not be calculated, /)],
    "Statements of cash (balances.csv): agree in USDT (the PnL or fee of 2 fills is not known).",
  ],
  [
    "no statements",
    {},
    {},
    [],
    "Statements of cash: none were given for this period, so cash was not compared with the venue's.",
  ],
  [
    "statements for a part of the period, and one alone",
    { balances: [stated(MARCH.from, "0"), stated(MIDDLE, "9.57"), stated(MARCH.to, "1", "EUR")] },
    {},
    ["balances.csv: 1 of its 3 rows is in EUR, in which nothing was booked"],
    "Statements of cash (balances.csv): not compared in EUR (balances.csv has no statement for 2025-03-01 00:00 (UTC); the nearest statement in EUR is for 2025-04-01 00:00 (UTC)); agree for part of the period in USDT.",
  ],
])("%s", async (_, given, request, notes, statement) => {
  const store = memoryStore();
  const inputs = { ...NO_INPUTS, ...given };
  const own = { inputs, beginning: WIDE.from, isMethodChosen: true, ...request };
  const pack = await packOf(store, fillsFrom("B1@100/0.10 S1@110/0.33"), own);
  expect([pack.complete, pack.notes]).toEqual([true, notes]);
  const text = squeezed(statementText(bytesOf(store, pack, "report.html").toString()));
  for (const sentence of statement.split(/(?<=\.) (?=Statements of cash|See Reconciliation)/)) {
    expect(text).toContain(squeezed(sentence));
  }
});
