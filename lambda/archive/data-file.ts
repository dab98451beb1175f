import { FillbookError } from "../core/errors.ts";
import { byTxCreated, type Fill, tradeTime } from "../core/fill.ts";
import { isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { exceptionsOf } from "../formats/fill-exceptions.ts";
import { fillOfRow } from "../formats/row.ts";
import type { Store } from "../storage/store.ts";
import { dataFileKey } from "./keys.ts";
import type { DataFile } from "./manifest.ts";
import { mergeFills } from "./merge.ts";
import { encodeText, readLines, readText, textOf } from "./objects.ts";

/**
 * A data file holds the rows of fills, one a line, in order of `tx_created`, `match_id`, `order_id`; zstd.
 * `Rows`: such a text in pieces, and what the file's entry says of it.
 */
export interface Rows extends Pick<DataFile, "fills" | "firstTrade" | "lastTrade" | "exceptions"> {
  readonly texts: readonly Buffer[];
}

export interface EncodedFile {
  readonly file: DataFile;
  readonly body: Uint8Array;
}

/** `fills`: sorted. */
export function rowsOf(fills: readonly Fill[]): Rows {
  let [firstTrade, lastTrade, exceptions] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const fill of fills) {
    const time = tradeTime(fill);
    firstTrade = Math.min(firstTrade, time);
    lastTrade = Math.max(lastTrade, time);
    exceptions += exceptionsOf(fill).length > 0 ? 1 : 0;
  }
  const texts = fills.length === 0 ? [] : [textOf(fills.map(({ row }) => row))];
  return { fills: fills.length, firstTrade, lastTrade, exceptions, texts };
}

/** The rows of a data file as they are. */
export async function readRows(store: Store, account: string, file: DataFile): Promise<Rows> {
  const { fills, firstTrade, lastTrade, exceptions } = file;
  const text = await readText(store, dataFileKey(account, file), file.sha256);
  return { fills, firstTrade, lastTrade, exceptions, texts: [text] };
}

/** `older`, then `younger`. */
export function joinedRows(older: Rows, younger: Rows): Rows {
  return {
    fills: older.fills + younger.fills,
    firstTrade: Math.min(older.firstTrade, younger.firstTrade),
    lastTrade: Math.max(older.lastTrade, younger.lastTrade),
    exceptions: older.exceptions + younger.exceptions,
    texts: [...older.texts, ...younger.texts],
  };
}

/**
 * `older`, then `younger`, which begins where that one ends, or in its last millisecond: what both have of this
 * is there once. Null: they differ.
 */
export function inOneText(older: Rows, younger: Rows): Rows | null {
  const [before = Buffer.of(), after = Buffer.of()] = [older.texts.at(-1), younger.texts[0]];
  const ours: Fill[] = [];
  const theirs: Fill[] = [];
  let begin = 0;
  for (let at = after.indexOf("\n"); at >= 0; at = after.indexOf("\n", begin)) {
    const fill = fillOfRow(after.toString("utf8", begin, at));
    if (fill.txCreated > (theirs[0] ?? fill).txCreated) {
      break;
    }
    theirs.push(fill);
    begin = at + 1;
  }
  let end = before.length;
  while (end > 0) {
    const at = before.lastIndexOf("\n", end - 2) + 1;
    const fill = fillOfRow(before.toString("utf8", at, end - 1));
    if (fill.txCreated < (theirs[0] ?? fill).txCreated) {
      break;
    }
    ours.push(fill);
    end = at;
  }
  const { fills, restated } = mergeFills([ours, theirs]);
  const parts = [
    without(older, ours, [...older.texts.slice(0, -1), before.subarray(0, end)]),
    rowsOf(fills),
    without(younger, theirs, [after.subarray(begin), ...younger.texts.slice(1)]),
  ];
  return restated.length > 0 ? null : parts.reduce(joinedRows);
}

function without({ fills, exceptions, ...times }: Rows, some: readonly Fill[], texts: readonly Buffer[]): Rows {
  const less = rowsOf(some);
  const left = texts.filter(({ length }) => length > 0);
  return { ...times, fills: fills - less.fills, exceptions: exceptions - less.exceptions, texts: left };
}

/** `rows`: at least one. */
export function encodeDataFile(
  { texts, ...counts }: Rows,
  { from, to, run, kind }: TimeRange & Pick<DataFile, "run" | "kind">,
): EncodedFile {
  const { sha256, body } = encodeText(Buffer.concat(texts));
  return { file: { from, to, sha256, run, ...counts, bytes: body.length, kind }, body };
}

/** The fills of a data file. Rejects with `untrusted` if it is missing, damaged or not as its entry says. */
export async function readDataFile(store: Store, account: string, file: DataFile): Promise<readonly Fill[]> {
  return [...(await openDataFile(store, account, file))];
}

/** The same fills one by one, so that memory holds few of them. */
export async function openDataFile(store: Store, account: string, file: DataFile): Promise<Iterable<Fill>> {
  const key = dataFileKey(account, file);
  const rows = await readLines(store, key, file.sha256);
  const damaged = (what: string) =>
    new FillbookError("untrusted", `${store.location}/${key} is damaged: ${what}`, {
      hint: "restore it from a backup or an older version of the object; nothing was changed",
    });
  if (rows.length !== file.fills) {
    throw damaged(`it holds ${rows.length} rows, but the archive expects ${file.fills}`);
  }
  return (function* () {
    let before: Fill | null = null;
    for (const row of rows) {
      const fill = fillOfRow(row);
      if (!isWithin(file, fill.txCreated) || (before !== null && byTxCreated(before, fill) >= 0)) {
        throw damaged("its rows are not in order, or not of its range");
      }
      before = fill;
      yield fill;
    }
  })();
}
