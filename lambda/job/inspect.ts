import { readNewestArchive, requireDataFiles } from "../archive/read.ts";
import { subtract, union } from "../core/ranges.ts";
import { lastChecks } from "../pack/make/checks.ts";
import { openMode } from "../storage/folder-files.ts";
import type { Store } from "../storage/store.ts";
import { coveredOnce } from "../walk/plan.ts";
import type { RunContext, StatusResult } from "./context.ts";
import { isFolder, noArchive } from "./store-place.ts";

/**
 * What the archive holds, and how the last run ended. Asks the service nothing. Rejects with `usage` if there
 * is no archive, with `untrusted` if a data file is gone.
 */
export async function archiveStatus(job: Pick<RunContext, "account" | "store">): Promise<StatusResult> {
  const { account, store } = job;
  const { held = null, manifest, ref } = await readNewestArchive(store, account);
  if (held === null || ref === null) {
    throw await noArchive(job);
  }
  await requireDataFiles(store, manifest);
  const { coverage, dataFiles, known } = manifest;
  const whole = { from: coverage.at(0)?.from ?? 0, to: coverage.at(-1)?.to ?? 0 };
  const silent = coverage.map(({ silentIn }) => silentIn ?? 0);
  return {
    account,
    store: store.location,
    fills: manifest.fills,
    coverage,
    gaps: subtract(whole, union(coverage)),
    readOnce: union(coveredOnce(coverage, whole)),
    dataFiles: dataFiles.length,
    restated: manifest.restatements.reduce((sum, { rows }) => sum + rows, 0),
    exceptions: dataFiles.reduce((sum, { exceptions }) => sum + exceptions, 0),
    vanished: known.vanished.length,
    manifest: ref,
    silentInMs: Math.max(0, ...silent) || null,
    lastAsked: { newest: known.lookedBackAt, older: known.rotatedTo === null ? null : known.rotatedAt },
    lastRun: held.head.lastRun,
    checks: await lastChecks(store, account, { seq: ref.seq }),
  };
}

/**
 * The mode of the store's folder if other users of the machine can enter it; null: they cannot. A folder that
 * fillbook made is closed to them; an existing one keeps its mode.
 */
export async function openTo({ location }: Pick<Store, "location">): Promise<string | null> {
  return isFolder(location) ? await openMode(location) : null;
}
