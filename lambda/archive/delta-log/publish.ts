import { asFillbookError, FillbookError } from "../../core/errors.ts";
import { DAY_MS } from "../../core/time.ts";
import type { RunContext } from "../../job/context.ts";
import { StoreUnknownError } from "../../storage/store.ts";
import { isCollectionDue } from "../collect.ts";
import { readHead } from "../head.ts";
import type { ManifestIndex } from "../index/manifest-index.ts";
import { deltaCheckpointKey, deltaCommitKey, deltaHintKey, deltaLogPrefix, monthName } from "../keys.ts";
import type { DataFile } from "../manifest-entries.ts";
import { monthOf } from "../partitioning.ts";
import type { ArchiveSession, Held } from "../session.ts";
import {
  type Actions,
  APP_ID,
  addOf,
  type CommitInfo,
  markOf,
  metaDataAfter,
  PARTITION_COLUMN,
  PROTOCOL,
  pathOf,
} from "./actions.ts";
import { encodeCheckpoint } from "./checkpoint.ts";
import { type FoundLog, findLog, type LogState, newestCheckpoint, type ReadableLog, readLog } from "./log.ts";

/**
 * The archive as one table for readers that know no manifests: a Delta log over the data files,
 * `<account>/fills/_delta_log/`. A version of it names the data files of one committed manifest, and says
 * which (its `txn`). It is published by creating the next version's object, which only one run can, so a
 * reader sees one manifest or the next; a run whose manifest is older than the log's stops. The manifest
 * stays the truth: what the log should say is found by comparing the two.
 *
 * Between two versions that are compared in full, a log is taken to name what it is marked with (actions.ts,
 * `markOf`). A run that may delete compares in full first.
 */
type Ports = Pick<RunContext, "account" | "store" | "clock" | "random" | "deltaLog">;

const MAX_TRIES = 5;
const PAUSE_MS = 200;

/** A reader reads as many commits, or some more where a run was killed. */
const CHECKPOINT_EVERY = 10;

/** How long others are told what was removed: as long as it is there (age.ts). */
const TOMBSTONE_MS = 7 * DAY_MS;

/**
 * Publishes what is committed, where that is asked for; a log that is there, also where it is not, before
 * anything is deleted. `before`: what the run began with. Never rejects: gives what kept the log from being
 * written, which the next run makes up for; null also where another run's manifest is published by now.
 */
export async function publishDeltaLog(
  ports: Ports,
  session: Pick<ArchiveSession, "hold" | "collection">,
  before: Pick<ArchiveSession, "manifestIndex">,
): Promise<FillbookError | null> {
  if (!(ports.deltaLog || mayDelete(ports, session))) {
    return null;
  }
  try {
    await session.hold((held) => publish(ports, held, before.manifestIndex));
    return null;
  } catch (error) {
    return asFillbookError(error);
  }
}

function mayDelete({ clock }: Ports, { collection }: Pick<ArchiveSession, "collection">): boolean {
  return collection !== null && isCollectionDue(collection, clock.now());
}

async function publish(ports: Ports, held: Held, then: ManifestIndex): Promise<void> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt += 1) {
    if (attempt > 0) {
      await ports.clock.sleep(PAUSE_MS * attempt);
    }
    if (await isPublished(ports, held, then)) {
      return;
    }
  }
  const where = `${ports.store.location}/${deltaLogPrefix(ports.account)}`;
  throw new FillbookError("incomplete", `cannot tell whether the table's log at ${where} was written`, {
    hint: "what is committed is kept; the next sync publishes it",
  });
}

/**
 * One try. Whether the log says what the manifest does, or a newer one; false: it has changed, or may have,
 * since it was read.
 */
async function isPublished(ports: Ports, held: Held, then: ManifestIndex): Promise<boolean> {
  const log = await findLog(ports);
  if ((log === null && !ports.deltaLog) || (await isOlder(ports, held, log))) {
    return true;
  }
  const isFull = mayDelete(ports, held);
  const isSettled = isSettledBy(log, held);
  const changes = isSettled && !isFull ? [] : await changesOf(ports, log, held, isFull ? null : then);
  if (isSettled && changes.length === 0) {
    await keepShort(ports, log);
    return true;
  }
  const version = (log?.version ?? -1) + 1;
  if (!(await isCreated(ports, version, [...noteOf(ports, held), ...changes]))) {
    return false;
  }
  await keepShort(ports, { version, checkpoints: log?.checkpoints ?? new Map() });
  return true;
}

/**
 * Whether the log is of a newer manifest than this run's. Not where the head, read after the log, names this
 * run's: then somebody has put an older head back, and the log is of what came after it.
 */
async function isOlder({ store, account }: Ports, { manifest, ref }: Held, log: FoundLog | null): Promise<boolean> {
  return (log?.seq ?? 0) > manifest.seq && (await readHead(store, account))?.head.manifest?.sha256 !== ref?.sha256;
}

/** Whether nothing is to be written unless a full comparison says so. */
function isSettledBy(log: FoundLog | null, { manifest, manifestIndex }: Held): log is FoundLog {
  // A run that changed data files and changed them back moves the log on, so that no run before it can write
  // the next version.
  const isOfThisRun = manifestIndex.changedMonths.size === 0 || log?.seq === manifest.seq;
  return log?.mark === markOf(manifestIndex) && isOfThisRun;
}

