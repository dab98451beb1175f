import { describe, expect, test } from "vitest";
import { readRestatements } from "../../lambda/archive/restatements.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import { customPeriod } from "../../lambda/core/period.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import type { ExportResult } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { exportRequest, putAll } from "../support/exports.ts";
import { away, makeBench, NOW } from "../support/job.ts";
import { readCurrent } from "../support/published.ts";

const JOB = { lookBackMs: 7 * DAY_MS };
const HISTORY = makeHistory({ seed: 41, fills: 1800, from: NOW - 60 * DAY_MS, to: NOW, ties: 20 });

describe("an export", () => {
  const PERIOD = customPeriod("2026-01-01", "2026-01-30", "UTC");
  const REQUEST = exportRequest(PERIOD);

  async function exportedThenLate() {
    const isHeld = ({ txCreated }: CompletedOrder) => txCreated > NOW - 6 * DAY_MS && txCreated < NOW - 5 * DAY_MS;
    const items = Array.from({ length: HISTORY.count }, (_, index) => HISTORY.item(index));
    const early = historyOf(items.filter((item) => !isHeld(item)));
    const first = makeBench({ history: early, job: JOB });
    const before = await exportPack(first.job, REQUEST);
    const bench = makeBench({ history: HISTORY, job: { ...JOB, store: first.job.store } });
    return { before, bench };
  }

  const rowsOf = ({ files }: ExportResult) => files.find(({ path }) => path === "fills.csv")?.rows ?? 0;

  test("made again 13 hours later looks back at its period's newest days, though no sync ever does", async () => {
    const { before, bench } = await exportedThenLate();
    await bench.clock.sleep(13 * HOUR_MS);
    const after = await exportPack(bench.job, REQUEST);
    expect(after).toMatchObject({ complete: true });
    expect(rowsOf(after) - rowsOf(before)).toBeGreaterThan(20);
  });

  test("of the next month looks back at the end of the previous month, which its accounts continue", async () => {
    const { bench } = await exportedThenLate();
    await bench.clock.sleep(29 * DAY_MS);
    const period = customPeriod("2026-02-01", "2026-03-01", "UTC");
    expect(await exportPack(bench.job, { ...REQUEST, period })).toMatchObject({ complete: true });
    const { restatements } = await readCurrent(bench.job.store, "main");
    const late = await Promise.all(restatements.map((file) => readRestatements(bench.job.store, "main", file)));
    expect(late.flat().length).toBeGreaterThan(20);
  });

  test.each(["usage", "token", "incomplete"] as const)(
    "that cannot ask (%s) uses what is covered and says as of when; the next export asks",
    async (kind) => {
      const { before, bench } = await exportedThenLate();
      await bench.clock.sleep(13 * HOUR_MS);
      const offline = await exportPack(away(bench.job, new FillbookError(kind, "cannot ask")), REQUEST);
      expect(offline).toMatchObject({ complete: true, problem: null });
      expect(offline.files).toEqual(before.files);
      expect(offline.notes[0]).toContain(
        "(cannot ask): the pack lacks fills that were added or changed since 2026-02-01T00:00:00.000Z",
      );
      expect(rowsOf(await exportPack(bench.job, REQUEST)) - rowsOf(before)).toBeGreaterThan(20);
    },
  );

  test("that cannot ask is not complete where the archive ends with the period, and trades are filed later", async () => {
    const { job } = makeBench({ history: HISTORY, job: JOB });
    await syncArchive(job, { to: PERIOD.to });
    const offline = away(job, new FillbookError("token", "cannot ask"));
    expect(await exportPack(offline, REQUEST)).toMatchObject({
      complete: false,
      problem: { kind: "token" },
      dir: null,
    });
    await syncArchive(job, { to: PERIOD.to + HOUR_MS });
    expect(await exportPack(offline, REQUEST)).toMatchObject({ complete: true });
  });
});

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
