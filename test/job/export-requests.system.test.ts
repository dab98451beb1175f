import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { customPeriod } from "../../lambda/core/period.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { type History, makeHistory } from "../emulator/history.ts";
import { exportRequest } from "../support/exports.ts";
import { makeBench } from "../support/job.ts";

// The requests of an export of two days into a new archive, for an account with 1,000 fills a day. A page
// holds 100 fills.

const PERIOD = customPeriod("2025-03-10", "2025-03-12");
const DENSE = makeHistory({ seed: 1, fills: 5000, from: PERIOD.from - 1.5 * DAY_MS, to: PERIOD.to + 1.5 * DAY_MS });

let inputsDir: string;

beforeAll(() => {
  inputsDir = mkdtempSync(join(tmpdir(), "fillbook-inputs-"));
  const all = "market,quantity,average_price,as_of,evidence\n*,0,,2025-03-10,statement of the venue\n";
  writeFileSync(join(inputsDir, "opening-positions.csv"), all);
});

afterAll(() => rmSync(inputsDir, { recursive: true }));

/** The least number of pages that hold the account's fills. */
function pages({ times }: History): number {
  return Math.ceil(times.length / 100);
}

async function requestsOf(history: History, more: { readonly inputsDir?: string } = {}) {
  const { job } = makeBench({ history });
  const { complete, files } = await exportPack(job, { ...exportRequest(PERIOD), ...more });
  const fills = files.find(({ path }) => path === "fills.csv")?.rows;
  return { complete, fills, requests: job.reader.counts.requests };
}

describe("an export of two dense days", () => {
  test("that needs no history reads a week on both sides: at most 2.6 times the least requests, and 12 for silence", async () => {
    const { complete, requests } = await requestsOf(DENSE, { inputsDir });
    expect(complete).toBe(true);
    expect(requests).toBeLessThanOrEqual(12 + Math.ceil(2.6 * pages(DENSE)));
  });

  test("that needs the history reads ten empty years in 310 requests more", async () => {
    const { complete, requests } = await requestsOf(DENSE);
    expect(complete).toBe(true);
    expect(requests).toBeLessThanOrEqual(310 + Math.ceil(2.6 * pages(DENSE)));
  });
});
