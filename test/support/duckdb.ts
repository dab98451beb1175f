import { DuckDBInstance } from "@duckdb/node-api";

/**
 * Rows of one query in a fresh DuckDB: a reader that shares no code with the writers. One thread: the machine
 * is shared.
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
