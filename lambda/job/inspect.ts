import { readHead } from "../archive/head.ts";
import { fillsIn, readNewestArchive } from "../archive/read.ts";
import { verifyArchiveObjects } from "../archive/verify.ts";
import type { Period } from "../core/period.ts";
import { ALL_TIME, subtract, union } from "../core/ranges.ts";
import { type CheckScope, lastChecks, noteCheck } from "../pack/make/checks.ts";
import { verifyContracts } from "../pack/make/contracts.ts";
import { packObjects, verifyPacks } from "../pack/make/verify-packs.ts";
import { openMode } from "../storage/folder-files.ts";
import type { Store } from "../storage/store.ts";
import { coveredOnce } from "../walk/plan.ts";
import type { Check, LastChecks, RunContext, StatusResult, VerifyResult } from "./context.ts";
import { rewalk } from "./rewalk.ts";
import { isFolder, noArchive } from "./store-place.ts";
import { verifyProgress } from "./verify-progress.ts";

/**
 * What the archive holds, and how the last run ended. Asks the service nothing. Rejects with `usage` if there
 * is no archive.
 */
export async function archiveStatus(job: Pick<RunContext, "account" | "store">): Promise<StatusResult> {
  const { account, store } = job;
  const { held, manifest, ref } = await readNewestArchive(store, account);
  if (held === null || ref === null) {
    throw await noArchive(job);
  }
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
    lateness: manifest.lateness,
    manifest: ref,
    silentInMs: Math.max(0, ...silent) || null,
    lastAsked: { newest: known.lookedBackAt, older: known.rotatedTo === null ? null : known.rotatedAt },
    lastRun: held.head.lastRun,
    checks: await lastChecks(store, account, { seq: ref.seq }),
  };
}

/** How the archive was last checked, as far as `of` asks. A damaged head is for other commands to report. */
export async function checksOf(
  { account, store }: Pick<RunContext, "account" | "store">,
  of: Omit<CheckScope, "seq">,
): Promise<LastChecks> {
  const held = await readHead(store, account).catch(() => null);
  return await lastChecks(store, account, { ...of, seq: held?.head.manifest?.seq ?? 0 });
}

/**
 * The mode of the store's folder if other users of the machine can enter it; null: they cannot. A folder that
 * fillbook made is closed to them; an existing one keeps its mode.
 */
export async function openTo({ location }: Pick<Store, "location">): Promise<string | null> {
  return isFolder(location) ? await openMode(location) : null;
}

export interface VerifyRequest {
  readonly period?: Period;
  /** Also read the service again, and compare. */
  readonly rewalk: boolean;
}

/**
 * Checks the archive and its packs against their own hashes and sums, and stores the outcome (checks.ts).
 * Changes nothing else. Rejects with StoppedError when it is asked to stop.
 */
export async function verifyArchive(job: RunContext, { period, rewalk: again }: VerifyRequest): Promise<VerifyResult> {
  const { account, store, packStore, signal, clock } = job;
  const checkedAt = clock.now(); // the check does not cover what comes later
  const snapshot = await readNewestArchive(store, account);
  if (snapshot.ref === null) {
    throw await noArchive(job);
  }
  const range = period ?? null;
  // The setting for the pack store may have changed after some packs were made, so both places are checked.
  const stores = packStore === null ? [store] : [store, packStore];
  const found = await Promise.all(
    stores.map(async (one) => ({ store: one, objects: await packObjects(one, account, period?.name ?? null) })),
  );
  const packBytes = found.flatMap(({ objects }) => objects).reduce((sum, { bytes }) => sum + bytes, 0);
  const fills = fillsIn(snapshot.manifest, [range ?? ALL_TIME]);
  const progress = verifyProgress(job, { fills, packBytes, rewalks: again });
  const archive = await verifyArchiveObjects(store, snapshot, range, signal, progress.archive);
  const packs = await Promise.all(
    found.map((one) => verifyPacks(one.store, one.objects, { signal, onHashed: progress.packs })),
  );
  const all = [archive, await verifyContracts(job), ...packs];
  const own = all.flatMap((one) => one.findings);
  const checked = all.reduce((sum, one) => sum + one.checked, 0);
  const common = { period: period?.name ?? null, checkedAt, seq: snapshot.ref.seq };
  const read = packStore === null ? {} : { packStore: packStore.location };
  // Before the service is asked: that may be refused, or stopped, and what was found is to be known.
  await note(job, { ...common, ...read, kind: "files", checked }, own);
  const walked = again ? await rewalk(job, snapshot.manifest, range, progress.rewalk) : null;
  const differs = walked?.findings ?? [];
  if (walked !== null) {
    await note(job, { ...common, kind: "rewalk", checked: walked.rewalked }, differs);
  }
  const findings = [...own, ...differs];
  return {
    account,
    ok: findings.length === 0,
    checked,
    findings,
    ...(walked === null ? {} : { rewalked: walked.rewalked, lacking: walked.lacking }),
  };
}

/** Errors are ignored: a store that cannot be written can still be checked. */
async function note(
  { store, account }: RunContext,
  check: Omit<Check, "ok" | "findings">,
  findings: readonly string[],
): Promise<void> {
  const whole = { ...check, ok: findings.length === 0, findings: findings.length };
  await noteCheck(store, account, whole).catch(() => undefined);
}
