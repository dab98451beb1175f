import { asFillbookError, FillbookError } from "../core/errors.ts";
import type { RunContext } from "../job/context.ts";
import { StoreUnknownError } from "../storage/store.ts";
import { isCollectionDue } from "./collect.ts";
import { readHead } from "./head.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import { dataFileListKey, dataFileListPrefix, listedKey, monthName, sha256Of } from "./keys.ts";
import { monthOf } from "./partitioning.ts";
import type { ArchiveSession, Held } from "./session.ts";

/**
 * Lists of data files, for readers that know no manifests (Athena, infra/table/): one text object a month with the URIs of the data files that the current manifest
 * names, a line each. A list is changed by compare-and-swap, after it was read and then the head was seen to name this run's manifest. So a run that
 * sleeps in between and wakes when another has taken over changes nothing: either the other's commit was before this run's look at the head, or its
 * list came after this run had read it, and the swap is refused.
 *
 * Tags are of contents, so one thing slips through: a list that is again what it was while a run slept. What that run writes then is a list of an
 * older manifest, and it stays until the next run that reads all lists: each that may delete does so, before it deletes.
 */
type Ports = Pick<RunContext, "account" | "store" | "clock" | "partLists">;

/** Half of the lease: nobody writes the head meanwhile. Lists that are not read by then are left to the next run. */
const MAX_MS = 15_000;
const MAX_TRIES = 5;
const PAUSE_MS = 200;

/**
 * Publishes what is committed, where that is asked for and the store is one whose objects have URIs. `before`: what the run began with.
 * Never rejects: gives what kept the lists from being made, which the next run makes up for; null also where another run is at it by now.
 */
export async function publishDataFileLists(
  ports: Ports,
  session: Pick<ArchiveSession, "hold">,
  before: Pick<ArchiveSession, "manifestIndex">,
): Promise<FillbookError | null> {
  if (!(ports.partLists && ports.store.location.startsWith("s3://"))) {
    return null;
  }
  try {
    await session.hold((held) => publish(ports, held, before));
    return null;
  } catch (error) {
    return asFillbookError(error);
  }
}

async function publish(
  ports: Ports,
  held: Held,
  { manifestIndex: then }: Pick<ArchiveSession, "manifestIndex">,
): Promise<void> {
  const { store, clock } = ports;
  const { manifestIndex } = held;
  const mark = markOf(store.location, manifestIndex);
  const listed = await readListed(ports);
  const isChecked = held.collection === null || !isCollectionDue(held.collection, clock.now());
  if (isChecked && listed === mark) {
    return;
  }
  const isKnown = isChecked && listed === markOf(store.location, then);
  const months = isKnown ? [...manifestIndex.changedMonths].sort() : await allMonths(ports, manifestIndex);
  const giveUpAt = clock.monotonic() + MAX_MS;
  for (const month of months) {
    const list = await listOf(store.location, manifestIndex, month);
    if (!(await write(ports, held, dataFileListKey(ports.account, month), list))) {
      return;
    }
    if (clock.monotonic() > giveUpAt) {
      throw new FillbookError("incomplete", "the lists of parts take longer than a run may hold the archive for them");
    }
  }
  const marker = { manifest: held.manifest.seq, calendar: mark };
  await write(ports, held, listedKey(ports.account), `${JSON.stringify(marker)}\n`);
}

/** Of all that the lists are made from: what it names, and where that is. */
function markOf(location: string, { root }: ManifestIndex): string {
  return sha256Of(new TextEncoder().encode(JSON.stringify([location, root])));
}

/** With those that have a list and no data files any more. */
async function allMonths(ports: Ports, manifestIndex: ManifestIndex): Promise<readonly string[]> {
  const named = new Set<string>();
  for await (const { parts } of manifestIndex.leaves(({ parts: count }) => count > 0)) {
    for (const { from } of parts) {
      named.add(monthName(from));
    }
  }
  return [...new Set([...named, ...(await listedMonths(ports))])];
}

async function listOf(location: string, manifestIndex: ManifestIndex, month: string): Promise<string> {
  const dataFiles = await manifestIndex.dataFiles(monthOf(Date.parse(`${month}-01T00:00:00Z`)));
  return dataFiles
    .filter(({ from }) => monthName(from) === month)
    .map(({ key }) => `${location}/${key}\n`)
    .join("");
}

/**
 * Months with a list. One that has lost its data files keeps an empty list, which Athena reads as no rows: it goes through the lines
 * (Trino, BackgroundHiveSplitLoader, getTargetPathsFromSymlink). Deleting it would be no swap, and might hit the list of a newer run.
 */
async function listedMonths({ store, account }: Ports): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { key } of store.list(dataFileListPrefix(account))) {
    const month = /^\d{4}-\d{2}(?=\/)/.exec(key.slice(dataFileListPrefix(account).length))?.[0];
    found.push(...(month === undefined ? [] : [month]));
  }
  return found;
}

/** The mark of what the lists were last made from; null: none, or it cannot be read, as that of an older version. */
async function readListed({ store, account }: Ports): Promise<string | null> {
  const stored = await store.get(listedKey(account));
  const text = stored === null ? "" : new TextDecoder().decode(stored.body);
  return /"calendar":"([0-9a-f]{64})"/.exec(text)?.[1] ?? null;
}

/** Whether the object is `text` now; false: another manifest is current, and so another run is the one to write. */
async function write({ store, account, clock }: Ports, held: Held, key: string, text: string): Promise<boolean> {
  const body = new TextEncoder().encode(text);
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    if (attempt > 0) {
      await clock.sleep(PAUSE_MS * attempt);
    }
    const stored = await store.get(key);
    if (stored !== null && Buffer.compare(stored.body, body) === 0) {
      return true;
    }
    const current = (await readHead(store, account))?.head.manifest;
    if (current?.sha256 !== held.ref?.sha256) {
      return false;
    }
    // A swap that is refused, or whose answer is lost, is judged by reading again: an older run may have come between.
    const landed = await store.replaceIf(key, body, stored?.tag ?? null).catch((error: unknown) => {
      if (error instanceof StoreUnknownError) {
        return null;
      }
      throw error;
    });
    if (landed !== null) {
      return true;
    }
  }
  throw new FillbookError("incomplete", `cannot tell whether ${store.location}/${key} was written`);
}
