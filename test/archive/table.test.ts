import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { tableKey } from "../../lambda/archive/keys.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { tableMonths, verifyTable, writeTable } from "../../lambda/archive/table.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { fillOfRow } from "../../lambda/formats/row.ts";
import { temporaryFolder } from "../leftovers.ts";
import { duckdb } from "../support/duckdb.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { DONE, fileOnce, fillOn, MARCH, opened } from "./filed.ts";

const RANGE = { from: MARCH.from, to: Date.UTC(2025, 4, 1) };

/** `table/` on disk, as an engine's glob. */
async function onDisk(store: MemoryStore): Promise<string> {
  const root = temporaryFolder();
  for (const [key, body] of [...store.snapshot()].filter(([name]) => name.startsWith("table/"))) {
    await mkdir(dirname(join(root, key)), { recursive: true });
    await writeFile(join(root, key), body);
  }
  return `read_parquet('${root}/table/**/*.parquet', hive_partitioning = true)`;
}

async function findings(store: MemoryStore) {
  const { manifest } = await readArchive(store, "main");
  const months = tableMonths(manifest, null).map((month) => verifyTable(store, manifest, month));
  return (await Promise.all(months)).flat();
}

const keys = (store: MemoryStore) => [...store.snapshot().keys()].filter((key) => key.startsWith("table/"));
const MARCH_KEY = tableKey("main", "2025-03");

/** What an engine must see: amounts as exact decimals, what a column cannot hold in `extra`. */
const EXTREMES: readonly [fields: Record<string, unknown>, cells: Record<string, unknown>][] = [
  [{ price: "0.000000000000000001", quantity: "99999999999999999999" }, { notional: "99.999999999999999999" }],
  [
    { price: "1e-19", fees: "1e-7" },
    { price: null, fee: "0.000000100000000000", notional: null },
  ],
  [{ positionSide: "long", 'a"b': [1, "é漢"] }, {}],
];

const COLUMNS: Readonly<Record<string, string>> = { fees: "fee", triggerPrice: "trigger_price" };

describe("a month's file", () => {
  test("equals the archive, for DuckDB: every fill once, amounts exact, extremes too", async () => {
    const store = memoryStore();
    const fills = EXTREMES.map(([fields], place) => {
      const row = JSON.parse(fillOn(1 + 20 * place).row);
      return fillOfRow(JSON.stringify({ ...row, ...fields }));
    });
    await fileOnce(store, fills, RANGE);
    expect(keys(store)).toEqual([MARCH_KEY, tableKey("main", "2025-04")]);
    const rows = await duckdb(
      `SELECT * REPLACE (epoch_ms(tx_created) AS tx_created, epoch_ms(filled_at) AS filled_at) FROM ${await onDisk(store)} ORDER BY tx_created`,
    );
    expect(rows).toHaveLength(EXTREMES.length);
    for (const [place, row] of rows.entries()) {
      const fill = fills[place] as Fill;
      const [fields = {}, cells = {}] = EXTREMES[place] ?? [];
      const times = { tx_created: String(fill.txCreated), filled_at: String(fill.filledAt) };
      expect(row).toMatchObject({
        ...times,
        match_id: fill.matchId,
        order_id: fill.orderId,
        account: "main",
        ...cells,
      });
      expect(row["month"]).toBe(new Date(fill.txCreated).toISOString().slice(0, 7));
      const kept = String(row["extra"] ?? "");
      const untyped = Object.entries(fields).filter(([name]) => (row[COLUMNS[name] ?? name] ?? null) === null);
      expect(untyped.filter(([, value]) => !kept.includes(JSON.stringify(value)) && value !== null)).toEqual([]);
    }
    const types = await duckdb(`DESCRIBE SELECT * FROM ${await onDisk(store)}`);
    const typeOf = Object.fromEntries(types.map((one) => [one["column_name"], one["column_type"]]));
    expect(typeOf).toMatchObject({
      tx_created: "TIMESTAMP WITH TIME ZONE",
      price: "DECIMAL(38,18)",
      notional: "DECIMAL(38,18)",
      extra: "VARCHAR",
    });
  });

  test("is the same whatever the fills came in, and is not written again if nothing has changed", async () => {
    const [one, other] = [memoryStore(), memoryStore()];
    await fileOnce(one, [fillOn(1), fillOn(2)], RANGE);
    const { session } = await opened(other);
    session.file({ fills: [fillOn(2)], covers: null });
    session.file({ fills: [fillOn(1)], covers: { ...RANGE, readings: 1, silentIn: null } });
    await session.end(DONE);
    expect(other.snapshot().get(MARCH_KEY)).toEqual(one.snapshot().get(MARCH_KEY));
    const watched = faultyStore(one, () => "ok");
    await fileOnce(watched, [fillOn(1)], RANGE);
    expect(watched.operations.filter(({ key, method }) => key.startsWith("table/") && method === "replaceIf")).toEqual(
      [],
    );
  });

  test("is replaced when a fill comes late, changes, or goes to another month", async () => {
    const store = memoryStore();
    const sum = async () => {
      const rows = await duckdb(
        `SELECT month, count(*)::INT AS n, sum(fee)::VARCHAR AS fee FROM ${await onDisk(store)} GROUP BY month ORDER BY month`,
      );
      return rows.map(({ month, n, fee }) => [month, n, Number(fee)]);
    };
    await fileOnce(store, [fillOn(1, { fee: "1" }), fillOn(3, { fee: "5" }), fillOn(40, { fee: "2" })], RANGE);
    await fileOnce(store, [fillOn(1, { fee: "3" }), fillOn(2, { fee: "4" })], RANGE);
    expect(await sum()).toEqual([
      ["2025-03", 3, 12],
      ["2025-04", 1, 2],
    ]);
    const { session } = await opened(store);
    session.file({ fills: [fillOn(41, { matchId: "m-3", fee: "5" })], moved: [fillOn(3, { fee: "5" })], covers: null });
    await session.end(DONE);
    expect(await sum()).toEqual([
      ["2025-03", 2, 7],
      ["2025-04", 2, 7],
    ]);
  });

  test("whose last fill has gone shows none", async () => {
    const store = memoryStore();
    await fileOnce(store, [fillOn(3), fillOn(40)], RANGE);
    const { session } = await opened(store);
    session.file({ fills: [fillOn(41, { matchId: "m-3" })], moved: [fillOn(3)], covers: null });
    await session.end(DONE);
    expect(await duckdb(`SELECT match_id FROM ${await onDisk(store)} ORDER BY tx_created`)).toEqual([
      { match_id: "m-40" },
      { match_id: "m-3" },
    ]);
    expect(await findings(store)).toEqual([]);
  });
});

