import { expect, test } from "vitest";
import { monthlyTable, resultLines } from "./monthly.ts";
import { addUp, differences, type Row, summaryFigures } from "./pack-figures.ts";

const ZONE = "America/New_York";

// 04:30 UTC on the first of March is still February in New York.
const fills: Row[] = [
  {
    filled_at: "2025-03-01T04:30:00.000Z",
    tx_created: "2025-03-01T04:29:59.999Z",
    notional: "100.25",
    fee_currency: "USD",
  },
  { filled_at: "", tx_created: "2025-03-02T12:00:00.000Z", notional: "101.5", fee_currency: "USD" },
];
const closes: Row[] = [
  {
    closed_at: "2025-03-02T12:00:00.000Z",
    currency: "USD",
    gross_pnl: "1.25",
    open_fee: "-0.01",
    close_fee: "0.05",
    status: "known",
  },
  {
    closed_at: "2025-03-02T13:00:00.000Z",
    currency: "USD",
    gross_pnl: "",
    open_fee: "",
    close_fee: "0.05",
    status: "unsupported_contract_type",
  },
];
const payments: Row[] = [{ time: "2025-03-02T08:00:00.000Z", currency: "USD", amount: "-0.205" }];

function summaryRow(more: Row): Row {
  const zero = { fills: "0", volume: "0", gross_pnl: "0", fees_recognised: "0", funding: "0" };
  return { currency: "USD", ...zero, realised_pnl_net_incl_funding: "0", ...more };
}

const SUMS = { gross_pnl: "1.25", fees_recognised: "0.04", funding: "-0.205", realised_pnl_net_incl_funding: "1.005" };

const SUMMARY = summaryFigures(
  [
    summaryRow({ month: "2025-02", fills: "1", volume: "100.25" }),
    summaryRow({ month: "2025-03", fills: "1", volume: "101.5", ...SUMS }),
  ],
  [summaryRow({ fills: "2", volume: "201.75", ...SUMS })],
);

test("a summary that its rows add up to has no differences", () => {
  expect(differences(SUMMARY, addUp({ fills, closes, payments }, ZONE))).toEqual([]);
});

const [known = {}, unknown = {}] = closes;

test.each([
  ["a close is a hair larger", { closes: [{ ...known, gross_pnl: "1.250000000000000001" }, unknown] }, 4],
  ["a fill is missing", { fills: fills.slice(1) }, 8],
  ["a payment is missing", { payments: [] }, 4],
])("%s: each changed figure is named", (_, change, figures) => {
  const found = differences(SUMMARY, addUp({ fills, closes, payments, ...change }, ZONE));
  expect(found).toHaveLength(figures);
});

test("the table has one line per month and then the total, rounded half to even", () => {
  const lines = monthlyTable(SUMMARY).map((line) => line.trim().split(/\s+/));
  expect(lines).toEqual([
    ["month", "fills", "volume", "gross", "PnL", "fees", "funding", "net", "PnL"],
    ["2025-02", "USD", "1", "100.25", "0.00", "0.00", "0.00", "0.00"],
    ["2025-03", "USD", "1", "101.50", "1.25", "0.04", "-0.20", "1.00"],
    ["all", "USD", "2", "201.75", "1.25", "0.04", "-0.20", "1.00"],
  ]);
});

test("the result has one line per currency with gross PnL, fees, funding and net PnL", () => {
  expect(resultLines(SUMMARY, new Map()).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["fills", "gross realised", "fees", "funding", "net realised"],
    ["USD", "2", "1.25", "0.04", "-0.20", "1.00"],
  ]);
  expect(resultLines(SUMMARY, new Map([["USD", 193]]))[1]).toMatch(
    / 1\.00 {2}\(partial total: the PnL of 193 closes could not be calculated\)$/,
  );
});
