import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DELTA_COLUMNS } from "../../infra/table/columns.ts";
import { viewsOf } from "../../infra/table/queries.ts";
import { DeltaRs } from "../support/delta-rs.ts";
import { ACCOUNTS, type Book, makeBook } from "./book.ts";
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

let book: Book;
beforeAll(async () => {
  book = await makeBook();
});
afterAll(() => book.athena.close());

describe("the table", () => {
  test("has each fill once, although the archive's files together hold many twice", async () => {
    const [through] = await book.athena.query(
      "SELECT count(*) AS n, count(DISTINCT (account, match_id, order_id)) AS d FROM fills",
    );
    const files = join(book.athena.folder, "*/fills/month=*/*.parquet");
    const [plainly] = await book.athena.query(
      `SELECT count(*) AS n, count(DISTINCT (account, match_id, order_id)) AS d FROM read_parquet('${files}')`,
    );
    const fills = book.truth("main").length + book.truth("second").length;
    expect(through).toEqual({ n: String(fills), d: String(fills) });
    expect(Number(plainly?.["d"])).toBe(fills);
    expect(Number(plainly?.["n"])).toBeGreaterThan(1.3 * fills);
  });

  test.each(ACCOUNTS)("agrees with the service on each fill of %s", async (account) => {
    const rows = await book.athena.query(
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
    const truth = book.truth(account).map((item) => {
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
    const rows = await book.athena.query(
      `SELECT * FROM fees_by_month WHERE account = '${account}' ORDER BY trade_month, market, fee_currency`,
    );
    const truth = grouped(book.truth(account), (item) => `${tradeMonth(item)} ${item.market}`).map(([, items]) => {
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

  test.each(ACCOUNTS)("volume_by_market adds up the volume of %s", async (account) => {
    const rows = await book.athena.query(
      `SELECT * FROM volume_by_market WHERE account = '${account}' ORDER BY trade_month, market`,
    );
    const truth = grouped(book.truth(account), (item) => `${tradeMonth(item)} ${item.market}`).map(([key, items]) => {
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

  /** DuckDB's names for Glue's types. */
  const DUCKDB_TYPES: Readonly<Record<string, string>> = {
    string: "VARCHAR",
    timestamp: "TIMESTAMP_MS",
    "decimal(38,18)": "DECIMAL(38,18)",
    date: "DATE",
    "decimal(38,36)": "DECIMAL(38,36)",
    bigint: "BIGINT",
  };

  test.each(viewsOf(ACCOUNTS))("$name has the columns and types of the catalogue", async ({ name, columns }) => {
    const described = await book.athena.query(`DESCRIBE ${name}`);
    expect(described.map(({ column_name, column_type }) => [column_name, column_type])).toEqual(
      columns.map((column) => [column.name, DUCKDB_TYPES[column.type]]),
    );
  });
});

describe("the types", () => {
  /**
   * The Athena type for each of DuckDB's types of a Parquet file
   * (docs.aws.amazon.com/athena/latest/ug/data-types.html).
   */
  const ATHENA_TYPES: Readonly<Record<string, string>> = {
    VARCHAR: "string", // BYTE_ARRAY, STRING
    "TIMESTAMP WITH TIME ZONE": "timestamp", // INT64, TIMESTAMP(isAdjustedToUTC)
    "DECIMAL(38,18)": "decimal(38,18)", // FIXED_LEN_BYTE_ARRAY(16)
    INTEGER: "int",
  };

  test("of the table's columns are those of the data files; only the column digits is left out", async () => {
    const files = join(book.athena.folder, "main/fills/month=*/*.parquet");
    const described = await book.athena.query(
      `DESCRIBE SELECT * FROM read_parquet('${files}', hive_partitioning = false)`,
    );
    const inFiles = new Map(
      described.map(({ column_name, column_type }) => [String(column_name), ATHENA_TYPES[String(column_type)]]),
    );
    const inTable = DELTA_COLUMNS.filter(({ name }) => name !== "month").map(({ name, type }) => [name, type]);
    expect(inTable).toEqual([...inFiles].filter(([name]) => name !== "digits"));
    const deltaRs = await DeltaRs.start();
    try {
      const { schema } = await deltaRs.read(join(book.athena.folder, "main/fills"));
      expect(schema).toEqual(DELTA_COLUMNS.map(({ name, type }) => [name, type]));
    } finally {
      deltaRs.stop();
    }
  });

  test("of the data files can be read by Athena's engine: no INT96, nothing unsigned, milliseconds of UTC", async () => {
    const files = join(book.athena.folder, "main/fills/month=*/*.parquet");
    const stored = await book.athena.query(
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
