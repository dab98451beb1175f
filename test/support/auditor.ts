import { createHash } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import type { Store } from "../../lambda/storage/store.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { type Published, readPublished } from "./published.ts";
import { text } from "./store-text.ts";

/**
 * Reads an archive by docs/archive-format.md, "How to read all fills", without the program's own code, and
 * compares it with the truth. It is short and slow on purpose, because other tests rely on it.
 */
export interface Audit {
  /** Fills of times that count as read twice, and that no data file holds. */
  readonly lost: readonly string[];
  /** Fills that a data file holds twice, or two parts, or two files whose ranges do not overlap. */
  readonly doubled: readonly string[];
  readonly invented: readonly string[];
  readonly wrong: readonly string[];
  /** Read twice. */
  readonly coverage: readonly { from: number; to: number }[];
  readonly rows: number;
}

export async function audit(store: Store, account: string, truth: Map<string, CompletedOrder>): Promise<Audit> {
  const head = JSON.parse((await text(store, `${account}/head.json`)) ?? "");
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
  const manifest = await readPublished(async (one) => (await text(store, one)) ?? "", key);
  const held = new Map<string, Published["dataFiles"][number] & { row: Record<string, unknown> }>();
  const doubled: string[] = [];
  // Two chains that brought the same rows have one file.
  for (const file of new Map(manifest.dataFiles.map((one) => [one.key, one])).values()) {
    const rows = read.get(file.key) ?? (await rowsOf(store, file.key));
    read.set(file.key, rows);
    for (const row of rows) {
      const identity = `${row["matchId"]} ${row["orderId"]}`;
      const other = held.get(identity);
      const isTwice = other?.key === file.key || (other?.kind === "part" && file.kind === "part");
      if (other !== undefined && (isTwice || other.to <= file.from || file.to <= other.from)) {
        doubled.push(identity);
      }
      held.set(identity, { ...file, row: { ...other?.row, ...row } }); // a later file is newer
    }
  }
  const { invented, wrong } = compared(held, truth);
  const coverage = manifest.coverage.filter(({ readings }) => readings === 2).map(({ from, to }) => ({ from, to }));
  const lost = [...truth.values()]
    .filter(({ txCreated }) => coverage.some(({ from, to }) => from <= txCreated && txCreated < to))
    .map((item) => `${item.matchId} ${item.orderId}`)
    .filter((identity) => !held.has(identity));
  return { lost, doubled, invented, wrong, coverage, rows: held.size };
}

function compared(
  held: ReadonlyMap<string, { readonly row: Record<string, unknown> }>,
  truth: Map<string, CompletedOrder>,
): Pick<Audit, "invented" | "wrong"> {
  const invented: string[] = [];
  const wrong: string[] = [];
  for (const [identity, { row }] of held) {
    const item = truth.get(identity.replace(" ", "\u0000")) ?? truth.get(identity);
    if (item === undefined) {
      invented.push(identity);
    } else if (!agrees(row, item)) {
      wrong.push(identity);
    }
  }
  return { invented, wrong };
}

/** Whether a row of a data file agrees with the service's fill. */
export function agrees(row: Record<string, unknown>, item: CompletedOrder): boolean {
  const texts = ["txCreated", "filledAt", "market", "orderType", "transactionHash"] as const;
  const amounts = ["fees", "price", "quantity"] as const; // they may come as numbers
  return (
    texts.every((name) => (row[name] ?? undefined) === item[name]) &&
    amounts.every((name) => Number(row[name]) === Number(item[name]))
  );
}

async function rowsOf(store: Store, key: string): Promise<DataFileRows> {
  const body = (await store.get(key))?.body;
  if (body === undefined) {
    throw new Error(`${key} is missing: a manifest names it`);
  }
  const text = zstdDecompressSync(body).toString();
  if (!key.includes(createHash("sha256").update(text).digest("hex"))) {
    throw new Error(`${key} has not the hash of its text in its name`);
  }
  const lines = text.split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
