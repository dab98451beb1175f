import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { makeHistory } from "../emulator/history.ts";
import { temporaryFolder } from "../leftovers.ts";
import { makeBench } from "../support/job.ts";
import { installPython } from "../support/python-tool.ts";

/** Reads `table/` as a Hive-partitioned data set, in two ways, and tells what it sees. */
const SCRIPT = `
import json, sys
import pandas, pyarrow.dataset
root = sys.argv[1]
table = pyarrow.dataset.dataset(root, format="parquet", partitioning="hive").to_table()
frame = pandas.read_parquet(root)
months = frame.groupby("month", observed=True).size()
print(json.dumps({
    "types": {field.name: str(field.type) for field in table.schema},
    "rows": [table.num_rows, len(frame)],
    "months": {str(month): int(count) for month, count in months.items()},
    "ids": sorted(frame["match_id"] + " " + frame["order_id"]),
    "accounts": sorted({str(one) for one in frame["account"]}),
}))
`;

test("pandas and pyarrow read table/ as one data set, partitioned by account and month", async ({ skip }) => {
  const installed = await installPython(join(import.meta.dirname, "table-requirements.txt"));
  if ("missing" in installed) {
    return skip(installed.missing);
  }
  const root = temporaryFolder();
  const history = makeHistory({ seed: 2, fills: 500, from: Date.UTC(2025, 0, 10), to: Date.UTC(2025, 3, 20) });
  const { job, emulator } = makeBench({ history, job: { store: openFolderStore(root) } });
  expect(await syncArchive(job, { from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 4, 1) })).toMatchObject({
    complete: true,
  });
  const { stdout } = await promisify(execFile)(installed.python, ["-c", SCRIPT, join(root, "table")], {
    maxBuffer: 1e8,
  });
  const told = JSON.parse(stdout);
  const truth = [...emulator.truth().values()];
  expect(told.rows).toEqual([500, 500]);
  expect(told.ids).toEqual(truth.map(({ matchId, orderId }) => `${matchId} ${orderId}`).sort());
  expect(told.accounts).toEqual(["main"]);
  const months = Map.groupBy(truth, ({ txCreated }) => new Date(txCreated).toISOString().slice(0, 7));
  expect(told.months).toEqual(Object.fromEntries([...months].map(([month, fills]) => [month, fills.length])));
  expect(told.types).toMatchObject({
    tx_created: "timestamp[ms, tz=UTC]",
    price: "decimal128(38, 18)",
    fee: "decimal128(38, 18)",
    market: "string",
    extra: "string",
  });
});
