import { type AsyncBuffer, parquetReadObjects } from "hyparquet";
import type { Store } from "../../lambda/storage/store.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { readPublished } from "./published.ts";

/**
 * Reads an archive by its published format, without the program's own code, and compares it with the truth.
 * It is short and slow on purpose, because other tests rely on it.
 */
export interface Audit {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly invented: readonly string[];
  readonly wrong: readonly string[];
  readonly coverage: readonly { from: number; to: number }[];
  readonly rows: number;
}

export async function audit(store: Store, account: string, truth: Map<string, CompletedOrder>): Promise<Audit> {
  const head = JSON.parse(await text(store, `${account}/head.json`));
  if (head.manifest === null) {
    return { ...SOUND, coverage: [], rows: 0 };
  }
  return await auditManifest(store, `${account}/manifests/${head.manifest.seq}-${head.manifest.sha256}.json`, truth);
}

/** The audit of an archive that claims nothing that it does not hold, and holds nothing else. */
export const SOUND = { lost: [], doubled: [], invented: [], wrong: [] } as const;

export type DataFileRows = readonly Record<string, unknown>[];

/**
 * The same for any manifest, whether or not the head still names it. `read`: data files that were read
 * before, which never change.
 */
export async function auditManifest(
  store: Store,
  key: string,
  truth: Map<string, CompletedOrder>,
  read: Map<string, DataFileRows> = new Map(),
): Promise<Audit> {
  const manifest = await readPublished((one) => text(store, one), key);
  const found = new Map<string, number>();
  const invented: string[] = [];
  const wrong: string[] = [];
  for (const dataFile of manifest.dataFiles) {
    const rows = read.get(dataFile.key) ?? (await parquetReadObjects({ file: await buffer(store, dataFile.key) }));
    read.set(dataFile.key, rows);
    for (const row of rows) {
      const identity = `${row["match_id"]} ${row["order_id"]}`;
      found.set(identity, (found.get(identity) ?? 0) + 1);
      const item = truth.get(`${row["match_id"]}\u0000${row["order_id"]}`) ?? truth.get(identity);
      if (item === undefined) {
        invented.push(identity);
      } else if (!agrees(row, item)) {
        wrong.push(identity);
      }
    }
  }
  const covered = (time: number) => manifest.coverage.some((one) => one.from <= time && time < one.to);
  const lost = [...truth.values()]
    .filter((item) => covered(item.txCreated) && !found.has(`${item.matchId} ${item.orderId}`))
    .map((item) => `${item.matchId} ${item.orderId}`);
  const doubled = [...found].filter(([, count]) => count > 1).map(([identity]) => identity);
  return { lost, doubled, invented, wrong, coverage: manifest.coverage, rows: found.size };
}

/** Whether a row of a data file agrees with the service's fill. */
export function agrees(row: Record<string, unknown>, item: CompletedOrder): boolean {
  const filledAt = row["filled_at"] instanceof Date ? row["filled_at"].getTime() : undefined;
  return (
    (row["tx_created"] as Date).getTime() === item.txCreated &&
    filledAt === item.filledAt &&
    row["market"] === item.market &&
    row["side"] === item.orderType &&
    row["transaction_hash"] === item.transactionHash &&
    isNear(row["fee"] ?? exact(row, "fees"), item.fees) &&
    isNear(row["price"] ?? exact(row, "price"), item.price)
  );
}

/** hyparquet reads decimals as floats. */
function isNear(cell: unknown, amount: string): boolean {
  return Math.abs(Number(cell) - Number(amount)) <= 1e-9 * Math.abs(Number(amount));
}

/** The text of an amount that does not fit its cell. The cell is null then. */
function exact(row: Record<string, unknown>, field: string): unknown {
  const { extra } = row;
  const fields: unknown = typeof extra === "string" ? JSON.parse(extra) : extra;
  return fields instanceof Object ? Reflect.get(fields, field) : undefined;
}

async function text(store: Store, key: string): Promise<string> {
  return new TextDecoder().decode((await store.get(key))?.body);
}

async function buffer(store: Store, key: string): Promise<AsyncBuffer> {
  const body = (await store.get(key))?.body;
  if (body === undefined) {
    throw new Error(`${key} is missing: a manifest names it`);
  }
  const bytes = body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength) as ArrayBuffer;
  return { byteLength: bytes.byteLength, slice: (start, end) => bytes.slice(start, end) };
}
