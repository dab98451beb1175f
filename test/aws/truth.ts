import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { S3Client } from "@aws-sdk/client-s3";
import { GetObjectCommand, paginateListObjectsV2 } from "@aws-sdk/client-s3";
import type { Emulator } from "../emulator/core.ts";
import { temporaryFolder } from "../leftovers.ts";
import { duckdb } from "../support/duckdb.ts";
import { readPublished } from "../support/published.ts";

/** A folder of a bucket, read only with the SDK, as an operator would. */
export interface Place {
  readonly s3: S3Client;
  readonly bucket: string;
  /** Ends with a slash. */
  readonly prefix: string;
}

/** An account's folder in an archive at `s3://bucket/prefix`. */
export function placeIn(s3: S3Client, archiveUri: string, account: string): Place {
  const { host, pathname } = new URL(archiveUri);
  return { s3, bucket: host, prefix: `${pathname.slice(1)}/${account}/` };
}

export async function bytesOf({ s3, bucket, prefix }: Place, key: string): Promise<Uint8Array> {
  const { Body: body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: `${prefix}${key}` }));
  if (body === undefined) {
    throw new Error(`${key} has no body`);
  }
  return await body.transformToByteArray();
}

export async function jsonOf(place: Place, key: string) {
  return JSON.parse(new TextDecoder().decode(await bytesOf(place, key)));
}

/** All keys that begin with `below`, relative to the place's folder. */
export async function keysIn({ s3, bucket, prefix }: Place, below = ""): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const page of paginateListObjectsV2({ client: s3 }, { Bucket: bucket, Prefix: prefix + below })) {
    keys.push(...(page.Contents ?? []).map(({ Key: key = "" }) => key.slice(prefix.length)));
  }
  return keys;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The hashes of all objects whose keys begin with `below`. */
export async function hashesIn(place: Place, below: string): Promise<ReadonlyMap<string, string>> {
  const keys = await keysIn(place, below);
  return new Map(await Promise.all(keys.map(async (key) => [key, sha256(await bytesOf(place, key))] as const)));
}

export interface Difference {
  readonly rows: number;
  /**
   * `missing`: rows of the service that the files lack or hold differently. `tooMany`: rows of the files that
   * the service does not have. Amounts are compared exactly.
   */
  readonly missing: number;
  readonly tooMany: number;
}

export const SAME = { missing: 0, tooMany: 0 };

/**
 * Compares the data files of the head's manifest with the service's fills of `[from, to)` (ms UTC), each fill
 * once. DuckDB reads them; it shares no code with the writer.
 */
export async function compareArchive(
  place: Place,
  emulator: Emulator,
  range: { readonly from: number; readonly to: number } = { from: 0, to: Number.MAX_SAFE_INTEGER },
): Promise<Difference> {
  const { manifest } = await jsonOf(place, "head.json");
  const own = (key: string) => key.slice(key.indexOf("/") + 1); // keys in the archive begin with the account's name
  const text = async (key: string) => new TextDecoder().decode(await bytesOf(place, own(key)));
  const { dataFiles } = await readPublished(text, `account/manifests/${manifest.seq}-${manifest.sha256}.json`);
  const folder = temporaryFolder();
  for (const [index, { key }] of dataFiles.entries()) {
    await writeFile(join(folder, `${index}.ndjson.zst`), await bytesOf(place, own(key)));
  }
  // A sync also keeps what the service showed from outside the range.
  const inRange = `${range.from} <= txCreated AND txCreated < ${range.to}`;
  const found = `SELECT * FROM (${rowsIn(join(folder, "*.ndjson.zst"))}) WHERE ${inRange}`;
  return await compare(folder, found, emulator, range);
}

/** The same comparison for a pack's `fills.parquet`. */
export async function comparePack(
  place: Place,
  key: string,
  emulator: Emulator,
  range: { readonly from: number; readonly to: number },
): Promise<Difference> {
  const folder = temporaryFolder();
  const file = join(folder, "fills.parquet");
  await writeFile(file, await bytesOf(place, key));
  const columns = [...Object.values(TEXTS), ...Object.values(AMOUNTS), "epoch_ms(tx_created)"].join(", ");
  return await compare(folder, `SELECT ${columns} FROM read_parquet('${file}')`, emulator, range);
}

/** The service's fields, and the columns of a pack's file. */
const TEXTS = {
  matchId: "match_id",
  orderId: "order_id",
  market: "market",
  orderType: "side",
  executionType: "liquidity",
  transactionHash: "transaction_hash",
} as const;
const AMOUNTS = { price: "price", quantity: "quantity", fees: "fee" } as const;

/** Selects the service's rows, as it sent them, from files of JSON lines. */
function rowsIn(files: string): string {
  const texts = [...Object.keys(TEXTS), ...Object.keys(AMOUNTS)].map((field) => `${field}: 'VARCHAR'`);
  const columns = [...texts, "txCreated: 'BIGINT'"].join(", ");
  const amounts = Object.keys(AMOUNTS).map((field) => `CAST(${field} AS DECIMAL(38,18))`);
  return `SELECT ${[...Object.keys(TEXTS), ...amounts, "txCreated"].join(", ")} FROM read_json('${files}', format = 'newline_delimited', columns = {${columns}})`;
}

async function compare(
  folder: string,
  found: string,
  emulator: Emulator,
  range: { readonly from: number; readonly to: number },
): Promise<Difference> {
  const truth = join(folder, "truth.jsonl");
  const items = [...emulator.truthItems(Number.POSITIVE_INFINITY)].filter(
    ({ txCreated }) => range.from <= txCreated && txCreated < range.to,
  );
  await writeFile(truth, items.map((item) => JSON.stringify(item)).join("\n"));
  const expected = rowsIn(truth);
  const [row] = await duckdb(
    `SELECT (SELECT count(*) FROM (${found})) AS rows,
      (SELECT count(*) FROM (${expected} EXCEPT ALL ${found})) AS missing,
      (SELECT count(*) FROM (${found} EXCEPT ALL ${expected})) AS too_many`,
  );
  return { rows: Number(row?.["rows"]), missing: Number(row?.["missing"]), tooMany: Number(row?.["too_many"]) };
}
