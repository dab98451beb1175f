import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { viewsOf } from "../../infra/table/queries.ts";
import { DeltaRs } from "../support/delta-rs.ts";
import type { MemoryStore } from "../support/memory-store.ts";

/**
 * Reads the tables as Athena does, as far as possible without AWS. delta-rs tells which files each account's
 * Delta table has, and DuckDB reads them with the SQL of the real views.
 */
export class Athena {
  /** Holds the archive's files by key. */
  readonly folder: string = mkdtempSync(join(tmpdir(), "fillbook-table-"));
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(store: MemoryStore, accounts: readonly string[]): Promise<Athena> {
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const athena = new Athena(instance, await instance.connect());
    athena.#copy(store.snapshot());
    await athena.query("SET TimeZone = 'UTC'");
    const deltaRs = await DeltaRs.start();
    try {
      for (const account of accounts) {
        const { files } = await deltaRs.read(join(athena.folder, account, "fills"));
        await athena.query(`CREATE VIEW fills_of_${account} AS SELECT * EXCLUDE (digits)
          FROM read_parquet([${files.map((file) => `'${file}'`).join(", ")}], hive_types = {month: VARCHAR})`);
      }
    } finally {
      deltaRs.stop();
    }
    // Trino's json_extract_scalar: the text of a scalar, and null for any other value
    // (trino.io/docs/current/functions/json.html). DuckDB has it under another name.
    await athena.query(
      `CREATE MACRO json_extract_scalar(json, path) AS
        CASE WHEN json_type(json, path) IN ('OBJECT', 'ARRAY') THEN NULL ELSE json_extract_string(json, path) END`,
    );
    for (const { name, sql } of viewsOf(accounts)) {
      await athena.query(`CREATE VIEW ${name} AS ${sql}`);
    }
    return athena;
  }

  #copy(objects: ReadonlyMap<string, Uint8Array>): void {
    for (const [key, body] of objects) {
      if (key.includes("/fills/")) {
        const path = join(this.folder, key);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, body);
      }
    }
  }

  async query(sql: string): Promise<Record<string, unknown>[]> {
    return (await this.#connection.runAndReadAll(sql)).getRowObjectsJson();
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
