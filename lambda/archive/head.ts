import type { Clock } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import type { Owner } from "../core/owner.ts";
import type { Random } from "../core/random.ts";
import type { Learned } from "../service/service.ts";
import type { Store, StoredObject } from "../storage/store.ts";
import { headKey } from "./keys.ts";
import { tryReplace } from "./objects.ts";

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
  /** The commits before this one, newest first. */
  readonly recentCommitIds: readonly string[];
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  /** The outcome of the last run that ended. */
  readonly lastRun: LastRun | null;
  /**
   * The last finished collection of orphans. After the archive's first complete run: a mark that delays the
   * first collection by a week.
   */
  readonly collection: CollectionMark | null;
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

export interface CollectionMark {
  /** By the store's own clock, ms UTC. */
  readonly at: number;
  /** The number of the manifest that was current at that time. */
  readonly seq: number;
}

export interface HeldHead {
  readonly head: Head;
  readonly tag: string;
}

const RECENT_COMMITS = 16;
const MAX_SWAP_TRIES = 8;
const SWAP_PAUSE_MS = 200;

export async function readHead(store: Store, account: string): Promise<HeldHead | null> {
  const stored = await store.get(headKey(account));
  return stored === null ? null : { head: parseHead(stored, `${store.location}/${headKey(account)}`), tag: stored.tag };
}

function parseHead(stored: StoredObject, where: string): Head {
  try {
    const head = JSON.parse(new TextDecoder().decode(stored.body)) as Head;
    if (isHead(head)) {
      return head;
    }
    refuseOlder(head, where);
  } catch (error) {
    if (error instanceof FillbookError) {
      throw error;
    }
    // Whatever else is wrong, the object is not a head.
  }
  throw new FillbookError("untrusted", `${where} is not a head that this version can read`, {
    hint: "nothing was changed; restore the object from its last version, or use the version of fillbook that wrote it",
  });
}

function refuseOlder({ format }: { readonly format: unknown }, where: string): void {
  if (format === "fillbook-head/1") {
    throw new FillbookError("usage", `${where} belongs to an archive of an older format`, {
      hint: "sync the account into a new, empty --store: the service is asked for everything once more",
    });
  }
}

/** Checks the fields that the program relies on. */
function isHead({ format, seq, commitId, recentCommitIds, manifest, collection }: Head): boolean {
  return (
    format === HEAD_FORMAT &&
    Number.isSafeInteger(seq) &&
    typeof commitId === "string" &&
    Array.isArray(recentCommitIds) &&
    (manifest === null || (Number.isSafeInteger(manifest.seq) && /^[0-9a-f]{64}$/.test(manifest.sha256))) &&
    [collection?.at ?? 0, collection?.seq ?? 0].every(Number.isSafeInteger)
  );
}

export type HeadChange = Partial<Pick<Head, "manifest" | "lastRun" | "collection" | "learned" | "owner" | "table">>;

/** The head that follows `previous`. */
export function nextHead(previous: Head | null, change: HeadChange, random: Random): Head {
  const owner = change.owner ?? previous?.owner;
  return {
    format: HEAD_FORMAT,
    seq: (previous?.seq ?? 0) + 1,
    commitId: random.id(),
    recentCommitIds: previous === null ? [] : [previous.commitId, ...previous.recentCommitIds].slice(0, RECENT_COMMITS),
    manifest: change.manifest ?? previous?.manifest ?? null,
    lastRun: change.lastRun ?? previous?.lastRun ?? null,
    collection: change.collection ?? previous?.collection ?? null,
    learned: change.learned ?? previous?.learned ?? null,
    table: change.table ?? previous?.table ?? null,
    ...(owner === undefined ? {} : { owner }),
  };
}

/** Another run has written the archive since this one read it. This run stops; it deletes nothing. */
export class FencedError extends FillbookError {
  constructor(where: string) {
    super("incomplete", `another run has written the archive ${where} meanwhile`, {
      hint: "everything that this run committed is kept: run again",
    });
  }
}

export type SwapOutcome =
  | { readonly kind: "landed"; readonly held: HeldHead }
  /** The write landed, and another run has written since. */
  | { readonly kind: "superseded" }
  /** The write did not land and never will: another run wrote first. */
  | { readonly kind: "lost" };

/**
 * Writes `next` over the head that has the tag `tag` (null: there is no head). After any answer except a
 * plain success it reads the head back, because a refusal may answer the repeat of our own write whose first
 * answer was lost. Rejects with `incomplete` if the outcome stays unknown; the next run finds out by reading.
 */
export async function swapHead(
  ports: { store: Store; clock: Clock },
  account: string,
  next: Head,
  tag: string | null,
): Promise<SwapOutcome> {
  const { store, clock } = ports;
  const body = new TextEncoder().encode(`${JSON.stringify(next)}\n`);
  for (let attempt = 0; attempt < MAX_SWAP_TRIES; attempt += 1) {
    if (attempt > 0) {
      await clock.sleep(SWAP_PAUSE_MS * attempt);
    }
    const landed = await tryReplace(store, headKey(account), body, tag);
    if (landed !== null) {
      return { kind: "landed", held: { head: next, tag: landed } };
    }
    const outcome = classifySwap(await readHead(store, account), next, tag);
    if (outcome !== "not-yet") {
      return outcome;
    }
  }
  throw new FillbookError("incomplete", `it is unknown whether the last commit to ${store.location} was written`, {
    hint: "nothing was deleted; run again: the next run reads the current state",
  });
}

function classifySwap(stored: HeldHead | null, next: Head, tag: string | null): SwapOutcome | "not-yet" {
  if (stored === null) {
    return tag === null ? "not-yet" : { kind: "lost" };
  }
  // Our own commit first: it may have landed before another run wrote.
  if (stored.head.commitId === next.commitId) {
    return { kind: "landed", held: stored };
  }
  if (stored.head.recentCommitIds.includes(next.commitId)) {
    return { kind: "superseded" };
  }
  return stored.tag === tag ? "not-yet" : { kind: "lost" };
}
