import { monthName } from "../../archive/keys.ts";
import { FillbookError } from "../../core/errors.ts";
import { fieldsIn } from "../../core/record.ts";
import { isoTime } from "../../core/time.ts";
import type { Store } from "../../storage/store.ts";
import type { AccountStores } from "../packs.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const FORMAT = "fillbook-download/1";
/**
 * `20250301T120000.000Z-<random>`; the object's name adds `.json`. The names sort by time. Objects with other
 * names are not part of the history.
 */
const NAME = /^\d{8}T\d{6}\.\d{3}Z-[0-9A-Za-z-]{1,100}$/;
const END = ".json";
const MONTH = /^\d{4}-\d{2}$/;
const AT_ONCE = 32;

export interface DownloadRecord {
  readonly at: number;
  readonly user: string;
  readonly account: string;
  readonly period: string;
  readonly version: string;
  /** A file's path, or `*` for the whole pack as one ZIP. */
  readonly path: string;
}

export interface DownloadPage {
  readonly records: readonly DownloadRecord[];
  /** The name of the last record, from which the next page continues; null if there are no older records. */
  readonly older: string | null;
}

/**
 * Records who downloads what, before the first byte is sent: a download that cannot be recorded is refused.
 * Each record is an immutable object, `<account>/downloads/<month>/<time>-<id>.json`, in the archive's store,
 * and is never collected. It is never in the pack store, where it could be locked for years. `id`: a name
 * that no other record has.
 */
export async function recordDownload({ store }: AccountStores, record: DownloadRecord, id: string): Promise<void> {
  const time = isoTime(record.at).replaceAll(/[-:]/g, "");
  const key = `${prefixOf(record.account)}${monthName(record.at)}/${time}-${id}${END}`;
  const body = Buffer.from(`${JSON.stringify({ format: FORMAT, ...record })}\n`);
  if ((await store.createNew(key, body)) === "exists") {
    throw new FillbookError("fault", `${store.location}/${key} exists already`);
  }
}

/**
 * The newest records, at most `limit`, newest first. `before`: `older` of the previous page, to continue
 * there; a text that is not a record's name counts as null.
 */
export async function recentDownloads(
  { store, account }: AccountStores,
  limit: number,
  before: string | null,
): Promise<DownloadPage> {
  const end = before !== null && NAME.test(before) ? before : null;
  const found = await newestKeys(store, account, { count: limit + 1, end });
  const keys = found.slice(0, limit);
  const records = await mapConcurrent(keys, AT_ONCE, (key) => readRecord(store, account, key));
  const last = keys.at(-1);
  return { records, older: found.length > limit && last !== undefined ? nameOf(last) : null };
}

function prefixOf(account: string): string {
  return `${account}/downloads/`;
}

/** The newest keys: at least `count`, or all there are; newest first. `end`: only keys before this record's name. */
async function newestKeys(
  store: Store,
  account: string,
  { count, end }: { readonly count: number; readonly end: string | null },
): Promise<string[]> {
  const isAsked = (month: string) => end === null || month.replace("-", "") <= end.slice(0, 6);
  const months = (await Array.fromAsync(store.folders(prefixOf(account)))).filter(
    (month) => MONTH.test(month) && isAsked(month),
  );
  const keys: string[] = [];
  for (const month of months.toReversed()) {
    if (keys.length >= count) {
      break;
    }
    const prefix = `${prefixOf(account)}${month}/`;
    const listed = (await Array.fromAsync(store.list(prefix))).map(({ key }) => key).reverse();
    const isRecord = (name: string) => NAME.test(name) && (end === null || name < end);
    keys.push(...listed.filter((key) => key.endsWith(END) && isRecord(key.slice(prefix.length, -END.length))));
  }
  return keys;
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1, -END.length);
}

async function readRecord(store: Store, account: string, key: string): Promise<DownloadRecord> {
  const stored = await store.get(key);
  const record = stored === null ? null : parseRecord(Buffer.from(stored.body).toString());
  if (record === null || record.account !== account) {
    throw new FillbookError("untrusted", `${store.location}/${key} is not a download record of fillbook`, {
      hint: "records never change: find out who changed this one, or move it away",
    });
  }
  return record;
}

function parseRecord(text: string): DownloadRecord | null {
  const { format, at, user, account, period, version, path } = fieldsIn(text);
  const isRecord =
    format === FORMAT &&
    Number.isSafeInteger(at) &&
    [user, account, period, version, path].every((field) => typeof field === "string");
  return isRecord ? ({ at, user, account, period, version, path } as DownloadRecord) : null; // the types were just looked at
}
