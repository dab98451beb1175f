import { FillbookError } from "../core/errors.ts";
import { byTxCreated, type Fill, identityOf, tradeTime } from "../core/fill.ts";
import { isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { exceptionsOf } from "../formats/fill-exceptions.ts";
import { linesOf, textOf } from "../formats/lines.ts";
import { fillOfRow } from "../formats/row.ts";
import type { Store } from "../storage/store.ts";
import { dataFileKey } from "./keys.ts";
import type { DataFile } from "./manifest.ts";
import { encodeText, readText } from "./objects.ts";

/**
 * A data file that is not written yet. It holds the rows of fills, one a line, in order of `tx_created`,
 * `match_id`, `order_id`; zstd.
 */
export interface Draft extends Omit<DataFile, "sha256" | "run" | "bytes"> {
  /** In pieces of whole lines. */
  readonly texts: readonly Buffer[];
}

/** `fills`: sorted. */
export function draftOf({ from, to, kind }: TimeRange & Pick<DataFile, "kind">, fills: readonly Fill[]): Draft {
  let [firstTrade, lastTrade, exceptions] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const fill of fills) {
    const time = tradeTime(fill);
    firstTrade = Math.min(firstTrade, time);
    lastTrade = Math.max(lastTrade, time);
    exceptions += exceptionsOf(fill).length > 0 ? 1 : 0;
  }
  const texts = fills.length === 0 ? [] : [textOf(fills.map(({ row }) => row))];
  return { from, to, fills: fills.length, firstTrade, lastTrade, exceptions, kind, texts };
}

export function fillsOf(text: Buffer): readonly Fill[] {
  return [...linesOf(text)].map((row) => fillOfRow(row));
}

/** The row of a text to which a byte belongs: its fill, and the bytes that it takes. */
export function rowAt(text: Buffer, byte: number) {
  const from = byte === 0 ? 0 : text.lastIndexOf("\n", byte - 1) + 1;
  const end = text.indexOf("\n", byte);
  return { fill: fillOfRow(text.toString("utf8", from, end)), from, to: end + 1 };
}

/** The fills behind a place of a text, or before it (`step` -1), one after the other. */
export function* fillsFrom(text: Buffer, place: number, step: 1 | -1): Generator<Fill> {
  for (let byte = step === 1 ? place : place - 1; byte >= 0 && byte < text.length; ) {
    const { fill, from, to } = rowAt(text, byte);
    yield fill;
    byte = step === 1 ? to : from - 1;
  }
}

/** Where the rows of `time` and later begin in a text. */
export function placeIn(text: Buffer, time: number): number {
  let [before, from] = [0, text.length];
  while (before < from) {
    const row = rowAt(text, (before + from) >> 1);
    [before, from] = row.fill.txCreated < time ? [row.to, from] : [before, row.from];
  }
  return from;
}

/**
 * `older`, then `younger`, which begins in the last piece of that one or later. Only the times of both are parsed; a
 * row of both is there once. Null: they have other versions of a fill.
 */
export function joinedDraft(older: Draft, younger: Draft): Draft | null {
  const [before = Buffer.of(), after = Buffer.of()] = [older.texts.at(-1), younger.texts[0]];
  const border = placeIn(before, younger.from);
  const ours = fillsOf(before.subarray(border));
  const end = placeIn(after, (ours.at(-1)?.txCreated ?? 0) + 1);
  const theirs = fillsOf(after.subarray(0, end));
  const rows = new Set(ours.map(({ row }) => row));
  const again = theirs.filter(({ row }) => rows.has(row));
  const both = [...ours, ...theirs.filter(({ row }) => !rows.has(row))].sort(byTxCreated);
  if (new Set(both.map(identityOf)).size < both.length) {
    return null;
  }
  const pieces = [before.subarray(0, border), textOf(both.map(({ row }) => row)), after.subarray(end)];
  const texts = [...older.texts.slice(0, -1), ...pieces, ...younger.texts.slice(1)];
  return {
    ...older,
    fills: older.fills + younger.fills - again.length,
    firstTrade: Math.min(older.firstTrade, younger.firstTrade),
    lastTrade: Math.max(older.lastTrade, younger.lastTrade),
    exceptions: older.exceptions + younger.exceptions - draftOf(older, again).exceptions,
    texts: texts.filter(({ length }) => length > 0),
  };
}

/** A canonical row has its ids side by side, if the service sends no field whose name lies between theirs. */
const [MATCH_ID, ORDER_ID, QUOTE] = [Buffer.from('"matchId":"'), Buffer.from(',"orderId":"'), 0x22];

/** Whether a draft may hold a fill twice, at two times: also if ids are not one text, or if rows hold objects. */
export function isTwiceIn({ texts, fills }: Draft): boolean {
  const ids = new Set<string>();
  let rows = 0;
  for (const text of texts) {
    rows += [":{", "[{", ",{"].some((begin) => text.includes(begin)) ? Number.NaN : 0; // an object may hold other ids
    for (let at = text.indexOf(MATCH_ID); at !== -1; at = text.indexOf(MATCH_ID, at + 1)) {
      const order = text.indexOf(QUOTE, at + MATCH_ID.length) + 1;
      ids.add(text.toString("latin1", at, text.indexOf(QUOTE, order + ORDER_ID.length)));
      rows += text.indexOf(ORDER_ID, order) === order ? 1 : 2;
    }
  }
  return ids.size < rows || rows !== fills;
}

/** `draft`: with at least one row. */
export function encodeDataFile(
  { from, to, kind, texts, ...counts }: Draft,
  run: string,
): { readonly file: DataFile; readonly body: Uint8Array } {
  const { sha256, body } = encodeText(texts.length === 1 && texts[0] !== undefined ? texts[0] : Buffer.concat(texts));
  return { file: { from, to, sha256, run, ...counts, bytes: body.length, kind }, body };
}

/** The fills of a data file. Rejects with `untrusted` if it is missing, damaged or not as its entry says. */
export async function readDataFile(store: Store, account: string, file: DataFile): Promise<readonly Fill[]> {
  return [...(await openDataFile(store, account, file))];
}

/** The same fills, as often as one iterates over them: each is made then, so that memory holds few of them. */
export async function openDataFile(store: Store, account: string, file: DataFile): Promise<Iterable<Fill>> {
  const key = dataFileKey(account, file);
  const text = await readText(store, key, file.sha256);
  const damaged = (what: string) =>
    new FillbookError("untrusted", `${store.location}/${key} is damaged: ${what}`, {
      hint: "restore it from a backup or an older version of the object; nothing was changed",
    });
  return {
    *[Symbol.iterator]() {
      let before: Fill | null = null;
      let rows = 0;
      for (const row of linesOf(text)) {
        const fill = fillOfRow(row);
        if (!isWithin(file, fill.txCreated) || (before !== null && byTxCreated(before, fill) >= 0)) {
          throw damaged("its rows are not in order, or not of its range");
        }
        before = fill;
        rows += 1;
        yield fill;
      }
      if (rows !== file.fills) {
        throw damaged(`it holds ${rows} rows, but the archive expects ${file.fills}`);
      }
    },
  };
}
