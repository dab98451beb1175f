import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { namesOf } from "../../infra/names.ts";
import { sqlOf, VIEWS } from "../../infra/table/queries.ts";
import { TableStack } from "../../infra/table/table-stack.ts";
import type { MemoryStore } from "../support/memory-store.ts";

/** Where the archive of these tests is, for the template and for the store. */
export const ROOT = { bucket: "archive-bucket", prefix: "fillbook" } as const;
export const LOCATION = `s3://${ROOT.bucket}/${ROOT.prefix}`;

export interface GlueColumn {
  readonly Name: string;
  readonly Type: string;
}

/** The table `fills` as the stack makes it: all that Athena knows of it. */
export interface FillsTable {
  readonly columns: readonly GlueColumn[];
  readonly partitions: readonly GlueColumn[];
  readonly parameters: Readonly<Record<string, string>>;
}

export function fillsTable(): FillsTable {
  const archive = { bucket: { bucketName: ROOT.bucket } };
  const props = { archive, prefix: ROOT.prefix, names: namesOf("fillbook"), accounts: ["main"], queryLimitGb: 1 };
  const template = Template.fromStack(new TableStack(new App(), "FillbookTable", props));
  const tables = Object.values(template.findResources("AWS::Glue::Table"));
  const input = tables.map(({ Properties }) => Properties.TableInput).find(({ Name }) => Name === "fills");
  return {
    columns: input.StorageDescriptor.Columns,
    partitions: input.PartitionKeys,
    parameters: input.Parameters,
  };
}

/** The months that Athena projects, of `yyyy-MM,NOW` with an interval of one month. */
function projectedMonths({ parameters }: FillsTable, now: number): string[] {
  const [first = ""] = (parameters["projection.month.range"] ?? "").split(",");
  const months: string[] = [];
  for (let at = Date.parse(`${first}-01T00:00:00Z`); at <= now; ) {
    const date = new Date(at);
    months.push(date.toISOString().slice(0, 7));
    at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  }
  return months;
}

/**
 * Athena's reading of the table, in DuckDB: for each projected month of the accounts the objects under its location, each line of them a URI, of those files
 * the columns of the table by their names, and the partition's values beside them. A line that is no URI of the archive throws, as it fails a query.
 */
export class Athena {
  /** The archive's Parquet files are under it, by key. */
  readonly folder: string = mkdtempSync(join(tmpdir(), "fillbook-table-"));
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection) {
    this.#instance = instance;
    this.#connection = connection;
  }

  static async open(store: MemoryStore, accounts: readonly string[], now: number): Promise<Athena> {
    const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
    const athena = new Athena(instance, await instance.connect());
    const objects = store.snapshot();
    athena.#copy(objects);
    const table = fillsTable();
    const partitions = accounts.flatMap((account) =>
      projectedMonths(table, now).map((month) => ({ account, month, files: filesOf(table, objects, account, month) })),
    );
    const selects = partitions
      .filter(({ files }) => files.length > 0)
      .map(({ account, month, files }) => athena.#partition(table, account, month, files));
    await athena.query(`CREATE TABLE fills AS ${selects.join(" UNION ALL ")}`);
    // Of Trino's, a scalar's text, and null for what is none (trino.io/docs/current/functions/json.html): DuckDB has it under another name.
    await athena.query(
      `CREATE MACRO json_extract_scalar(json, path) AS
        CASE WHEN json_type(json, path) IN ('OBJECT', 'ARRAY') THEN NULL ELSE json_extract_string(json, path) END`,
    );
    for (const { name, file } of VIEWS) {
      await athena.query(`CREATE VIEW ${name} AS ${sqlOf(file)}`);
    }
    return athena;
  }

  #copy(objects: ReadonlyMap<string, Uint8Array>): void {
    for (const [key, body] of objects) {
      if (key.endsWith(".parquet")) {
        const path = join(this.folder, key);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, body);
      }
    }
  }

  #partition({ columns }: FillsTable, account: string, month: string, files: readonly string[]): string {
    const paths = files.map((key) => `'${join(this.folder, key)}'`).join(", ");
    return `SELECT ${columns.map(columnSql).join(", ")}, '${account}' AS account, '${month}' AS month
      FROM read_parquet([${paths}], hive_partitioning = false)`;
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

/** Keys of the parts that a partition's lists name. */
function filesOf(
  { parameters }: FillsTable,
  objects: ReadonlyMap<string, Uint8Array>,
  account: string,
  month: string,
): string[] {
  const place = (parameters["storage.location.template"] ?? "")
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Athena's placeholder
    .replace("${account}", account)
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Athena's placeholder
    .replace("${month}", month);
  const lists = [...objects].filter(([key]) => `${LOCATION}/${key}`.startsWith(place));
  return lists
    .flatMap(([, body]) => Buffer.from(body).toString().split(/\r?\n/).slice(0, -1))
    .map((line) => {
      const key = line.startsWith(`${LOCATION}/`) ? line.slice(LOCATION.length + 1) : "";
      if (!objects.has(key)) {
        throw new Error(`${place} names ${JSON.stringify(line)}, which is not there`);
      }
      return key;
    });
}

/** Athena shows a timestamp of UTC without a zone, and DuckDB one with it. */
function columnSql({ Name, Type }: GlueColumn): string {
  return Type === "timestamp" ? `"${Name}" AT TIME ZONE 'UTC' AS "${Name}"` : `"${Name}"`;
}