test("a run that is killed before it has written the table: the next sync does, whatever it reads itself", async () => {
  const store = memoryStore();
  await fileOnce(store, [fillOn(1), fillOn(40)], RANGE);
  const dying = faultyStore(store, ({ key, method }) =>
    method === "replaceIf" && key.startsWith("table/") ? "kill-before" : "ok",
  );
  await fileOnce(dying, [fillOn(2), fillOn(41)], RANGE).catch(() => undefined);
  expect(dying.killed).toBe(true);
  expect(await findings(store)).toHaveLength(2);
  await fileOnce(store, [], { from: RANGE.to, to: RANGE.to + DAY_MS });
  expect(await findings(store)).toEqual([]);
  expect(await duckdb(`SELECT count(*)::INT AS n FROM ${await onDisk(store)}`)).toEqual([{ n: 4 }]);
});

test("a file of a newer manifest is never written over, nor removed, and verify does not call that a fault", async () => {
  const store = memoryStore();
  await fileOnce(store, [fillOn(1)], RANGE);
  const { manifest: older } = await readArchive(store, "main");
  await fileOnce(store, [fillOn(2), fillOn(40)], RANGE);
  const before = store.snapshot();
  await writeTable(store, older, "all");
  expect(store.snapshot()).toEqual(before);
  expect(await verifyTable(store, older, tableMonths(older, MARCH)[0] ?? expect.fail("no month"))).toEqual([]);
});

test.each<[string, (body: Uint8Array) => Uint8Array]>([
  ["cut short", (body) => body.slice(0, -9)],
  ["another month's", (body) => body.slice(0, 4)],
  ["empty", () => new Uint8Array()],
])("verify finds a file that is %s; without it, the next sync writes it again", async (_, change) => {
  const store = memoryStore();
  await fileOnce(store, [fillOn(1), fillOn(2)], RANGE);
  store.put(MARCH_KEY, change(store.snapshot().get(MARCH_KEY) ?? new Uint8Array()));
  expect(await findings(store)).toEqual([expect.stringContaining(`memory/${MARCH_KEY} is`)]);
  store.delete(MARCH_KEY);
  expect(await findings(store)).toHaveLength(1);
  await fileOnce(store, [], { from: RANGE.to, to: RANGE.to + DAY_MS });
  expect(await findings(store)).toEqual([]);
});
