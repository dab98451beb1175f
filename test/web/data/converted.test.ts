import { expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { readPackText } from "../../../lambda/web/data/pack-files.ts";
import { makeHistory } from "../../emulator/history.ts";
import { exportRequest } from "../../support/exports.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { findPack, storesIn } from "./hand-written.ts";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const RATES = ["date,base,quote,rate,source", ...["USD", "USDC", "USDT"].map((base) => `2025,${base},EUR,0.8,mine`)];
const FUNDING = ["time,market,amount,currency,source", "2025-06-01,BTC-USD,12.5,USD,mine"];

test.each([
  ["without funding", []],
  ["with funding", [["main/inputs/funding.csv", FUNDING]]],
] as const)("the figure of a pack's page is the one at the top of its report: %s", async (_, inputs) => {
  const store = memoryStore();
  for (const [key, lines] of [["main/inputs/rates/mine.csv", RATES] as const, ...inputs]) {
    store.put(key, Buffer.from(lines.join("\n")));
  }
  const { job } = makeBench({ history: makeHistory({ seed: 7, fills: 400, ...YEAR }), job: { store } });
  const request = { ...exportRequest(parsePeriod("calendar-2025")), currency: "EUR" };
  const { dir } = await exportPack(job, request);
  const stores = storesIn(store);
  const version = dir?.split("/").at(-1) ?? "";
  const pack = (await findPack(stores, "calendar-2025", version)) ?? expect.fail("no pack");
  const report = (await readPackText(stores, pack, "report.html")) ?? "";
  const [, exact = ""] =
    /<table id="statement-converted">.*?<strong>Net realised PnL.*?<data value="([-\d.]+)"/s.exec(report) ?? [];
  const funding = inputs.length > 0 ? "included" : "excluded";
  expect(pack.claim.accounts.net_realised_pnl).toEqual([{ currency: "EUR", amount: exact, funding, partial: false }]);
});
