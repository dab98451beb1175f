import type { Clock } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import type { Owner } from "../core/owner.ts";
import type { Random } from "../core/random.ts";
import { type Fields, fieldsIn, fieldsOf } from "../core/record.ts";
import type { Learned, ServiceReader } from "../service/service.ts";
import type { Store } from "../storage/store.ts";
import { headKey, manifestPrefix, manifestSeqOf } from "./keys.ts";
import { tryReplace } from "./objects.ts";

/** What the archive of one account needs of a run. */
export interface SessionPorts {
  readonly account: string;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** It begins where earlier runs have learned the service's rate. */
  readonly reader: Pick<ServiceReader, "begin" | "learned">;
  readonly signal: AbortSignal;
  readonly timeLeftMs?: () => number;
}

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
  if (stored === null) {
    return null;
  }
  const head = fieldsIn(new TextDecoder().decode(stored.body));
  if (isHead(head)) {
    return { head, tag: stored.tag };
  }
  const where = `${store.location}/${headKey(account)}`;
  throw head["format"] === "fillbook-head/1"
    ? new FillbookError("usage", `${where} belongs to an archive of an older format`, {
        hint: "sync the account into a new, empty --store: the service is asked for everything once more",
      })
    : new FillbookError("untrusted", `${where} is not a head that this version can read`, {
        hint: "nothing was changed; restore the object from its last version, or use the version of fillbook that wrote it",
      });
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
  let newest = { seq: 0, key: "" };
  for await (const { key } of store.list(manifestPrefix(account))) {
    const seq = manifestSeqOf(account, key) ?? 0;
    newest = seq > newest.seq ? { seq, key } : newest;
  }
  const named = held?.head.manifest?.seq ?? 0;
  if (newest.seq <= named + 1 || (await readHead(store, account))?.tag !== held?.tag) {
    return held; // with another tag: another run has committed since the head was read
  }
  const [what, way] =
    held === null
      ? ["is missing, but", "no data is lost: restore head.json from a backup or an older version of the object."]
      : [
          `is older than the archive: it names manifest ${named}, but`,
          "nothing was changed; restore head.json from its newest version or backup.",
        ];
  throw new FillbookError("untrusted", `${store.location}/${headKey(account)} ${what} ${newest.key} exists`, {
    hint: `${way} The newest manifest is ${newest.key}; RUNBOOK.md, "Restoring", explains how to write a head that names it`,
  });
}

/** Checks the fields that the program relies on. */
function isHead(value: Fields): value is Fields & Head {
  const { format, seq, commitId, manifest, collection, lastRun } = value;
  const [named, mark, run] = [fieldsOf(manifest), fieldsOf(collection), fieldsOf(lastRun ?? { endedAt: 0 })];
  return (
    format === HEAD_FORMAT &&
    typeof commitId === "string" &&
    (manifest === null || (Number.isSafeInteger(named["seq"]) && /^[0-9a-f]{64}$/.test(String(named["sha256"])))) &&
    [seq, mark["at"] ?? 0, run["endedAt"]].every(Number.isSafeInteger) &&
    typeof (run["problem"] ?? "") === "string"
  );
}

/** Another run has written the archive since this one read it. This run stops; it deletes nothing. */
export class FencedError extends FillbookError {
  constructor(where: string) {
    super("incomplete", `another run has written the archive ${where} meanwhile`, {
      hint: "everything that this run committed is kept: run again",
    });
  }
}

const EMPTY = { manifest: null, lastRun: null, collection: null, learned: null, table: null };

/**
 * Writes the head that follows `held` (null: there is none), if that still is the head. After any answer except a
 * plain success it reads the head back, because a refusal may answer the repeat of our own write whose first answer
 * was lost. Rejects with FencedError if another run has written; with `incomplete` if the outcome stays
 * unknown: the next run finds out by reading.
 */
export async function swapHead(
  { store, clock, random, account }: Pick<SessionPorts, "store" | "clock" | "random" | "account">,
  held: HeldHead | null,
  change: Partial<Omit<Head, "format" | "seq" | "commitId">>,
): Promise<HeldHead> {
  const own = { format: HEAD_FORMAT, seq: (held?.head.seq ?? 0) + 1, commitId: random.id() } as const;
  const next: Head = { ...EMPTY, ...held?.head, ...change, ...own };
  const tag = held?.tag ?? null;
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
