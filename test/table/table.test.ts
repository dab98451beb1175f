import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SAVED_QUERIES, sqlOf, VIEWS } from "../../infra/table/queries.ts";
import { exportPack } from "../../lambda/flow/export.ts";
import { syncArchive } from "../../lambda/flow/sync.ts";
import type { Job } from "../../lambda/job.ts";
import { parsePeriod } from "../../lambda/model/period.ts";
import { DAY_MS } from "../../lambda/model/time.ts";
import { historyItems, historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { makeBench, NOW } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";
import { readCsv } from "../support/rfc4180.ts";
import { Athena, fillsTable, LOCATION } from "./athena.ts";
import {
  decimalText,
  grouped,
  notionalOf,
  quoteOf,
  rounded,
  Sum,
  tradedAt,
  tradeMonth,
  unitsOf,
  volumeOf,
} from "./truth.ts";

// An archive with everything in it that a reader must not see: parts that were replaced, and parts of runs that were killed.

const FROM = Date.UTC(2025, 10, 1);
const MIDDLE = Date.UTC(2025, 11, 20);
const TO = NOW - DAY_MS;

const store = memoryStore(LOCATION);
let athena: Athena;
let main: ReadonlyMap<string, CompletedOrder>;
let second: ReadonlyMap<string, CompletedOrder>;

/** Amounts that no column can hold, each in a fill of its own; the account has thousands that they can. */
const UNTYPED: readonly Partial<CompletedOrder>[] = [
  { fees: "0.1234567890123456789" },
  { quantity: "123456789012345678901" },
  { price: "1e3" },
  { price: "100000000000", quantity: "10000000000" },
];

function itemsOf(seed: number, fills: number): CompletedOrder[] {
  const history = makeHistory({ seed, fills, from: FROM, to: TO, markets: 6, ties: 20 });
  const items = [...historyItems(history)];
  return items.map((item, index) => ({ ...item, ...(index % 97 === 13 ? UNTYPED[((index / 97) % 4) | 0] : {}) }));
}

/** What the service showed at first: some fills were not there yet, and some had another fee. */
function earlier(items: readonly CompletedOrder[]): CompletedOrder[] {
  return items
    .filter((_, index) => index % 7 !== 3)
    .map((item, index) => (index % 11 === 5 ? { ...item, fees: "0.777" } : item));
}

function jobFor(account: string, items: readonly CompletedOrder[]) {
  const { job, emulator } = makeBench({ history: historyOf(items), switches: { pageLimit: 50 } });
  const own: Job = { ...job, account, store, partLists: true, lookBackMs: 365 * DAY_MS };
  return { job: own, truth: emulator.truth() };
}

async function build(account: string, items: readonly CompletedOrder[]): Promise<Map<string, CompletedOrder>> {
  const before = jobFor(account, earlier(items)).job;
  for (const to of [FROM + 10 * DAY_MS, MIDDLE]) {
    let heads = 0;
    const dying = faultyStore(store, ({ method, key }) => {
      heads += method === "replaceIf" && key.endsWith("head.json") ? 1 : 0;
      return heads === 2 ? "kill-before" : "ok";
    });
    await syncArchive({ ...before, store: dying }, { from: FROM, to }).catch(() => undefined);
  }
  expect(await syncArchive(before, { from: FROM, to: MIDDLE })).toMatchObject({ complete: true, listProblem: null });
  const { job, truth } = jobFor(account, items);
  const done = await syncArchive(job, { from: FROM });
  expect(done).toMatchObject({ complete: true, listProblem: null, fills: items.length });
  expect(done.restated).toBeGreaterThan(50);
  return truth;
}

beforeAll(async () => {
  main = await build("main", itemsOf(21, 2000));
  second = await build("second", itemsOf(22, 700));
  athena = await Athena.open(store, ["main", "second"], NOW);
}, 120_000);

afterAll(() => athena.close());

const allOf = (account: string) => [...(account === "main" ? main : second).values()];
const ACCOUNTS = ["main", "second"];

describe("the table", () => {
  test("has each fill once, where reading all files of the archive would show many twice", async () => {
    const [through] = await athena.query(
      "SELECT count(*) AS n, count(DISTINCT (account, match_id, order_id)) AS d FROM fills",
    );
    const files = join(athena.folder, "*/fills/**/*.parquet");
    const [plainly] = await athena.query(
      `SELECT count(*) AS n, count(DISTINCT (account, match_id, order_id)) AS d FROM read_parquet('${files}')`,
    );
    const fills = main.size + second.size;
    expect(through).toEqual({ n: String(fills), d: String(fills) });
    expect(Number(plainly?.["d"])).toBe(fills);
    expect(Number(plainly?.["n"])).toBeGreaterThan(1.3 * fills);
  });

  test.each(ACCOUNTS)("says of each fill of %s what the service says", async (account) => {
    const rows = await athena.query(
      `SELECT match_id, order_id, market, side, liquidity, trade_type, fill_type, trigger_type, transaction_hash, fee_currency,
        epoch_ms(tx_created) AS tx_created, epoch_ms(filled_at) AS filled_at, epoch_ms(traded_at) AS traded_at, month,
        coalesce(CAST(quantity AS varchar), quantity_text) AS quantity, coalesce(CAST(price AS varchar), price_text) AS price,
        coalesce(CAST(fee AS varchar), fee_text) AS fee, CAST(notional AS varchar) AS notional,
        CAST(volume AS varchar) AS volume, CAST(volume_rest AS varchar) AS volume_rest
      FROM fills_current WHERE account = '${account}' ORDER BY match_id, order_id`,
    );
    const shown = (text: string) => {
      const units = unitsOf(text);
      return units === null ? text : decimalText(units);
    };
    const truth = allOf(account).map((item) => {
      const [notional, volume] = [notionalOf(item), volumeOf(item)];
      return {
        match_id: item.matchId,
        order_id: item.orderId,
        market: item.market,
        side: item.orderType,
        liquidity: item.executionType,
        trade_type: item.tradeType,
        fill_type: item.fillType,
        trigger_type: item.triggerType,
        transaction_hash: item.transactionHash,
        fee_currency: quoteOf(item),
        tx_created: String(item.txCreated),
        filled_at: item.filledAt === undefined ? null : String(item.filledAt),
        traded_at: String(tradedAt(item)),
        month: new Date(item.txCreated).toISOString().slice(0, 7),
        quantity: shown(item.quantity),
        price: shown(item.price),
        fee: shown(item.fees),
        notional: notional === null ? null : decimalText(notional),
        volume: volume === null ? null : decimalText(volume / 10n ** 18n),
        volume_rest: `0.${String((volume ?? 0n) % 10n ** 18n).padStart(36, "0")}`,
      };
    });
    const key = (row: Record<string, unknown>) => `${row["match_id"]} ${row["order_id"]}`;
    const sorted = (list: readonly Record<string, unknown>[]) => list.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    expect(sorted(rows)).toEqual(sorted(truth));
    expect(truth.filter(({ notional }) => notional === null).length).toBeGreaterThan(2);
  });
});

describe("the views", () => {
  test.each(ACCOUNTS)("fees_by_month adds up the fees and rebates of %s", async (account) => {
    const rows = await athena.query(
      `SELECT * FROM fees_by_month WHERE account = '${account}' ORDER BY trade_month, market, fee_currency`,
    );
    const truth = grouped(allOf(account), (item) => `${tradeMonth(item)} ${item.market}`).map(([, items]) => {
      const [paid, rebates, net] = [new Sum(), new Sum(), new Sum()];
      for (const { fees } of items) {
        const fee = unitsOf(fees);
        paid.add(fee, fee !== null && fee > 0n);
        rebates.add(fee, fee !== null && fee < 0n);
        net.add(fee);
      }
      const [first] = items;
      return {
        account,
        trade_month: first === undefined ? "" : tradeMonth(first),
        market: first?.market,
        fee_currency: first === undefined ? "" : quoteOf(first),
        fills: String(items.length),
        fees_paid: paid.text,
        rebates: rebates.text,
        net_fees: net.text,
        fills_without_fee: String(items.length - net.rows),
      };
    });
    expect(rows).toEqual(truth);
    expect(rows.some(({ rebates }) => String(rebates).startsWith("-"))).toBe(true);
    expect(rows.some((row) => row["fills_without_fee"] !== "0")).toBe(true);
  });

  test.each(ACCOUNTS)("volume_by_market adds up what %s traded", async (account) => {
    const rows = await athena.query(
      `SELECT * FROM volume_by_market WHERE account = '${account}' ORDER BY trade_month, market`,
    );
    const truth = grouped(allOf(account), (item) => `${tradeMonth(item)} ${item.market}`).map(([key, items]) => {
      const [trade_month, market] = key.split(" ");
      const [bought, sold, volume, maker, taker] = [new Sum(), new Sum(), new Sum(), new Sum(), new Sum()];
      for (const item of items) {
        const [quantity, units] = [unitsOf(item.quantity), volumeOf(item)];
        bought.add(quantity, item.orderType === "buy");
        sold.add(quantity, item.orderType === "sell");
        volume.add(units);
        maker.add(units, item.executionType === "maker");
        taker.add(units, item.executionType === "taker");
      }
      return {
        account,
        trade_month,
        market,
        fills: String(items.length),
        bought: bought.text,
        sold: sold.text,
        volume: decimalText(rounded(volume.units)),
        maker_volume: decimalText(rounded(maker.units)),
        taker_volume: decimalText(rounded(taker.units)),
        fills_without_volume: String(items.length - volume.rows),
      };
    });
    expect(rows).toEqual(truth);
    expect(rows.some((row) => row["fills_without_volume"] !== "0")).toBe(true);
  });

  /** DuckDB's names of what Glue calls otherwise. */
  const DUCKDB_TYPES: Readonly<Record<string, string>> = {
    string: "VARCHAR",
    timestamp: "TIMESTAMP",
    "decimal(38,18)": "DECIMAL(38,18)",
    date: "DATE",
    "decimal(38,36)": "DECIMAL(38,36)",
    bigint: "BIGINT",
  };

  test.each(VIEWS)("$name has the columns and types that the catalogue says", async ({ name, columns }) => {
    const described = await athena.query(`DESCRIBE ${name}`);
    expect(described.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(
      columns.map((column) => [column.name, DUCKDB_TYPES[column.type]]),
    );
  });
});

describe("the saved queries", () => {
  test.each(SAVED_QUERIES)("$name answers for one account", async ({ file }) => {
    const rows = await athena.query(sqlOf(file));
    expect(rows.length).toBeGreaterThan(0);
    for (const { fills = null } of rows) {
      expect(fills === null || Number(fills) > 0).toBe(true);
    }
  });

  test("of fees and volume count each fill of the account", async () => {
    for (const file of ["saved-fees.sql", "saved-volume.sql", "saved-completeness.sql", "saved-lag.sql"]) {
      const rows = await athena.query(sqlOf(file));
      expect(rows.reduce((sum, { fills }) => sum + Number(fills), 0)).toBe(main.size);
    }
  });

  test("of completeness is the same as fees.csv of the accountant's pack", async () => {
    const period = parsePeriod("calendar-2025");
    const { job } = jobFor("main", [...main.values()]);
    const pack = await exportPack(job, { period, method: "average", basis: "fill", allowIncomplete: false });
    const body = await store.get(`${pack.dir?.slice(LOCATION.length + 1)}/fees.csv`);
    const [header = [], ...lines] = readCsv(new TextDecoder().decode(body?.body));
    const table = lines.map((line) => Object.fromEntries(header.map((name, at) => [name, line[at] ?? ""])));
    const inPack = table
      .filter(({ liquidity }) => liquidity !== "untyped")
      .map((row) => ({
        month: row["month"],
        market: row["market"],
        liquidity: row["liquidity"],
        fills: row["fills"],
        volume: to18Places(row["volume"]),
        fees_paid: row["fees_paid"],
        rebates: row["rebates"],
      }));
    // What cannot be reckoned with is a line of its own in the pack, so both sides are compared where there is none of it.
    const untyped = new Set(
      table.filter(({ liquidity }) => liquidity === "untyped").map((row) => `${row["month"]} ${row["market"]}`),
    );
    const isTyped = (row: Record<string, unknown>) => !untyped.has(`${row["month"]} ${row["market"]}`);
    const asked = (await athena.query(sqlOf("saved-completeness.sql"))).map((row) => ({
      month: String(row["trade_month"]).slice(0, 7),
      market: row["market"],
      liquidity: row["liquidity"],
      fills: row["fills"],
      volume: plain(row["volume"]),
      fees_paid: plain(row["fees_paid"]),
      rebates: plain(row["rebates"]),
    }));
    const of2025 = asked.filter(({ month }) => month.startsWith("2025"));
    const sorted = (rows: readonly Record<string, unknown>[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(of2025.filter(isTyped))).toEqual(sorted(inPack.filter(isTyped)));
    expect(inPack.filter(isTyped).length).toBeGreaterThan(2);
  });

  test("of lag finds the widest distance of the two times", async () => {
    const rows = await athena.query(sqlOf("saved-lag.sql"));
    const truth = grouped(allOf("main"), ({ txCreated }) => new Date(txCreated).toISOString().slice(0, 7)).map(
      ([month, items]) => {
        const lags = items.flatMap(({ filledAt, txCreated }) => (filledAt === undefined ? [] : [txCreated - filledAt]));
        return {
          month,
          fills: String(items.length),
          fills_without_filled_at: String(items.length - lags.length),
          least_lag_ms: lags.length === 0 ? null : String(Math.min(...lags)),
          most_lag_ms: lags.length === 0 ? null : String(Math.max(...lags)),
          fills_later_than_a_minute: String(lags.filter((lag) => lag > 60_000).length),
        };
      },
    );
    expect(rows).toEqual(truth);
  });

  test("of untyped fills shows the amounts as the service wrote them", async () => {
    const rows = await athena.query(sqlOf("saved-untyped.sql"));
    const untyped = allOf("main").filter((item) => volumeOf(item) === null || unitsOf(item.fees) === null);
    expect(rows).toHaveLength(untyped.length);
    const texts = new Set(rows.flatMap(({ quantity, price, fee }) => [quantity, price, fee]));
    expect([...texts]).toEqual(expect.arrayContaining(["0.1234567890123456789", "123456789012345678901", "1e3"]));
  });
});

/** As the table has it: of at most 36 places, rounded half away from zero. */
function to18Places(text: string | undefined): string {
  const [whole = "", fraction = ""] = (text ?? "").split(".");
  const volume = BigInt(whole + fraction.padEnd(36, "0"));
  return plain(decimalText(rounded(volume)));
}

/** Without zeros after the point that say nothing, as the packs write amounts. */
function plain(decimal: unknown): string {
  return (
    String(decimal)
      .replace(/\.?0+$/, "")
      .replace(/^-?0$/, "0") || "0"
  );
}

describe("the types", () => {
  /** What Athena reads each of DuckDB's types of a Parquet file as (docs.aws.amazon.com/athena/latest/ug/data-types.html). */
  const ATHENA_TYPES: Readonly<Record<string, string>> = {
    VARCHAR: "string", // BYTE_ARRAY, STRING
    "TIMESTAMP WITH TIME ZONE": "timestamp", // INT64, TIMESTAMP(isAdjustedToUTC)
    "DECIMAL(38,18)": "decimal(38,18)", // FIXED_LEN_BYTE_ARRAY(16)
    INTEGER: "int",
  };

  test("of all columns of the table are those of the parts, and it lacks only what readers do not need", async () => {
    const files = join(athena.folder, "main/fills/**/*.parquet");
    const described = await athena.query(`DESCRIBE SELECT * FROM read_parquet('${files}', hive_partitioning = false)`);
    const inFiles = new Map(
      described.map(({ column_name, column_type }) => [String(column_name), ATHENA_TYPES[String(column_type)]]),
    );
    const { columns, partitions } = fillsTable();
    expect(columns.map(({ Name, Type }) => [Name, Type])).toEqual(columns.map(({ Name }) => [Name, inFiles.get(Name)]));
    const named = new Set([...columns, ...partitions].map(({ Name }) => Name));
    expect([...inFiles.keys()].filter((name) => !named.has(name))).toEqual(["digits"]);
    expect(inFiles.get("account")).toBe("string");
  });

  test("of the parts are stored as Athena's engine can read them: no INT96, nothing unsigned, milliseconds of UTC", async () => {
    const files = join(athena.folder, "main/fills/**/*.parquet");
    const stored = await athena.query(
      `SELECT DISTINCT type, coalesce(CAST(logical_type AS varchar), '') AS logical
      FROM parquet_schema('${files}') WHERE num_children IS NULL ORDER BY ALL`,
    );
    expect(stored.map(({ type, logical }) => `${type} ${String(logical).replace(/\(.*/, "")}`.trim())).toEqual([
      "BYTE_ARRAY StringType",
      "FIXED_LEN_BYTE_ARRAY DecimalType",
      "INT32",
      "INT64 TimestampType",
    ]);
    const [time] = stored.filter(({ type }) => type === "INT64");
    expect(String(time?.["logical"])).toContain("isAdjustedToUTC=1");
    expect(String(time?.["logical"])).toContain("MILLIS");
  });
});
