import { FillbookError } from "../core/errors.ts";
import type { Owner } from "../core/owner.ts";
import type { Random } from "../core/random.ts";
import { type Fields, fieldsIn, fieldsOf } from "../core/record.ts";
import type { Learned } from "../service/service.ts";
import type { Store, StoredObject } from "../storage/store.ts";
import { headKey, manifestPrefix, manifestSeqOf } from "./keys.ts";
import { tryReplace } from "./objects.ts";
import type { SessionPorts } from "./ports.ts";

/** The head is the only object that is rewritten, by compare-and-swap. It names the current manifest. */
export const HEAD_FORMAT = "fillbook-head/2";

export interface Head {
  readonly format: typeof HEAD_FORMAT;
  /**
   * Grows by one with every write. Equal contents never recur, so a tag cannot be mistaken for an older one.
   */
  readonly seq: number;
  /** Unique to this write. A writer that lost the answer recognises its own write by it. */
  readonly commitId: string;
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  /** The outcome of the last run that ended. */
  readonly lastRun: LastRun | null;
  /** When orphans were last collected, by the store's own clock, ms UTC. */
  readonly collection: { readonly at: number } | null;
  /**
   * Whose fills the archive holds. Absent: no token has told. It stands in the head because a service that
   * moves changes no fill.
   */
  readonly owner?: Owner;
  /**
   * What is known of the service's rate limit. It stands in the head because it says nothing about fills and
   * changes without a commit.
   */
  readonly learned: Learned | null;
  /** The number of the manifest of which `table/` was written last. Null: it never was. */
  readonly table: number | null;
}

export interface LastRun {
  /** Wall time, ms UTC. */
  readonly endedAt: number;
  readonly complete: boolean;
  readonly problem: string | null;
}

export interface HeldHead {
  readonly head: Head;
  readonly tag: string;
}

const MAX_SWAP_TRIES = 8;
const SWAP_PAUSE_MS = 200;

export async function readHead(store: Store, account: string): Promise<HeldHead | null> {
  const stored = await store.get(headKey(account));
  return stored === null ? null : { head: parseHead(stored, `${store.location}/${headKey(account)}`), tag: stored.tag };
}

/**
 * The head; null if there never was one. Rejects with `untrusted` if the manifests show that the head is
 * missing, or is an older one that was restored. It lists them once.
 *
 * A run writes a manifest whose number is one more than the head's, then swaps the head to it. So a run that
 * was killed or fenced leaves at most a manifest of that number, and the next number is written only after
 * the head has named the one before. A head that is older by a single commit cannot be told from the head of
 * a killed run. It is accepted: what that commit covered is not covered then, and is read again.
 */
export async function readNewestHead(store: Store, account: string): Promise<HeldHead | null> {
  const held = await readHead(store, account);
  const newest = await newestManifest(store, account);
  const named = held?.head.manifest?.seq ?? 0;
  if (newest.seq <= named + 1 || (await readHead(store, account))?.tag !== held?.tag) {
    return held; // with another tag: another run has committed since the head was read
  }
  const where = `${store.location}/${headKey(account)}`;
  const newly = `The newest manifest is ${newest.key}; RUNBOOK.md, "Restoring", explains how to write a head that names it`;
  throw held === null
    ? new FillbookError("untrusted", `${where} is missing, but ${newest.key} exists`, {
        hint: `no data is lost: restore head.json from a backup or an older version of the object. ${newly}`,
      })
    : new FillbookError(
        "untrusted",
        `${where} is older than the archive: it names manifest ${named}, but ${newest.key} exists`,
        { hint: `nothing was changed; restore head.json from its newest version or backup. ${newly}` },
      );
}

async function newestManifest(store: Store, account: string): Promise<{ readonly seq: number; readonly key: string }> {
  let newest = { seq: 0, key: "" };
  for await (const { key } of store.list(manifestPrefix(account))) {
    const seq = manifestSeqOf(account, key) ?? 0;
    newest = seq > newest.seq ? { seq, key } : newest;
  }
  return newest;
}

function parseHead(stored: StoredObject, where: string): Head {
  const value = fieldsIn(new TextDecoder().decode(stored.body));
  if (isHead(value)) {
    return value;
  }
  throw value["format"] === "fillbook-head/1"
    ? new FillbookError("usage", `${where} belongs to an archive of an older format`, {
        hint: "sync the account into a new, empty --store: the service is asked for everything once more",
      })
    : new FillbookError("untrusted", `${where} is not a head that this version can read`, {
        hint: "nothing was changed; restore the object from its last version, or use the version of fillbook that wrote it",
      });
}

/** Checks the fields that the program relies on. */
function isHead(value: Fields): value is Fields & Head {
  const { format, seq, commitId, manifest, collection } = value;
  const [named, mark] = [fieldsOf(manifest), fieldsOf(collection)];
  return (
    format === HEAD_FORMAT &&
    typeof commitId === "string" &&
    (manifest === null || (Number.isSafeInteger(named["seq"]) && /^[0-9a-f]{64}$/.test(String(named["sha256"])))) &&
    [seq, mark["at"] ?? 0].every(Number.isSafeInteger)
  );
}

export type HeadChange = Partial<Pick<Head, "manifest" | "lastRun" | "collection" | "learned" | "owner" | "table">>;

const EMPTY = { manifest: null, lastRun: null, collection: null, learned: null, table: null };

/** The head that follows `previous`. */
export function nextHead(previous: Head | null, change: HeadChange, random: Random): Head {
  const seq = (previous?.seq ?? 0) + 1;
  return { ...EMPTY, ...previous, ...change, format: HEAD_FORMAT, seq, commitId: random.id() };
}

/** Another run has written the archive since this one read it. This run stops; it deletes nothing. */
export class FencedError extends FillbookError {
  constructor(where: string) {
    super("incomplete", `another run has written the archive ${where} meanwhile`, {
      hint: "everything that this run committed is kept: run again",
    });
  }
}

/**
 * Writes `next` over the head that has the tag `tag` (null: there is no head). After any answer except a plain
 * success it reads the head back, because a refusal may answer the repeat of our own write whose first answer
 * was lost. Rejects with FencedError if another run has written; with `incomplete` if the outcome stays
 * unknown: the next run finds out by reading.
 */
export async function swapHead(
  { store, clock, account }: Pick<SessionPorts, "store" | "clock" | "account">,
  next: Head,
  tag: string | null,
): Promise<HeldHead> {
  const body = new TextEncoder().encode(`${JSON.stringify(next)}\n`);
  for (let attempt = 0; attempt < MAX_SWAP_TRIES; attempt += 1) {
    if (attempt > 0) {
      await clock.sleep(SWAP_PAUSE_MS * attempt);
    }
    const landed = await tryReplace(store, headKey(account), body, tag);
    if (landed !== null) {
      return { head: next, tag: landed };
    }
    const stored = await readHead(store, account);
    if (stored?.head.commitId === next.commitId) {
      return stored;
    }
    if ((stored?.tag ?? null) !== tag) {
      throw new FencedError(`${store.location}/${account}`);
    }
  }
  throw new FillbookError("incomplete", `it is unknown whether the last commit to ${store.location} was written`, {
    hint: "nothing was deleted; run again: the next run reads the current state",
  });
}
