import { FillbookError } from "../core/errors.ts";
import type { Store } from "../storage/store.ts";
import { type Head, type HeldHead, readHead } from "./head.ts";
import { headKey, manifestPrefix, manifestSeqOf } from "./keys.ts";

/**
 * Returns an error if the manifests show that the head is missing, or is an older one that was restored;
 * otherwise null. It lists the manifests once.
 *
 * A run writes a manifest whose number is one more than the head's, then swaps the head to it. So a run that
 * was killed or fenced leaves at most a manifest of that number, and the next number is written only after
 * the head has named the one before. A head that is older by a single commit cannot be told from the head of
 * a killed run. It is accepted: what that commit covered is not covered then, and is read again.
 */
export async function olderHead(
  { store, account }: { readonly store: Store; readonly account: string },
  held: HeldHead | null,
): Promise<FillbookError | null> {
  const newest = await newestManifest(store, account);
  const committed = held?.head.manifest?.seq ?? 0;
  if (newest === null || newest.seq <= committed + 1) {
    return null;
  }
  if ((await readHead(store, account))?.tag !== held?.tag) {
    return null; // another run has committed since the head was read
  }
  const where = `${store.location}/${headKey(account)}`;
  const newly = `The newest manifest is ${newest.key}; RUNBOOK.md, "Restoring", explains how to write a head that names it`;
  return held === null
    ? new FillbookError("untrusted", `${where} is missing, but ${newest.key} exists`, {
        hint: `no data is lost: restore head.json from a backup or an older version of the object. ${newly}`,
      })
    : new FillbookError(
        "untrusted",
        `${where} is older than the archive: it names manifest ${committed}, but ${newest.key} exists`,
        { hint: `nothing was changed; restore head.json from its newest version or backup. ${newly}` },
      );
}

/** The head; null if there never was one. Rejects with `untrusted` if the head is missing or an older one. */
export async function readNewestHeld(store: Store, account: string): Promise<HeldHead | null> {
  const held = await readHead(store, account);
  const problem = await olderHead({ store, account }, held);
  if (problem !== null) {
    throw problem;
  }
  return held;
}

export async function readNewestHead(store: Store, account: string): Promise<Head | null> {
  return (await readNewestHeld(store, account))?.head ?? null;
}

async function newestManifest(store: Store, account: string): Promise<{ seq: number; key: string } | null> {
  let newest: { seq: number; key: string } | null = null;
  for await (const { key } of store.list(manifestPrefix(account))) {
    const seq = manifestSeqOf(account, key);
    if (seq !== null && seq > (newest?.seq ?? -1)) {
      newest = { seq, key };
    }
  }
  return newest;
}
