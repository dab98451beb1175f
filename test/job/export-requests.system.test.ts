import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { customPeriod } from "../../lambda/core/period.ts";
import { DAY_MS, MINUTE_MS } from "../../lambda/core/time.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { type History, historyItems, historyOf, makeHistory } from "../emulator/history.ts";
import { exportRequest } from "../support/export-request.ts";
import { makeBench } from "../support/job.ts";

// The requests of an export of two days into a new archive, for an account with 5,400 fills a day. A page
// holds 100 fills.

const PERIOD = customPeriod("2025-03-10", "2025-03-12");
const DENSE = makeHistory({ seed: 1, fills: 27_000, from: PERIOD.from - 1.5 * DAY_MS, to: PERIOD.to + 1.5 * DAY_MS });

let inputsDir: string;

beforeAll(() => {
  inputsDir = mkdtempSync(join(tmpdir(), "fillbook-inputs-"));
  const all = "market,quantity,average_price,as_of,evidence\n*,0,,2025-03-10,statement of the venue\n";
  writeFileSync(join(inputsDir, "opening-positions.csv"), all);
});

afterAll(() => rmSync(inputsDir, { recursive: true }));

/** The least number of pages that hold the account's fills of `[from, to)`. */
function pages(history: History, to: number, from = 0): number {
  return Math.ceil(history.times.filter((time) => from <= time && time < to).length / 100);
}

async function requestsOf(history: History, more: { readonly inputsDir?: string } = {}) {
  const { job } = makeBench({ history });
  const { complete, files } = await exportPack(job, { ...exportRequest(PERIOD), ...more });
  const fills = files.find(({ path }) => path === "fills.csv")?.rows;
  return { complete, fills, requests: job.reader.counts.requests };
}

describe("an export of two dense days", () => {
  test("that needs no history sends at most 1.1 times the requests that its fills need", async () => {
    const { complete, requests } = await requestsOf(DENSE, { inputsDir });
    expect(complete).toBe(true);
    expect(requests).toBeLessThanOrEqual(Math.ceil(1.1 * pages(DENSE, PERIOD.to, PERIOD.from)));
  });

  test("that needs the history sends at most 1.1 times the requests that all fills before its end need, and 40 for ten empty years", async () => {
    const { complete, requests } = await requestsOf(DENSE);
    expect(complete).toBe(true);
    expect(requests).toBeLessThanOrEqual(40 + Math.ceil(1.1 * pages(DENSE, PERIOD.to)));
  });

  const outlying = (txCreated: number, filledAt: number) =>
    historyOf([...historyItems(DENSE), { ...DENSE.item(0), matchId: "outlying", txCreated, filledAt }]);
  const inPeriod = (history: History) =>
    [...historyItems(history)].filter(({ filledAt, txCreated }) => {
      const time = filledAt ?? txCreated;
      return PERIOD.from <= time && time < PERIOD.to;
    }).length;

  test.each([
    ["nearby", outlying(PERIOD.to + 20 * MINUTE_MS, PERIOD.to - 1)],
    ["a day away, if another fill of the period shows that this is possible", twoDaysApart()],
  ])("holds the fill that was created after its end and filled before it: %s", async (_, history) => {
    const { complete, fills } = await requestsOf(history, { inputsDir });
    expect({ complete, fills }).toEqual({ complete: true, fills: inPeriod(history) });
  });

  function twoDaysApart(): History {
    const seen = {
      ...DENSE.item(1),
      matchId: "seen",
      txCreated: PERIOD.from + DAY_MS,
      filledAt: PERIOD.from + DAY_MS / 2,
    };
    const away = { ...DENSE.item(0), matchId: "away", txCreated: PERIOD.to + DAY_MS - 1, filledAt: PERIOD.to - 1 };
    return historyOf([...historyItems(DENSE), seen, away]);
  }
});

test.each(["none", "mixed"] as const)(
  "few fills, or none with two times (%s), prove nothing: a day on both sides is read",
  async (filledAt) => {
    const sparse = makeHistory({
      seed: 2,
      fills: filledAt === "none" ? 2400 : 50,
      from: PERIOD.from - DAY_MS,
      to: PERIOD.to + DAY_MS,
      filledAt,
    });
    const away = { ...sparse.item(0), matchId: "away", txCreated: PERIOD.to + DAY_MS - 1, filledAt: PERIOD.to - 1 };
    const without = await requestsOf(sparse, { inputsDir });
    const { complete, fills } = await requestsOf(historyOf([...historyItems(sparse), away]), { inputsDir });
    expect(complete).toBe(true);
    expect(fills).toBe((without.fills ?? 0) + 1);
  },
);