/**
 * What makes the log say what the manifest does. Where it is marked with what `then` names, only the months
 * that this run has changed are compared; null: all are.
 */
async function changesOf(
  ports: Ports,
  log: FoundLog | null,
  { manifestIndex }: Held,
  then: ManifestIndex | null,
): Promise<readonly Actions[]> {
  const { account, clock, random } = ports;
  const { protocol, metaData, adds } = await readLog(ports, log);
  const months = then !== null && log?.mark === markOf(then) ? manifestIndex.changedMonths : null;
  const now = clock.now();
  const nextMetaData = metaDataAfter(metaData, random.id(), now);
  const named = new Map<string, DataFile>();
  for await (const dataFile of months === null ? allDataFiles(manifestIndex) : dataFilesOf(manifestIndex, months)) {
    named.set(pathOf(account, dataFile.key), dataFile);
  }
  const isAsked = (month: string | null | undefined) => months === null || months.has(month ?? "");
  const removed = [...adds.values()].filter(
    ({ path, partitionValues }) => isAsked(partitionValues[PARTITION_COLUMN]) && !named.has(path),
  );
  const added = [...named].filter(([path, { bytes }]) => adds.get(path)?.size !== bytes);
  return [
    ...(protocol === null ? [{ protocol: PROTOCOL }] : []),
    ...(nextMetaData === null ? [] : [{ metaData: nextMetaData }]),
    ...removed.map(({ path }) => ({ remove: { path, deletionTimestamp: now, dataChange: true } })),
    ...added.map(([, dataFile]) => ({ add: addOf(account, dataFile, now) })),
  ];
}

async function* allDataFiles(manifestIndex: ManifestIndex): AsyncGenerator<DataFile> {
  for await (const { parts } of manifestIndex.leaves(({ parts: count }) => count > 0)) {
    yield* parts;
  }
}

async function* dataFilesOf(manifestIndex: ManifestIndex, months: ReadonlySet<string>): AsyncGenerator<DataFile> {
  for (const month of [...months].sort()) {
    const dataFiles = await manifestIndex.dataFiles(monthOf(Date.parse(`${month}-01T00:00:00Z`)));
    yield* dataFiles.filter(({ from }) => monthName(from) === month);
  }
}

function noteOf({ clock }: Ports, { manifest, manifestIndex }: Held): readonly Actions[] {
  const now = clock.now();
  const commitInfo: CommitInfo = {
    timestamp: now,
    operation: "WRITE",
    operationParameters: {},
    engineInfo: APP_ID,
    fillbookMark: markOf(manifestIndex),
  };
  return [{ commitInfo }, { txn: { appId: APP_ID, version: manifest.seq, lastUpdated: now } }];
}

/** False also where it cannot be told: whoever has created it, reading again tells. */
async function isCreated({ store, account }: Ports, version: number, actions: readonly Actions[]): Promise<boolean> {
  const text = actions.map((action) => `${JSON.stringify(action)}\n`).join("");
  const body = new TextEncoder().encode(text);
  return (await store.createNew(deltaCommitKey(account, version), body).catch(nullOfUnknown)) === "created";
}

/** An answer that was lost. */
function nullOfUnknown(error: unknown): null {
  if (error instanceof StoreUnknownError) {
    return null;
  }
  throw error;
}

/**
 * Writes a checkpoint where the log has grown by CHECKPOINT_EVERY versions since the last one, and says where
 * it is.
 */
async function keepShort(ports: Ports, log: ReadableLog): Promise<void> {
  if (log.version - newestCheckpoint(log) < CHECKPOINT_EVERY) {
    return;
  }
  const { store, account } = ports;
  const rows = rowsOf(await readLog(ports, log), ports.clock.now());
  const body = await encodeCheckpoint(rows);
  // Where it is there already: whoever has written it, it says the same.
  if ((await store.createNew(deltaCheckpointKey(account, log.version), body).catch(nullOfUnknown)) !== null) {
    const hint = new TextEncoder().encode(`${JSON.stringify({ version: log.version, size: rows.length })}\n`);
    const stored = await store.get(deltaHintKey(account));
    // Refused or not answered: it names an older checkpoint until the next one, which is as good.
    await store.replaceIf(deltaHintKey(account), hint, stored?.tag ?? null).catch(nullOfUnknown);
  }
}

function rowsOf({ protocol, metaData, txns, adds, removes }: LogState, now: number): readonly Actions[] {
  const isRecent = ({ deletionTimestamp }: { readonly deletionTimestamp: number }) =>
    deletionTimestamp > now - TOMBSTONE_MS;
  return [
    ...(protocol === null ? [] : [{ protocol }]),
    ...(metaData === null ? [] : [{ metaData }]),
    ...[...txns.values()].map((txn) => ({ txn })),
    ...[...removes.values()].filter(isRecent).map((remove) => ({ remove: { ...remove, dataChange: false } })),
    ...[...adds.values()].map((add) => ({ add: { ...add, dataChange: false } })),
  ];
}
