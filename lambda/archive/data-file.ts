import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { FillbookError } from "../core/errors.ts";
import { byTxCreated, type Fill, tradeTime } from "../core/fill.ts";
import type { TimeRange } from "../core/time.ts";
import { rowOf } from "../fills/columns.ts";
import { exceptionsOfRow } from "../fills/exceptions.ts";
import { fillOfRow } from "../formats/row.ts";
import type { Store } from "../storage/store.ts";
import { dataFileKey, sha256Of } from "./keys.ts";
import type { DataFile } from "./manifest.ts";

/** Fills as an object: their rows, one a line, in order of `tx_created`, `match_id`, `order_id`; zstd. */

/** A larger text is refused before it is decompressed: a damaged object must not take all memory, bytes. */
const MOST_BYTES = 2 ** 30;

export interface EncodedFile {
  readonly file: DataFile;
  readonly body: Uint8Array;
}

/** `fills`: sorted, at least one. */
export function encodeDataFile(
  fills: readonly Fill[],
  { from, to, run, kind }: TimeRange & Pick<DataFile, "run" | "kind">,
): EncodedFile {
  const text = Buffer.from(fills.map(({ row }) => `${row}\n`).join(""));
  const body = zstdCompressSync(text);
  let [firstTrade, lastTrade, exceptions] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const fill of fills) {
    const time = tradeTime(fill);
    firstTrade = Math.min(firstTrade, time);
    lastTrade = Math.max(lastTrade, time);
    exceptions += exceptionsOfRow(rowOf("", fill)).length > 0 ? 1 : 0;
  }
  const counts = { fills: fills.length, bytes: body.length, firstTrade, lastTrade, exceptions };
  return { file: { from, to, sha256: sha256Of(text), run, ...counts, kind }, body };
}

/** The fills of a data file. Rejects with `untrusted` if it is missing, damaged or not as its entry says. */
export async function readDataFile(store: Store, account: string, file: DataFile): Promise<readonly Fill[]> {
  const key = dataFileKey(account, file);
  const stored = await store.get(key);
  const broken = (what: string) =>
    new FillbookError("untrusted", `${store.location}/${key} ${what}`, {
      hint: "restore it from a backup or an older version of the object; nothing was changed",
    });
  if (stored === null) {
    throw broken("is missing, but the archive refers to it");
  }
  const fills = decoded(stored.body, file);
  if (typeof fills === "string") {
    throw broken(`is damaged: ${fills}`);
  }
  return fills;
}

function decoded(body: Uint8Array, file: DataFile): readonly Fill[] | string {
  const text = textOf(body);
  if (text === null || sha256Of(text) !== file.sha256) {
    return "its text does not have the hash in its name";
  }
  const lines = text.toString("utf8").split("\n");
  if (lines.pop() !== "" || lines.length !== file.fills) {
    return `it holds ${lines.length} rows, but the archive expects ${file.fills}`;
  }
  const fills = lines.map(fillOfRow);
  const isSorted = fills.every((fill, place) => place === 0 || byTxCreated(fills[place - 1] as Fill, fill) < 0);
  const isInside = fills.every(({ txCreated }) => file.from <= txCreated && txCreated < file.to);
  return isSorted && isInside ? fills : "its rows are not in order, or not of its range";
}

/** The bytes before they were compressed. Null: they are damaged, or too large. */
export function textOf(body: Uint8Array): Buffer | null {
  try {
    return zstdDecompressSync(body, { maxOutputLength: MOST_BYTES });
  } catch {
    return null;
  }
}
