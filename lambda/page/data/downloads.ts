import { monthName } from "../../archive/keys.ts";
import { FillbookError } from "../../errors.ts";
import { compareText } from "../../model/text.ts";
import { isoTime } from "../../model/time.ts";
import type { Store } from "../../store/store.ts";
import type { DownloadRecord, Downloads } from "../ports.ts";
import { mapAtOnce } from "./at-once.ts";

const FORMAT = "fillbook-download/1";
/** `20250301T120000.000Z-<random>.json`: sorts as time. What has another name is not of the history. */
const NAME = /^\d{8}T\d{6}\.\d{3}Z-[0-9A-Za-z-]+\.json$/;
const MONTH = /^\d{4}-\d{2}$/;
const READS_AT_ONCE = 16;
const FIELDS = ["user", "account", "period", "version", "path"] as const;

/**
 * Who downloaded what: an immutable object each, `<account>/downloads/<month>/<time>-<random>.json` in the archive's store, which nothing collects. Never in
 * the pack store, where it could be locked for years. `newId`: a name that no other record has.
 */
export function openDownloads(store: Store, newId: () => string): Downloads {
  return {
    async record(record) {
      const key = `${prefixOf(record.account)}${monthName(record.at)}/${timeName(record.at)}-${newId()}.json`;
      const body = Buffer.from(`${JSON.stringify({ format: FORMAT, ...record })}\n`);
      if ((await store.createNew(key, body)) === "exists") {
        throw new FillbookError("fault", `${store.location}/${key} is there already`);
      }
    },
    async recent(account, limit) {
      const records: DownloadRecord[] = [];
      for (const month of await monthsOf(store, account)) {
        const keys = (await keysOf(store, `${prefixOf(account)}${month}/`)).slice(0, limit - records.length);
        records.push(...(await mapAtOnce(keys, READS_AT_ONCE, (key) => readRecord(store, account, key))));
        if (records.length >= limit) {
          break;
        }
      }
      return records;
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

/** Newest first. */
async function keysOf(store: Store, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) {
    if (NAME.test(key.slice(prefix.length))) {
      keys.push(key);
    }
  }
  return keys.reverse();
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
