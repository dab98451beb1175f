import type { Clock } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import type { Owner } from "../core/owner.ts";
import type { Random } from "../core/random.ts";
import type { Learned } from "../service/service.ts";
import { type Store, type StoredObject, StoreUnknownError } from "../storage/store.ts";
import { headKey } from "./keys.ts";
import type { Manifest } from "./manifest.ts";

/**
 * The head: the one object that is rewritten, by compare-and-swap. It names the current manifest and the run that holds the archive. Safety is
 * the swap and the epoch; the lease only saves two runs from asking the service for the same pages.
 */
export const HEAD_FORMAT = "fillbook-head/1";

export interface Head {
  readonly format: typeof HEAD_FORMAT;
  /** Grows by one with every write: equal contents never recur, so a tag cannot be mistaken for an older one. */
  readonly seq: number;
  /** Grows by one with every run that acquires the archive. */
  readonly epoch: number;
  /** Unique to this write: how a writer whose answer was lost recognises its own. */
  readonly commitId: string;
  /** Newest first, this one left out. */
  readonly recentCommitIds: readonly string[];
  readonly manifest: { readonly seq: number; readonly sha256: string } | null;
  /** That manifest in full, so that the archive is read in one request; null: only its object has it. Good only if its bytes have the hash. */
  readonly current: Manifest | null;
  readonly lease: Lease | null;
  /** How the last run that ended by itself went. */
  readonly lastRun: LastRun | null;
  /** The last collection of orphans that was finished, or that was put off to a week after the archive's first complete run. */
  readonly collection: CollectionMark | null;
  /**
   * Whose fills the archive holds; absent: no token has said it. Here, because a service that moves changes
   * no fill.
   */
  readonly owner?: Owner;
  /** What is known of the service's limit. Here and not in a manifest: it says nothing about fills, and changes while nothing is committed. */
  readonly learned: Learned | null;
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
  /** The number of the manifest that was current then. */
  readonly seq: number;
}

export interface Lease {
  readonly holder: string;
  /** Another run may take over once the head has not changed for this long by its own clock. */
  readonly ttlMs: number;
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
  } catch {
    // Falls through to the one message: whatever is wrong with it, it is not a head.
  }
  throw new FillbookError("untrusted", `${where} is not a head that this version can read`, {
    hint: "nothing was changed; restore the object from its last version, or use the version of fillbook that wrote it",
  });
}

/** Enough of its shape that nothing which rests on it can go astray. */
function isHead({ format, seq, epoch, commitId, recentCommitIds, manifest, lease, collection }: Head): boolean {
  return (
    format === HEAD_FORMAT &&
    [seq, epoch].every(Number.isSafeInteger) &&
    typeof commitId === "string" &&
    Array.isArray(recentCommitIds) &&
    (manifest === null || (Number.isSafeInteger(manifest.seq) && /^[0-9a-f]{64}$/.test(manifest.sha256))) &&
    (lease === null || (typeof lease.holder === "string" && Number.isFinite(lease.ttlMs))) &&
    [collection?.at ?? 0, collection?.seq ?? 0].every(Number.isSafeInteger)
  );
}

export type HeadChange = Partial<
  Pick<Head, "manifest" | "current" | "lease" | "epoch" | "lastRun" | "collection" | "learned" | "owner">
>;

/** The head that follows `previous`. */
export function nextHead(previous: Head | null, change: HeadChange, random: Random): Head {
  const owner = change.owner ?? previous?.owner;
  return {
    format: HEAD_FORMAT,
    seq: (previous?.seq ?? 0) + 1,
    epoch: change.epoch ?? previous?.epoch ?? 0,
    commitId: random.id(),
    recentCommitIds: previous === null ? [] : [previous.commitId, ...previous.recentCommitIds].slice(0, RECENT_COMMITS),
    manifest: change.manifest === undefined ? (previous?.manifest ?? null) : change.manifest,
    current: change.current === undefined ? (previous?.current ?? null) : change.current,
    lease: change.lease === undefined ? (previous?.lease ?? null) : change.lease,
    lastRun: change.lastRun ?? previous?.lastRun ?? null,
    collection: change.collection ?? previous?.collection ?? null,
    learned: change.learned ?? previous?.learned ?? null,
    ...(owner === undefined ? {} : { owner }),
  };
}

export type SwapOutcome =
  | { readonly kind: "landed"; readonly held: HeldHead }
  /** It landed, and another run has written since. */
  | { readonly kind: "superseded" }
  /** It did not land and never will: another run wrote first. */
  | { readonly kind: "lost" };

/**
 * Writes `next` over the head whose tag is `tag` (null: there is none). Every answer but a plain success is read back before it is judged:
 * a refusal may be the echo of our own write whose answer was lost. Rejects with `incomplete` when the outcome stays unknown; the next run finds out by reading.
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
  throw new FillbookError("incomplete", `cannot tell whether the last commit to ${store.location} has landed`, {
    hint: "nothing was deleted; run again: the next run reads what is there",
  });
}

async function tryReplace(store: Store, key: string, body: Uint8Array, tag: string | null): Promise<string | null> {
  try {
    return await store.replaceIf(key, body, tag);
  } catch (error) {
    if (error instanceof StoreUnknownError) {
      return null;
    }
    throw error;
  }
}

function classifySwap(stored: HeldHead | null, next: Head, tag: string | null): SwapOutcome | "not-yet" {
  if (stored === null) {
    return tag === null ? "not-yet" : { kind: "lost" };
  }
  // Own commit before anything else: it can have landed and then been fenced.
  if (stored.head.commitId === next.commitId) {
    return { kind: "landed", held: stored };
  }
  if (stored.head.recentCommitIds.includes(next.commitId)) {
    return { kind: "superseded" };
  }
  return stored.tag === tag ? "not-yet" : { kind: "lost" };
}
