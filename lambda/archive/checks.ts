import { isRecord } from "../core/record.ts";
import { isoTime } from "../core/time.ts";
import type { Check, LastChecks } from "../job/context.ts";
import type { Store } from "../storage/store.ts";

const CHECK_FORMAT = "fillbook-check/1";
const TRIES = 3;
const MAX_BYTES = 2000;
/** Each kind has one object per checked period, and one for the whole archive. */
const MOST_READ = 64;

/**
 * Stores the check in place of the previous one of the same kind and period. Rejects if the store cannot be
 * written; the caller still reports what the check found.
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
 * The newest check of each kind. With `period`: only checks of that period or of the whole archive. A record
 * that cannot be read counts as absent.
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
