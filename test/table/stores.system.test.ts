import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { openS3Store } from "../../lambda/storage/s3.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { historyItems, historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { DeltaRs } from "../support/delta-rs.ts";
import { makeBench, NOW } from "../support/job.ts";
import { startS3Double } from "../support/s3-double/server.ts";
import { decimalText, unitsOf } from "./truth.ts";

// delta-rs reads archives in real stores, in place, and finds what the service has.

let deltaRs: DeltaRs;
beforeAll(async () => {
  deltaRs = await DeltaRs.start();
}, 300_000);
afterAll(() => deltaRs.stop());

const RANGE = { from: NOW - 90 * DAY_MS };
const ITEMS = [...historyItems(makeHistory({ seed: 8, fills: 900, from: RANGE.from, to: NOW - DAY_MS, markets: 3 }))];

/** What the service showed first: some fills were still missing, and some had another fee. */
const EARLIER = ITEMS.filter((_, index) => index % 7 !== 3).map((item, index) =>
  index % 11 === 5 ? { ...item, fees: "0.777" } : item,
);

async function sync(store: Store, items: readonly CompletedOrder[]): Promise<void> {
  const { job } = makeBench({ history: historyOf(items), job: { store, deltaLog: true, lookBackMs: 365 * DAY_MS } });
  expect(await syncArchive(job, RANGE)).toMatchObject({ complete: true, deltaLogProblem: null });
}

const SQL = `SELECT match_id, order_id, market, side, CAST(quantity AS varchar), CAST(price AS varchar), CAST(fee AS varchar),
  CAST(CAST(tx_created AS bigint) AS varchar), CAST(CAST(filled_at AS bigint) AS varchar), account, month
  FROM fills ORDER BY match_id, order_id`;

function rowsOf(items: readonly CompletedOrder[]): readonly (readonly (string | null)[])[] {
  const decimal = (text: string) => decimalText(unitsOf(text) ?? 0n);
  return items
    .map(({ matchId, orderId, market, orderType, quantity, price, fees, txCreated, filledAt }) => [
      ...[matchId, orderId, market, orderType, ...[quantity, price, fees].map(decimal)],
      ...[`${txCreated}000`, filledAt === undefined ? null : `${filledAt}000`, "main"],
      new Date(txCreated).toISOString().slice(0, 7),
    ])
    .sort(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1));
}

async function expectTruth(store: Store, table: string, options?: Readonly<Record<string, string>>): Promise<void> {
  await sync(store, EARLIER);
  expect((await deltaRs.read(table, SQL, options)).rows).toEqual(rowsOf(EARLIER));
  await sync(store, ITEMS);
  const { rows, version } = await deltaRs.read(table, SQL, options);
  expect(rows).toEqual(rowsOf(ITEMS));
  expect(version).toBe(1);
}

describe("delta-rs reads", () => {
  test("a folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fillbook-delta-folder-"));
    try {
      const [store, table] = [openFolderStore(folder), join(folder, "main/fills")];
      await expectTruth(store, table);
      // The next run undoes what another program has done to the table.
      const { files } = await deltaRs.read(table);
      const { files: left } = await deltaRs.delete(table, "month = '2025-12'");
      expect(left.length).toBeLessThan(files.length);
      await sync(store, ITEMS);
      expect((await deltaRs.read(table, SQL)).rows).toEqual(rowsOf(ITEMS));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("S3", async () => {
    const double = await startS3Double({ bucket: "books" });
    try {
      const { region, credentials } = double.client;
      await expectTruth(
        openS3Store({ bucket: "books", prefix: "all", client: double.client }),
        "s3://books/all/main/fills",
        {
          AWS_ENDPOINT_URL: double.endpoint,
          AWS_ALLOW_HTTP: "true",
          AWS_REGION: region,
          AWS_ACCESS_KEY_ID: credentials.accessKeyId,
          AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        },
      );
    } finally {
      await double.close();
    }
  });
});
