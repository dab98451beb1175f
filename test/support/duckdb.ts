import { DuckDBInstance } from "@duckdb/node-api";

/**
 * Rows of one query in a new DuckDB, which shares no code with our writers. It uses one thread, because other
 * tests share the machine.
 */
export async function duckdb(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
