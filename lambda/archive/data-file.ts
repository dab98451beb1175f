import { FillbookError } from "../core/errors.ts";
import { byTxCreated, type Fill, identityOf, tradeTime } from "../core/fill.ts";
import { isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { exceptionsOf } from "../formats/fill-exceptions.ts";
import { fillOfRow } from "../formats/row.ts";
import type { Store } from "../storage/store.ts";
import { dataFileKey } from "./keys.ts";
import type { DataFile } from "./manifest.ts";
import { encodeText, linesOf, readText, textOf } from "./objects.ts";

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

/** The fills of a text's lines from its beginning or from its end (`step` -1) until one is not asked for. */
export function fillsIn(text: Buffer, step: 1 | -1, isAsked: (fill: Fill) => boolean) {
  const fills: Fill[] = [];
  let rest = text;
  while (rest.length > 0) {
    const at = (step === 1 ? rest.indexOf("\n") : rest.lastIndexOf("\n", -2)) + 1;
    const [line, others] =
      step === 1 ? [rest.subarray(0, at), rest.subarray(at)] : [rest.subarray(at), rest.subarray(0, at)];
    const fill = fillOfRow(line.toString("utf8", 0, line.length - 1));
    if (!isAsked(fill)) {
      break;
    }
    fills.push(fill);
    rest = others;
  }
  return { fills, rest };
}

/**
 * `older`, then `younger`, which begins in the last piece of that one or later. Only the times of both are parsed; a
 * row of both is there once. Null: they have other versions of a fill.
 */
export function joinedDraft(older: Draft, younger: Draft): Draft | null {
  const [before = Buffer.of(), after = Buffer.of()] = [older.texts.at(-1), younger.texts[0]];
  const ours = fillsIn(before, -1, ({ txCreated }) => txCreated >= younger.from);
  const last = ours.fills[0]?.txCreated ?? Number.NEGATIVE_INFINITY;
  const theirs = fillsIn(after, 1, ({ txCreated }) => txCreated <= last);
  const rows = new Set(ours.fills.map(({ row }) => row));
  const again = theirs.fills.filter(({ row }) => rows.has(row));
  const both = [...ours.fills, ...theirs.fills.filter(({ row }) => !rows.has(row))].sort(byTxCreated);
  if (new Set(both.map(identityOf)).size < both.length) {
    return null;
  }
  const border = textOf(both.map(({ row }) => row));
  const texts = [...older.texts.slice(0, -1), ours.rest, border, theirs.rest, ...younger.texts.slice(1)];
  return {
    ...older,
    fills: older.fills + younger.fills - again.length,
    firstTrade: Math.min(older.firstTrade, younger.firstTrade),
    lastTrade: Math.max(older.lastTrade, younger.lastTrade),
    exceptions: older.exceptions + younger.exceptions - draftOf(older, again).exceptions,
    texts: texts.filter(({ length }) => length > 0),
  };
}

/** `draft`: with at least one row. */
export function encodeDataFile(
  { from, to, kind, texts, ...counts }: Draft,
  run: string,
): { readonly file: DataFile; readonly body: Uint8Array } {
  const { sha256, body } = encodeText(Buffer.concat(texts));
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
