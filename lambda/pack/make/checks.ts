import { tryReplace } from "../../archive/objects.ts";
import { fieldsIn, fieldsOf } from "../../core/record.ts";
import type { Check, LastChecks } from "../../job/context.ts";
import type { Store } from "../../storage/store.ts";

const FORMAT = "fillbook-checks/1";
const TRIES = 3;
const KINDS = ["files", "rewalk"] as const;
/** The most checks that are kept: the newest of each kind, period and pack store. */
const MOST_KEPT = 512;
const COUNTS = ["checkedAt", "seq", "checked", "findings"] as const;

/** Which checks are asked for. */
export interface CheckScope {
  /** The number of the archive's manifest. A check of a later one was of a state that was undone since. */
  readonly seq: number;
  /** Only what covers this period. Absent: all. */
  readonly period?: string;
  /** Of files without findings, only those that also read the packs there. Absent: all. */
  readonly packStore?: string;
}

/**
 * Keeps the check in place of the previous one of the same kind, period and pack store. One without findings
 * does not replace a check that began later. Rejects if the store cannot be written; the caller still reports
 * what the check found.
 */
export async function noteCheck(store: Store, account: string, check: Check): Promise<void> {
  const isSame = ({ kind, period, packStore }: Check) =>
    kind === check.kind && period === check.period && packStore === check.packStore;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const stored = await store.get(keyOf(account));
    const kept = checksIn(stored?.body, account);
    if (check.ok && kept.some((one) => isSame(one) && one.checkedAt > check.checkedAt)) {
      return;
    }
    const checks = [...kept.filter((one) => !isSame(one)), check].slice(-MOST_KEPT);
    const body = Buffer.from(`${JSON.stringify({ format: FORMAT, account, checks }, null, 2)}\n`);
    if ((await tryReplace(store, keyOf(account), body, stored?.tag ?? null)) !== null) {
      return;
    }
  }
}

/**
 * How the archive was last checked. Of each kind the newest check; but where one has found something, that
 * one, until a later check covers all that it covered. What cannot be read counts as never checked.
 */
export async function lastChecks(store: Store, account: string, scope: CheckScope): Promise<LastChecks> {
  const { seq, period, packStore } = scope;
  const checks = checksIn((await store.get(keyOf(account)))?.body, account).filter(
    (one) => one.seq <= seq && (period === undefined || one.period === null || one.period === period),
  );
  const reads = (one: Check) => packStore === undefined || one.kind === "rewalk" || one.packStore === packStore;
  const [files = null, rewalk = null] = KINDS.map((kind) => {
    const own = checks.filter((one) => one.kind === kind);
    const unanswered = own.filter((one) => !(one.ok || own.some((later) => answers(later, one))));
    const shown = unanswered.length > 0 ? unanswered : own.filter(reads);
    return shown.toSorted((a, b) => b.checkedAt - a.checkedAt)[0] ?? null;
  });
  return { files, rewalk };
}

function answers(later: Check, { period, packStore, checkedAt }: Check): boolean {
  return (
    later.checkedAt > checkedAt &&
    (later.period === null || later.period === period) &&
    (packStore === undefined || later.packStore === packStore)
  );
}

function keyOf(account: string): string {
  return `${account}/checks/newest.json`;
}

function checksIn(body: Uint8Array | undefined, account: string): readonly Check[] {
  const { format, account: owner, checks } = fieldsIn(new TextDecoder().decode(body));
  return format === FORMAT && owner === account && Array.isArray(checks) ? checks.filter(isCheck) : [];
}

function isCheck(value: unknown): value is Check {
  const { kind, period, ok, packStore = "", ...counts } = fieldsOf(value);
  return (
    KINDS.some((one) => one === kind) &&
    (period === null || typeof period === "string") &&
    typeof ok === "boolean" &&
    typeof packStore === "string" &&
    COUNTS.every((name) => Number.isSafeInteger(counts[name]) && Number(counts[name]) >= 0)
  );
}
