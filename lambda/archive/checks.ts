import { isRecord } from "../core/record.ts";
import { isoTime } from "../core/time.ts";
import type { Check, LastChecks } from "../job/context.ts";
import type { Store } from "../storage/store.ts";

const CHECK_FORMAT = "fillbook-check/1";
const TRIES = 3;
const MAX_BYTES = 2000;
const KINDS = ["files", "rewalk"] as const;
/** A kind has one object for each period that was checked, and one for all of the archive. */
const MOST_READ = 512;
/** In the name of the object of all of the archive. */
const ALL = "all";

/**
 * Stores the check in place of the previous one of the same kind and period. Rejects if the store cannot be
 * written; the caller still reports what the check found.
 */
export async function noteCheck(store: Store, account: string, check: Check): Promise<void> {
  const { checkedAt, ...rest } = check;
  const text = JSON.stringify({ format: CHECK_FORMAT, account, ...rest, checkedAt: isoTime(checkedAt) }, null, 2);
  const body = Buffer.from(`${text}\n`);
  const key = checkKey(account, check.kind, check.period);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const before = await store.get(key);
    if ((await store.replaceIf(key, body, before?.tag ?? null)) !== null) {
      return;
    }
  }
}

/**
 * How the archive was last checked; with `period`, that period or all of it. Of each kind the newest check; but
 * where one has found something, that one, until the same period, or all of the archive, is checked again. What
 * cannot be read counts as never checked.
 */
export async function lastChecks(store: Store, account: string, period?: string): Promise<LastChecks> {
  const checks = await keptChecks(store, account, period);
  const [files = null, rewalk = null] = KINDS.map((kind) => lastOfKind(checks.filter((one) => one.kind === kind)));
  return { files, rewalk };
}

function lastOfKind(checks: readonly Check[]): Check | null {
  const wholeAt = checks.find(({ period }) => period === null)?.checkedAt ?? Number.NEGATIVE_INFINITY;
  const unanswered = checks.filter(({ ok, period, checkedAt }) => !ok && (period === null || checkedAt > wholeAt));
  return (unanswered.length > 0 ? unanswered : checks).reduce<Check | null>(
    (a, b) => (a !== null && a.checkedAt >= b.checkedAt ? a : b),
    null,
  );
}

/** As they are kept, one for each kind and period. */
async function keptChecks(store: Store, account: string, period?: string): Promise<Check[]> {
  const wanted = period === undefined ? null : keysOf(account, [null, period]);
  const found: Check[] = [];
  let read = 0;
  for await (const { key, bytes } of store.list(checksPrefix(account))) {
    if (wanted?.includes(key) === false) {
      continue;
    }
    read += 1;
    if (read > MOST_READ) {
      break;
    }
    const text = bytes > MAX_BYTES ? "" : Buffer.from((await store.get(key))?.body ?? []).toString();
    const check = checkIn(text, account);
    // Under the name of another check it would stand in for it.
    if (check !== null && key === checkKey(account, check.kind, check.period)) {
      found.push(check);
    }
  }
  return found;
}

function keysOf(account: string, periods: readonly (string | null)[]): readonly string[] {
  return KINDS.flatMap((kind) => periods.map((period) => checkKey(account, kind, period)));
}

function checkKey(account: string, kind: Check["kind"], period: string | null): string {
  return `${checksPrefix(account)}${kind}/${period ?? ALL}.json`;
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
  const knownKind = KINDS.find((one) => one === kind);
  const isPeriod = period === null || typeof period === "string";
  if (!(isOurs && isPeriod) || knownKind === undefined || Number.isNaN(checkedAt)) {
    return null;
  }
  const packStore = value["packStore"];
  const read = typeof packStore === "string" ? { packStore } : {};
  return seq === undefined || checked === undefined || findings === undefined
    ? null
    : { kind: knownKind, period, checkedAt, seq, ok, checked, findings, ...read };
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
