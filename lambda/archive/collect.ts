import { asFillbookError, type FillbookError, StoppedError, stopIfAborted } from "../core/errors.ts";
import { DAY_MS } from "../core/time.ts";
import type { Store } from "../storage/store.ts";
import { FencedError, type SessionPorts } from "./head.ts";
import {
  collectable,
  collectablePrefixes,
  dataFileKey,
  headKey,
  manifestKey,
  manifestPrefix,
  manifestSeqOf,
  restatementsKey,
  sha256InKey,
} from "./keys.ts";
import type { Manifest } from "./manifest.ts";
import { readContent } from "./objects.ts";
import type { ArchiveSession } from "./session.ts";

/**
 * Collects orphans: objects that a commit has replaced, and objects that a run wrote and never committed.
 * Only what is a week old by the store's own clock, and what no manifest of the last week names. No name ever
 * comes back (keys.ts), so a late deletion removes nothing that is needed.
 */
export interface Collected {
  /** objects */
  readonly deleted: number;
  /** Why the collection did not finish; the next run continues. */
  readonly problem: FillbookError | null;
}

/** Longer than any run takes between writing an object and naming it, ms. */
const SAFE_AGE_MS = 7 * DAY_MS;

/** Called once everything that the run was asked for is committed; at most once a week. Never rejects. */
export async function collectWhenDue(
  { store, account, clock, signal }: Pick<SessionPorts, "account" | "store" | "clock" | "signal">,
  session: ArchiveSession,
): Promise<Collected> {
  let deleted = 0;
  try {
    const last = session.head?.collection ?? null;
    if (session.manifest.seq === 0 || (last !== null && Math.abs(clock.now() - last.at) < SAFE_AGE_MS)) {
      return { deleted, problem: null };
    }
    const now = await writtenAt(store, headKey(account));
    const oldest = now - SAFE_AGE_MS;
    const needed = await neededKeys(store, session, oldest);
    for (const prefix of collectablePrefixes(account)) {
      for await (const { key, modifiedMs } of store.list(prefix)) {
        if (modifiedMs <= oldest && collectable(account, key) !== null && !needed.has(key)) {
          stopIfAborted(signal);
          await store.remove(key);
          deleted += 1;
        }
      }
    }
    await session.note({ collection: { at: now } });
    return { deleted, problem: null };
  } catch (error) {
    const isOver = error instanceof StoppedError || error instanceof FencedError;
    return { deleted, problem: isOver ? null : asFillbookError(error) };
  }
}

/** What the manifests name that were current in the last week: a reader may still use them. */
async function neededKeys(
  store: Store,
  { manifest, head }: ArchiveSession,
  oldest: number,
): Promise<ReadonlySet<string>> {
  const { account } = manifest;
  const needed = new Set(namedKeys(manifest));
  const listed: { readonly key: string; readonly seq: number; readonly isYoung: boolean }[] = [];
  for await (const { key, modifiedMs } of store.list(manifestPrefix(account))) {
    listed.push({ key, seq: manifestSeqOf(account, key) ?? 0, isYoung: modifiedMs > oldest });
  }
  const { seq: current = 0, sha256 = "" } = head?.manifest ?? {};
  needed.add(manifestKey(account, current, sha256));
  // Of the older ones, the newest was current when the week began, or the one before it: a killed run leaves
  // one number more than the head.
  const began = listed.reduce((most, { seq, isYoung }) => (isYoung ? most : Math.max(most, seq)), 0);
  for (const { key } of listed.filter((one) => (one.isYoung || one.seq >= began - 1) && !needed.has(one.key))) {
    needed.add(key);
    const body = await readContent(store, key, sha256InKey(key));
    for (const named of namedKeys(JSON.parse(new TextDecoder().decode(body)) as Manifest)) {
      needed.add(named);
    }
  }
  return needed;
}

/** The objects that a manifest names. */
export function namedKeys({ account, dataFiles, restatements }: Manifest): readonly string[] {
  return [
    ...dataFiles.map((file) => dataFileKey(account, file)),
    ...restatements.map((file) => restatementsKey(account, file)),
  ];
}

async function writtenAt(store: Store, key: string): Promise<number> {
  const listed = (await Array.fromAsync(store.list(key))).find((one) => one.key === key);
  return Number.isFinite(listed?.modifiedMs) ? Number(listed?.modifiedMs) : Number.NaN; // nothing is older than that
}
