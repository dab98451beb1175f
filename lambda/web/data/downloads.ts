import { monthName } from "../../archive/keys.ts";
import { FillbookError } from "../../core/errors.ts";
import { compareText } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import type { Store } from "../../storage/store.ts";
import type { DownloadRecord, Downloads } from "../ports.ts";
import { mapConcurrent } from "./map-concurrent.ts";

const FORMAT = "fillbook-download/1";
/** `20250301T120000.000Z-<random>`, and `.json` after it: sorts as time. What has another name is not of the history. */
const NAME = /^\d{8}T\d{6}\.\d{3}Z-[0-9A-Za-z-]{1,100}$/;
const END = ".json";
const MONTH = /^\d{4}-\d{2}$/;
const AT_ONCE = 32;
const FIELDS = ["user", "account", "period", "version", "path"] as const;

/**
 * Who downloaded what: an immutable object each, `<account>/downloads/<month>/<time>-<random>.json` in the archive's store, which nothing collects. Never in
 * the pack store, where it could be locked for years. `newId`: a name that no other record has.
 */
export function openDownloads(store: Store, newId: () => string): Downloads {
  return {
    async record(record) {
      const key = `${prefixOf(record.account)}${monthName(record.at)}/${timeName(record.at)}-${newId()}${END}`;
      const body = Buffer.from(`${JSON.stringify({ format: FORMAT, ...record })}\n`);
      if ((await store.createNew(key, body)) === "exists") {
        throw new FillbookError("fault", `${store.location}/${key} is there already`);
      }
    },
    async recent(account, limit, before) {
      const end = before !== null && NAME.test(before) ? before : null;
      const found = await newestKeys(store, account, { count: limit + 1, end });
      const keys = found.slice(0, limit);
      const records = await mapConcurrent(keys, AT_ONCE, (key) => readRecord(store, account, key));
      const last = keys.at(-1);
      return { records, older: found.length > limit && last !== undefined ? nameOf(last) : null };
    },
  };
}

function prefixOf(account: string): string {
  return `${account}/downloads/`;
}

function timeName(ms: number): string {
  return isoTime(ms).replaceAll(/[-:]/g, "");
}

/** Newest first. */
async function monthsOf(store: Store, account: string): Promise<string[]> {
  const months: string[] = [];
  for await (const month of store.folders(prefixOf(account))) {
    months.push(month);
  }
  return months.filter((month) => MONTH.test(month)).sort((a, b) => compareText(b, a));
}

/**
 * At least so many of the newest keys, or all, newest first; those before `end`, a record's name, where it is given. A month is listed whole; of seldom
 * used ones more at a time, so that ten years of them are a few rounds.
 */
async function newestKeys(
  store: Store,
  account: string,
  { count, end }: { readonly count: number; readonly end: string | null },
): Promise<string[]> {
  const isBefore = (key: string): boolean => end === null || nameOf(key) < end;
  const months = (await monthsOf(store, account)).filter((month) => end === null || month <= monthOfName(end));
  const keys: string[] = [];
  for (
    let at = 0, next = 1;
    at < months.length && keys.length < count;
    at += next, next = Math.min(4 * next, AT_ONCE)
  ) {
    const listed = await mapConcurrent(months.slice(at, at + next), AT_ONCE, (month) =>
      keysOf(store, `${prefixOf(account)}${month}/`),
    );
    keys.push(...listed.flat().filter(isBefore));
  }
  return keys;
}

/** Newest first. */
async function keysOf(store: Store, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) {
    if (key.endsWith(END) && NAME.test(key.slice(prefix.length, -END.length))) {
      keys.push(key);
    }
  }
  return keys.reverse();
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1, -END.length);
}

/** The month that its folder is named for. */
function monthOfName(name: string): string {
  return `${name.slice(0, 4)}-${name.slice(4, 6)}`;
}

async function readRecord(store: Store, account: string, key: string): Promise<DownloadRecord> {
  const stored = await store.get(key);
  const record = stored === null ? null : parseRecord(Buffer.from(stored.body).toString());
  if (record === null || record.account !== account) {
    throw new FillbookError("untrusted", `${store.location}/${key} is not a download that this fillbook recorded`, {
      hint: "records are written once: look at who changed it, or move it away",
    });
  }
  return record;
}

function parseRecord(text: string): DownloadRecord | null {
  try {
    const record = JSON.parse(text);
    const isRecord =
      record.format === FORMAT &&
      Number.isSafeInteger(record.at) &&
      FIELDS.every((field) => typeof record[field] === "string");
    const { at, user, account, period, version, path } = record;
    return isRecord ? { at, user, account, period, version, path } : null;
  } catch {
    return null;
  }
}
