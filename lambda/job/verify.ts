import { fillsIn, readNewestArchive } from "../archive/read.ts";
import { isTableBehind, verifyArchiveObjects } from "../archive/verify.ts";
import type { Period } from "../core/period.ts";
import { ALL_TIME } from "../core/ranges.ts";
import { noteCheck } from "../pack/make/checks.ts";
import { verifyContracts } from "../pack/make/contracts.ts";
import { packObjects, verifyPacks } from "../pack/make/verify-packs.ts";
import { groupsIn } from "../web/data/archives.ts";
import type { Check, RunContext, VerifyResult } from "./context.ts";
import { rewalk } from "./rewalk.ts";
import { noArchive } from "./store-place.ts";
import { verifyProgress } from "./verify-progress.ts";

export interface VerifyRequest {
  readonly period?: Period;
  /** Also read the service again, and compare. */
  readonly rewalk: boolean;
  /** Also check the packs of several accounts, in folders of their own, which a function's role may not list. */
  readonly groups?: boolean;
}

/**
 * Checks the archive and its packs against their own hashes and sums, and stores the outcome (checks.ts).
 * Changes nothing else. Rejects with StoppedError when it is asked to stop.
 */
export async function verifyArchive(
  job: RunContext,
  { period, rewalk: again, groups = false }: VerifyRequest,
): Promise<VerifyResult> {
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
    stores.map(async (one) => {
      // None, where a role may not list all accounts.
      const owners = [account, ...(groups ? await groupsIn(one, store).catch(() => []) : [])];
      const objects = await Promise.all(owners.map((owner) => packObjects(one, owner, period?.name ?? null)));
      return { store: one, objects: objects.flat() };
    }),
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
    ...(isTableBehind(snapshot) ? { isTableBehind: true } : {}),
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
