import { asFillbookError, type FillbookError, StoppedError } from "../core/errors.ts";
import type { RunContext } from "../job/context.ts";
import type { ListedObject } from "../storage/store.ts";
import { modifiedMsOf, SAFE_AGE_MS } from "./age.ts";
import { keptForReaders } from "./delta-log/keep.ts";
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
 * Orphans: what a commit has replaced, and what a run wrote and never committed. They are deleted by the run
 * that holds the archive, once a week, and only when no manifest of the last week names them and the store
 * has had them for a week, by its own clock.
 *
 * Nothing here is fast enough to be safe: a run may be stopped between any two steps, and wake after another
 * has taken the archive. Safe it is because what to delete is chosen before the head proves that the archive
 * is still held. So whoever takes it over later knows that what was chosen is old, and names none of it
 * again: what it writes has a name of its own (age.ts, `mayBeDeleted`). Whenever the deletion happens then,
 * nobody misses anything.
 *
 * ZIPs of packs and answers of tasks go with them a week after they were made, since no manifest names them.
 * One whose name is given again while a run sleeps over its list may go with it: it is made again when
 * somebody asks for it.
 */
export interface Collected {
  /** objects */
  readonly deleted: number;
  /** What kept it from being done; null also when it is not its time, or another run or the deadline ended it: the next run goes on. */
  readonly problem: FillbookError | null;
  /** For the head, when it is done; null: nothing to note. */
  readonly mark: CollectionMark | null;
}

type Ports = Pick<RunContext, "account" | "store" | "clock" | "signal">;

/** Deletions between two proofs that the archive is held: some seconds on S3, and much less than the lease. */
const BATCH = 100;
/** The rest is left to the next run. */
const MAX_DELETIONS = 5000;

/** Collects orphans if it is time, when all that a run was asked for is committed. Never rejects. */
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
    // What was waiting to be committed could not be: the release tries it again, and tells why it cannot.
    const isNoProblem = !isHeld || error instanceof FencedError || error instanceof StoppedError;
    return { ...progress, problem: isNoProblem ? null : asFillbookError(error), mark: null };
  }
}

/** Whether it may be time, by a run's own clock, which only spares the question: the store's decides. `now`: ms UTC. */
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
  const needed = await neededKeys(ports, held, { fromSeq: last.seq, oldest });
  const isDone = await removeOrphans(ports, held, orphansOf(ports, needed, oldest), progress);
  return isDone ? mark : null;
}

/**
 * What the current manifest names, and what those named that were replaced since `fromSeq` was current.
 * Manifests that were written and never committed are among them: what they name stays until they are old.
 * The same of the Delta log, which may be of an older manifest.
 */
async function neededKeys(
  ports: Ports,
  { manifest, manifestIndex, ref }: Held,
  { fromSeq, oldest }: { readonly fromSeq: number; readonly oldest: number },
): Promise<ReadonlySet<string>> {
  const { store, account } = ports;
  const needed = new Set(await keptForReaders(ports, oldest));
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

/** All that a manifest names, by itself and by its index, of which only what no manifest before it shared is read. */
async function addNamed(ports: Ports, known: ManifestIndex, manifest: Manifest, needed: Set<string>): Promise<void> {
  for (const key of namedKeys(ports.account, manifest)) {
    needed.add(key);
  }
  for await (const key of known.with(manifest.calendar).keys(needed)) {
    stopIfAsked(ports);
    needed.add(key);
  }
}

/** `oldest`: what was written then or earlier is old enough. ms UTC, by the store's clock. */
export function isOrphan(
  account: string,
  { key, modifiedMs }: Pick<ListedObject, "key" | "modifiedMs">,
  needed: ReadonlySet<string>,
  oldest: number,
): boolean {
  return modifiedMs <= oldest && isCollectable(account, key) && !needed.has(key);
}

/** In key order, manifests first: so that a manifest that is there has its data files. */
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

/** Whether all of them are gone. */
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
