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
 * Publishes the archive as one table for readers that do not know manifests: a Delta log over the data files,
 * in `<account>/fills/_delta_log/`. Each version names the data files of one committed manifest, and names
 * that manifest in its `txn`. Publishing creates the object of the next version. Only one run can create it,
 * so a reader sees one manifest or the next. A run whose manifest is older than the log's does nothing. The
 * manifest remains the source of truth: comparing it with the log shows what to write.
 *
 * Most runs rely on the log's mark (actions.ts, `markOf`) instead of comparing in full. A run that may delete
 * objects compares in full first.
 */
type Ports = Pick<RunContext, "account" | "store" | "clock" | "random" | "deltaLog">;

const MAX_TRIES = 5;
const PAUSE_MS = 200;

/** The most commits that a reader usually has to read. It may be some more after a run was killed. */
const CHECKPOINT_EVERY = 10;

/** How long the log tells readers of a removed file: as long as the file exists (age.ts). */
const TOMBSTONE_MS = 7 * DAY_MS;

/**
 * Publishes what is committed, if the setting asks for it. Also brings an existing log up to date before a
 * run that may delete objects, whatever the setting. `before`: the archive at the start of the run. Never
 * rejects: returns the error that prevented the log from being written, and the next run tries again. Null
 * also if another run has published a newer manifest.
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
  throw new FillbookError("incomplete", `it is unknown whether the table's log at ${where} was written`, {
    hint: "committed data is safe; the next sync publishes it",
  });
}

/**
 * One attempt. True if the log now matches this manifest or a newer one. False if the log has changed, or may
 * have changed, since it was read.
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
    await checkpointWhenDue(ports, log);
    return true;
  }
  const version = (log?.version ?? -1) + 1;
  if (!(await isCreated(ports, version, [...commitInfoOf(ports, held), ...changes]))) {
    return false;
  }
  await checkpointWhenDue(ports, { version, checkpoints: log?.checkpoints ?? new Map() });
  return true;
}

/**
 * True if the log is of a newer manifest than this run's. False if the head, read after the log, still names
 * this run's manifest: then someone has restored an older head, and the log is of a manifest that no longer
 * counts.
 */
async function isOlder({ store, account }: Ports, { manifest, ref }: Held, log: FoundLog | null): Promise<boolean> {
  return (log?.seq ?? 0) > manifest.seq && (await readHead(store, account))?.head.manifest?.sha256 !== ref?.sha256;
}

/** True if nothing needs to be written, as far as the mark shows. */
function isSettledBy(log: FoundLog | null, { manifest, manifestIndex }: Held): log is FoundLog {
  // If a run changed data files and changed them back, it still writes a version, so that no earlier run can
  // write that version.
  const isOfThisRun = manifestIndex.changedMonths.size === 0 || log?.seq === manifest.seq;
  return log?.mark === markOf(manifestIndex) && isOfThisRun;
}

/**
 * The actions that make the log match the manifest. If the log's mark matches `then`, compares only the
 * months that this run has changed. `then` null: compares all months.
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
  for await (const { dataFiles } of manifestIndex.leaves(({ dataFiles: count }) => count > 0)) {
    yield* dataFiles;
  }
}

async function* dataFilesOf(manifestIndex: ManifestIndex, months: ReadonlySet<string>): AsyncGenerator<DataFile> {
  for (const month of [...months].sort()) {
    const dataFiles = await manifestIndex.dataFiles(monthOf(Date.parse(`${month}-01T00:00:00Z`)));
    yield* dataFiles.filter(({ from }) => monthName(from) === month);
  }
}

function commitInfoOf({ clock }: Ports, { manifest, manifestIndex }: Held): readonly Actions[] {
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

/** False also if the outcome is unknown. The next attempt reads the log and finds out. */
async function isCreated({ store, account }: Ports, version: number, actions: readonly Actions[]): Promise<boolean> {
  const text = actions.map((action) => `${JSON.stringify(action)}\n`).join("");
  const body = new TextEncoder().encode(text);
  return (await store.createNew(deltaCommitKey(account, version), body).catch(nullOfUnknown)) === "created";
}

/** Null if the answer was lost. */
function nullOfUnknown(error: unknown): null {
  if (error instanceof StoreUnknownError) {
    return null;
  }
  throw error;
}

/**
 * Writes a checkpoint, and the object that names it, if the log has grown by CHECKPOINT_EVERY versions since
 * the last one.
 */
async function checkpointWhenDue(ports: Ports, log: ReadableLog): Promise<void> {
  if (log.version - newestCheckpoint(log) < CHECKPOINT_EVERY) {
    return;
  }
  const { store, account } = ports;
  const rows = rowsOf(await readLog(ports, log), ports.clock.now());
  const body = await encodeCheckpoint(rows);
  // An existing checkpoint of this version has the same content, whoever wrote it.
  if ((await store.createNew(deltaCheckpointKey(account, log.version), body).catch(nullOfUnknown)) !== null) {
    const hint = new TextEncoder().encode(`${JSON.stringify({ version: log.version, size: rows.length })}\n`);
    const stored = await store.get(deltaHintKey(account));
    // If this write is refused or its answer is lost, the object names an older checkpoint until the next
    // one. Readers can use that, too.
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
