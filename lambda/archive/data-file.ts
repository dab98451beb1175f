import { FillbookError } from "../core/errors.ts";
import { byTxCreated, type Fill, tradeTime } from "../core/fill.ts";
import type { TimeRange } from "../core/time.ts";
import { fillOfRow } from "../formats/row.ts";
import type { Store } from "../storage/store.ts";
import { isSound } from "./exceptions.ts";
import { dataFileKey } from "./keys.ts";
import type { DataFile } from "./manifest.ts";
import { encodeLines, readLines } from "./objects.ts";

/** Fills as an object: their rows, one a line, in order of `tx_created`, `match_id`, `order_id`; zstd. */
export interface EncodedFile {
  readonly file: DataFile;
  readonly body: Uint8Array;
}

/** `fills`: sorted, at least one. */
export function encodeDataFile(
  fills: readonly Fill[],
  { from, to, run, kind }: TimeRange & Pick<DataFile, "run" | "kind">,
): EncodedFile {
  const { sha256, body } = encodeLines(fills.map(({ row }) => row));
  let [firstTrade, lastTrade, exceptions] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const fill of fills) {
    const time = tradeTime(fill);
    firstTrade = Math.min(firstTrade, time);
    lastTrade = Math.max(lastTrade, time);
    exceptions += kind === "chain" || isSound(fill) ? 0 : 1;
  }
  const counts = { fills: fills.length, bytes: body.length, firstTrade, lastTrade, exceptions };
  return { file: { from, to, sha256, run, ...counts, kind }, body };
}

/** The fills of a data file. Rejects with `untrusted` if it is missing, damaged or not as its entry says. */
export async function readDataFile(store: Store, account: string, file: DataFile): Promise<readonly Fill[]> {
  const key = dataFileKey(account, file);
  const rows = await readLines(store, key, file.sha256);
  const fills = rows.map((row) => fillOfRow(row));
  const isSorted = fills.every((fill, place) => place === 0 || byTxCreated(fills[place - 1] as Fill, fill) < 0);
  const isInside = fills.every(({ txCreated }) => file.from <= txCreated && txCreated < file.to);
  if (fills.length === file.fills && isSorted && isInside) {
    return fills;
  }
  const what =
    fills.length === file.fills
      ? "its rows are not in order, or not of its range"
      : `it holds ${fills.length} rows, but the archive expects ${file.fills}`;
  throw new FillbookError("untrusted", `${store.location}/${key} is damaged: ${what}`, {
    hint: "restore it from a backup or an older version of the object; nothing was changed",
  });
}
