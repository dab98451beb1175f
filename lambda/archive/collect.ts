import { asFillbookError, type FillbookError, StoppedError } from "../core/errors.ts";
import type { RunContext } from "../job/context.ts";
import type { ListedObject } from "../storage/store.ts";
import { modifiedMsOf, SAFE_AGE_MS } from "./age.ts";
import { FencedError } from "./fenced.ts";
import type { CollectionMark } from "./head.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import {
  collectablePrefixes,
  headKey,
  isCollectable,
  manifestKey,
  manifestPrefix,
  manifestSeqOf,
  namedKeys,
  sha256InKey,
} from "./keys.ts";
import type { Manifest } from "./manifest.ts";
import { readContent } from "./objects.ts";
import type { ArchiveSession, Held } from "./session.ts";

/**
 * Collects orphans: objects that a commit has replaced, and objects that a run wrote and never committed. The
 * run that holds the archive deletes them, at most once a week, and only objects that no manifest of the last
 * week names and that are at least a week old by the store's clock.
 *
 * Safety does not depend on timing: a run may stop between any two steps and continue after another run has
 * taken over the archive. The list of objects to delete is made before the head proves that the archive is
 * still held. A run that takes over later therefore knows that everything on the list is old, and never names
 * it again: it writes the same content under another name (age.ts, `mayBeDeleted`). A late deletion removes
 * nothing that is needed.
 */
export interface Collected {
  /** objects */
  readonly deleted: number;
  /**
   * Why the collection did not finish. Null also if it was not due, or if another run or the deadline ended
   * it: the next run continues.
   */
  readonly problem: FillbookError | null;
  /** The mark to store in the head when the collection is finished; null: none. */
  readonly mark: CollectionMark | null;
}

type Ports = Pick<RunContext, "account" | "store" | "clock" | "signal">;

/**
 * Deletions between two proofs that the archive is held. They take some seconds on S3, far less than the
 * lease.
 */
const BATCH = 100;
/** The next run deletes what exceeds this number. */
const MAX_DELETIONS = 5000;

/**
 * Collects orphans if a collection is due. Called after everything that the run was asked for is committed.
 * Never rejects.
 */
export async function collectWhenDue(
  ports: Ports,
  session: Pick<ArchiveSession, "hold" | "collection">,
): Promise<Collected> {
  const progress = { deleted: 0 };
  if (session.collection !== null && !isCollectionDue(session.collection, ports.clock.now())) {
    return { ...progress, problem: null, mark: null };
  }
  let isHeld = false;
  try {
    const mark = await session.hold((held) => {
      isHeld = true;
      return collect(ports, held, progress);
    });
    return { ...progress, problem: null, mark };
  } catch (error) {
    // If the pending commit fails here, the release tries it again and reports the error.
    const isNoProblem = !isHeld || error instanceof FencedError || error instanceof StoppedError;
    return { ...progress, problem: isNoProblem ? null : asFillbookError(error), mark: null };
  }
}

/**
 * True if a collection may be due by the run's own clock (`now`, ms UTC). This only avoids a request: the
 * store's clock decides.
 */
export function isCollectionDue(last: CollectionMark, now: number): boolean {
  return Math.abs(now - last.at) >= SAFE_AGE_MS;
}

async function collect(ports: Ports, held: Held, progress: { deleted: number }): Promise<CollectionMark | null> {
  const { store, account, clock } = ports;
  const { collection: last, manifest } = held;
  if (last !== null && !isCollectionDue(last, clock.now())) {
    return null;
  }
  const now = await modifiedMsOf(store, headKey(account));
  if (now === null || !Number.isFinite(now)) {
    return null;
  }
  const mark = { at: now, seq: manifest.seq };
  if (last === null || now < last.at) {
    return mark;
  }
  if (now - last.at < SAFE_AGE_MS) {
    return null;
  }
  const oldest = now - SAFE_AGE_MS;
  const needed = await neededKeys(ports, held, last.seq);
  const isDone = await removeOrphans(ports, held, orphansOf(ports, needed, oldest), progress);
  return isDone ? mark : null;
}

/**
 * The keys that the current manifest names, and those named by every older manifest since `fromSeq`, also by
 * manifests that were never committed.
 */
async function neededKeys(
  ports: Ports,
  { manifest, manifestIndex, ref }: Held,
  fromSeq: number,
): Promise<ReadonlySet<string>> {
  const { store, account } = ports;
  const needed = new Set<string>();
  await addNamed(ports, manifestIndex, manifest, needed);
  if (ref !== null) {
    needed.add(manifestKey(account, ref.seq, ref.sha256));
  }
  for await (const { key } of store.list(manifestPrefix(account))) {
    const seq = manifestSeqOf(account, key);
    if (seq !== null && fromSeq <= seq && seq < manifest.seq) {
      stopIfAsked(ports);
      needed.add(key);
      const body = await readContent(store, key, sha256InKey(key));
      await addNamed(ports, manifestIndex, JSON.parse(new TextDecoder().decode(body)) as Manifest, needed);
    }
  }
  return needed;
}

/**
 * Adds every key that a manifest names, directly and through its index. Index nodes that an earlier manifest
 * shares are not read again.
 */
async function addNamed(ports: Ports, known: ManifestIndex, manifest: Manifest, needed: Set<string>): Promise<void> {
  for (const key of namedKeys(ports.account, manifest)) {
    needed.add(key);
  }
  for await (const key of known.with(manifest.index).keys(needed)) {
    stopIfAsked(ports);
    needed.add(key);
  }
}

/** `oldest`: objects written then or earlier are old enough, ms UTC by the store's clock. */
export function isOrphan(
  account: string,
  { key, modifiedMs }: Pick<ListedObject, "key" | "modifiedMs">,
  needed: ReadonlySet<string>,
  oldest: number,
): boolean {
  return modifiedMs <= oldest && isCollectable(account, key) && !needed.has(key);
}

/** In key order, manifests first, so that a manifest that still exists has its data files. */
async function* orphansOf(
  { store, account }: Ports,
  needed: ReadonlySet<string>,
  oldest: number,
): AsyncGenerator<string> {
  for (const prefix of collectablePrefixes(account)) {
    for await (const object of store.list(prefix)) {
      if (isOrphan(account, object, needed, oldest)) {
        yield object.key;
      }
    }
  }
}

/** True if all orphans were deleted. */
async function removeOrphans(
  ports: Ports,
  held: Held,
  orphans: AsyncIterable<string>,
  progress: { deleted: number },
): Promise<boolean> {
  let batch: string[] = [];
  for await (const key of orphans) {
    batch.push(key);
    if (batch.length === BATCH) {
      await removeBatch(ports, held, batch, progress);
      batch = [];
    }
    if (progress.deleted >= MAX_DELETIONS) {
      return false;
    }
  }
  await removeBatch(ports, held, batch, progress);
  return true;
}

async function removeBatch(
  ports: Ports,
  { prove }: Held,
  keys: readonly string[],
  progress: { deleted: number },
): Promise<void> {
  if (keys.length > 0) {
    await prove();
  }
  for (const key of keys) {
    stopIfAsked(ports);
    await ports.store.remove(key);
    progress.deleted += 1;
  }
}

function stopIfAsked({ signal }: Ports): void {
  if (signal.aborted) {
    throw new StoppedError();
  }
}
