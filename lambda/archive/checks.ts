import { isRecord } from "../core/record.ts";
import { isoTime } from "../core/time.ts";
import type { Check, LastChecks } from "../job/context.ts";
import type { Store } from "../storage/store.ts";

const CHECK_FORMAT = "fillbook-check/1";
const TRIES = 3;
const MAX_BYTES = 2000;
/** A kind has one object for each period that was checked, and one for all of the archive. */
const MOST_READ = 64;

/**
 * Keeps the check in place of the one before of its kind and period. Rejects where the store cannot be
 * written: whoever checks tells what was found all the same.
 */
export async function noteCheck(store: Store, account: string, check: Check): Promise<void> {
  const { checkedAt, ...rest } = check;
  const text = JSON.stringify({ format: CHECK_FORMAT, account, ...rest, checkedAt: isoTime(checkedAt) }, null, 2);
  const body = Buffer.from(`${text}\n`);
  const key = `${checksPrefix(account)}${check.kind}/${check.period ?? "all"}.json`;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const before = await store.get(key);
    if ((await store.replaceIf(key, body, before?.tag ?? null)) !== null) {
      return;
    }
  }
}

/**
 * The newest checks; with `period`, those of that period or of all of the archive. What cannot be read counts
 * as never checked.
 */
export async function lastChecks(store: Store, account: string, period?: string): Promise<LastChecks> {
  const found: Check[] = [];
  let read = 0;
  for await (const { key, bytes } of store.list(checksPrefix(account))) {
    read += 1;
    if (read > MOST_READ) {
      break;
    }
    const check =
      bytes > MAX_BYTES ? null : checkIn(Buffer.from((await store.get(key))?.body ?? []).toString(), account);
    found.push(...(check === null ? [] : [check]));
  }
  const newest = (kind: Check["kind"]) =>
    found
      .filter((one) => one.kind === kind && (period === undefined || one.period === null || one.period === period))
      .reduce<Check | null>((a, b) => (a !== null && a.checkedAt >= b.checkedAt ? a : b), null);
  return { files: newest("files"), rewalk: newest("rewalk") };
}

function checksPrefix(account: string): string {
  return `${account}/checks/`;
}

function checkIn(text: string, account: string): Check | null {
  const value = parsed(text);
  const { format, kind, period, ok } = value;
  const checkedAt = typeof value["checkedAt"] === "string" ? Date.parse(value["checkedAt"]) : Number.NaN;
  const [seq, checked, findings] = [value["seq"], value["checked"], value["findings"]].map(countIn);
  const isOurs = format === CHECK_FORMAT && value["account"] === account && typeof ok === "boolean";
  const isKind = kind === "files" || kind === "rewalk";
  const isPeriod = period === null || typeof period === "string";
  if (!(isOurs && isKind && isPeriod) || Number.isNaN(checkedAt)) {
    return null;
  }
  return seq === undefined || checked === undefined || findings === undefined
    ? null
    : { kind, period, checkedAt, seq, ok, checked, findings };
}

function countIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
