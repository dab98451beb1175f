import { expect, test } from "vitest";
import { customPeriod } from "../../lambda/core/period.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { makeHistory } from "../emulator/history.ts";
import { exportRequest, putAll } from "../support/exports.ts";
import { makeBench } from "../support/job.ts";

// The requests of an export of two days into a new archive, for an account with 1,000 fills a day. A page
// holds 100 fills.

const PERIOD = customPeriod("2025-03-10", "2025-03-12");
const DENSE = makeHistory({ seed: 1, fills: 5000, from: PERIOD.from - 1.5 * DAY_MS, to: PERIOD.to + 1.5 * DAY_MS });

const NOTHING_OPEN = "market,quantity,average_price,as_of,evidence\n*,0,,2025-03-10,statement of the venue\n";

test.each([
  ["no history reads a week on both sides: at most 2.6 times the least requests, and 12 for silence", true, 12],
  ["the history reads ten empty years in 310 requests more", false, 310],
])("an export of two dense days that needs %s", async (_, isDeclared, more) => {
  const { job } = makeBench({ history: DENSE });
  await putAll(job.store, isDeclared ? { "main/inputs/opening-positions.csv": NOTHING_OPEN } : {});
  expect(await exportPack(job, exportRequest(PERIOD))).toMatchObject({ complete: true });
  // The least number of pages that hold the account's fills is a hundredth of them.
  expect(job.reader.counts.requests).toBeLessThanOrEqual(more + Math.ceil(2.6 * Math.ceil(DENSE.count / 100)));
});
