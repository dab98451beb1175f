import { hash } from "node:crypto";
import { fieldsIn } from "../core/record.ts";
import { isoTime } from "../core/time.ts";
import type { Store } from "../storage/store.ts";

const CHECK_FORMAT = "fillbook-check/1";
const TRIES = 3;
const MAX_BYTES = 2000;
const KINDS = ["files", "rewalk"] as const;
/** The most objects that are read. Each kind has one per checked period, and one for the whole archive. */
const MOST_READ = 512;
/** Stands for the whole archive in an object's name. */
const ALL = "all";

/**
 * The outcome of a check of the archive. Its findings are not stored: the check printed them, and can be run
 * again.
 */
export interface Check {
  /** `files`: hashes were compared. `rewalk`: the service was read again and compared. */
  readonly kind: "files" | "rewalk";
  /** Null: the whole archive. */
  readonly period: string | null;
  /** ms UTC. */
  readonly checkedAt: number;
  /** The number of the manifest that was checked. */
  readonly seq: number;
  readonly ok: boolean;
  /** Objects that were hashed, or windows that were read. */
  readonly checked: number;
  readonly findings: number;
  /** Where packs were read that are not with the archive; absent: none were. */
  readonly packStore?: string;
}

/** The newest check of each kind. */
export interface LastChecks {
  readonly files: Check | null;
  readonly rewalk: Check | null;
}

/** Which checks are asked for. */
export interface CheckScope {
  /** The number of the archive's manifest. A check of a later one was of a state that was undone since. */
  readonly seq: number;
  /** Only what covers this period. Absent: all. */
  readonly period?: string;
  /** Only those that also read the packs there. Absent: all. */
  readonly packStore?: string;
}

/**
 * Stores the check in place of the previous one of the same kind, period and pack store. One without findings
 * does not replace a check that began later. Rejects if the store cannot be written; the caller still reports
 * what the check found.
 */
export async function noteCheck(store: Store, account: string, check: Check): Promise<void> {
  const { checkedAt, ...rest } = check;
  const text = JSON.stringify({ format: CHECK_FORMAT, account, ...rest, checkedAt: isoTime(checkedAt) }, null, 2);
  const body = Buffer.from(`${text}\n`);
  const key = checkKey(account, check);
  for (let tried = 0; tried < TRIES; tried += 1) {
    const before = await store.get(key);
    const held = checkIn(Buffer.from(before?.body ?? []).toString(), account);
    if (check.ok && held !== null && held.checkedAt > checkedAt) {
      return;
    }
    if ((await store.replaceIf(key, body, before?.tag ?? null)) !== null) {
      return;
    }
  }
}

/**
 * How the archive was last checked. Of each kind the newest check; but where one has found something, that
 * one, until a later check covers all that it covered. What cannot be read counts as never checked.
 */
export async function lastChecks(store: Store, account: string, scope: CheckScope): Promise<LastChecks> {
  const checks = await keptChecks(store, account, scope);
  const [files = null, rewalk = null] = KINDS.map((kind) => lastOfKind(checks.filter((one) => one.kind === kind)));
  return { files, rewalk };
}

function lastOfKind(checks: readonly Check[]): Check | null {
  const unanswered = checks.filter((one) => !(one.ok || checks.some((later) => answers(later, one))));
  return (unanswered.length > 0 ? unanswered : checks).reduce<Check | null>(
    (a, b) => (a !== null && a.checkedAt >= b.checkedAt ? a : b),
    null,
  );
}

function answers(later: Check, { period, packStore, checkedAt }: Check): boolean {
  return (
    later.checkedAt > checkedAt &&
    (later.period === null || later.period === period) &&
    (packStore === undefined || later.packStore === packStore)
  );
}

/** The stored checks, one per kind, period and pack store. */
async function keptChecks(store: Store, account: string, { seq, period, packStore }: CheckScope): Promise<Check[]> {
  const wanted = period === undefined ? null : namesOf(account, [null, period]);
  const found: Check[] = [];
  let read = 0;
  for await (const { key, bytes } of store.list(checksPrefix(account))) {
    if (wanted?.some((name) => key.startsWith(`${name}.`)) === false) {
      continue;
    }
    read += 1;
    if (read > MOST_READ) {
      break;
    }
    const text = bytes > MAX_BYTES ? "" : Buffer.from((await store.get(key))?.body ?? []).toString();
    const check = checkIn(text, account);
    // A check under the name of another one must not replace it.
    if (check !== null && key === checkKey(account, check)) {
      found.push(check);
    }
  }
  return found.filter((one) => one.seq <= seq && (packStore === undefined || one.packStore === packStore));
}

function namesOf(account: string, periods: readonly (string | null)[]): readonly string[] {
  return KINDS.flatMap((kind) => periods.map((period) => checkName(account, kind, period)));
}

/** A check with a pack store has a key of its own: one without says nothing of the packs there. */
function checkKey(account: string, { kind, period, packStore }: Pick<Check, "kind" | "period" | "packStore">): string {
  const packs = packStore === undefined ? "" : `.packs-${hash("sha256", packStore, "hex").slice(0, 16)}`;
  return `${checkName(account, kind, period)}${packs}.json`;
}

function checkName(account: string, kind: Check["kind"], period: string | null): string {
  return `${checksPrefix(account)}${kind}/${period ?? ALL}`;
}

function checksPrefix(account: string): string {
  return `${account}/checks/`;
}

function checkIn(text: string, account: string): Check | null {
  const value = fieldsIn(text);
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
