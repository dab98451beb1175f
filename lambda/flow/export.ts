import type { Method } from "../accounting/method.ts";
import { learnContracts, readContracts } from "../archive/contracts.ts";
import { readPart } from "../archive/parts.ts";
import { readArchive } from "../archive/read.ts";
import { readRestatements } from "../archive/restatements.ts";
import type { FillbookError } from "../errors.ts";
import { checkMethod, type Inputs, readInputs } from "../inputs/inputs.ts";
import type { ExportResult, Job, SyncResult } from "../job.ts";
import type { Fill } from "../model/fill.ts";
import type { Period } from "../model/period.ts";
import { covers } from "../model/ranges.ts";
import { DAY_MS, isoTime } from "../model/time.ts";
import type { BasisName } from "../pack/basis.ts";
import { copyPack } from "../pack/copy.ts";
import { writePack } from "../pack/publish.ts";
import type { PackRequest } from "../pack/request.ts";
import { BEGINNING_MS, mostUrgent, notYet, syncArchive } from "./sync.ts";

export interface ExportRequest {
  readonly period: Period;
  readonly method: Method;
  /** Which time of a fill puts it into the period. */
  readonly basis: BasisName;
  /** What amounts are converted into beside their own currency; absent: nothing is converted. */
  readonly currency?: string;
  /** A folder with the user's files; absent: the store's `<account>/inputs/`. */
  readonly inputsDir?: string;
  readonly allowIncomplete: boolean;
  /** A plain folder that gets a copy of the pack. */
  readonly out?: string;
}

/**
 * Syncs what the period lacks, and what its accounts lack before it, then writes its pack. A fill belongs to the period by its trade time and to a window
 * by `txCreated`, so the walk goes further on both sides than the period, by a day or by the widest distance of the two times that the archive has seen.
 */
export async function exportPack(job: Job, request: ExportRequest): Promise<ExportResult> {
  const { account, store } = job;
  const { period, method, inputsDir } = request;
  const inputs = await readInputs(
    inputsDir === undefined ? { kind: "store", store, account } : { kind: "folder", path: inputsDir },
  );
  checkMethod(inputs, method);
  const latest = job.clock.now() - job.settleLagMs;
  const synced = await syncAround(job, period, latest);
  const earlier = synced.complete ? await syncHistory(job, period, inputs) : { problem: null, notes: [] };
  const { manifest } = await readArchive(store, account);
  const complete = synced.complete && earlier.problem === null && covers(manifest.coverage, period);
  // A period that is not over is the plainer reason for a walk that could not reach its end.
  const problems = [
    ...(period.to > latest ? [notYet(period, latest)] : []),
    ...[synced.problem, earlier.problem].filter((one) => one !== null),
  ];
  const { name, from, to, zone } = period;
  const problem = complete ? null : (mostUrgent(problems) ?? notYet(period, latest));
  const result = { account, period: name, from, to, zone, method, complete, notes: earlier.notes, problem };
  if (!complete && (!request.allowIncomplete || problem?.kind !== "incomplete")) {
    return { ...result, dir: null, files: [] };
  }
  const packStore = job.packStore ?? store;
  const { pack, notes } = await packWithContracts(job, {
    store,
    packStore,
    account,
    manifest,
    period,
    method,
    basis: request.basis,
    currency: request.currency ?? null,
    inputs,
    beginning: BEGINNING_MS,
    allowIncomplete: !complete,
    readPart: (part) => readPart(store, part),
    readRestatements: (file) => readRestatements(store, file),
  });
  if (request.out !== undefined) {
    await copyPack(packStore, pack, request.out);
  }
  const dir = request.out ?? `${packStore.location}/${pack.dir}`;
  return { ...result, dir, files: pack.files, notes: [...earlier.notes, ...notes] };
}

interface Earlier {
  readonly problem: FillbookError | null;
  readonly notes: readonly string[];
}

/**
 * Walks what comes before the period, back to where the user declares what was open, or to the account's beginning: realised PnL needs what was
 * opened there. Where it cannot be asked for, the pack is made without it, and says what is not known.
 */
async function syncHistory(job: Job, period: Period, { openings }: Inputs): Promise<Earlier> {
  const declaresAll = openings.some(({ market }) => market === null);
  const from = declaresAll ? Math.min(...openings.map(({ asOf }) => asOf)) : BEGINNING_MS;
  const { manifest } = await readArchive(job.store, job.account);
  if (from >= period.from || covers(manifest.coverage, { from, to: period.from })) {
    return { problem: null, notes: [] };
  }
  const { problem } = await syncArchive(job, { ...(declaresAll ? { from } : {}), to: period.from, collects: false });
  if (problem?.kind !== "usage") {
    return { problem, notes: [] };
  }
  const note = `what the account did before ${isoTime(period.from)} is not in the archive, and the service cannot be asked (${problem.message}): realised PnL is blank where it depends on that`;
  return { problem: null, notes: [note] };
}

/** The service is asked for contract types that it was never asked for; when it says something new of the pack's markets, the pack is made again. */
async function packWithContracts(job: Job, request: Omit<PackRequest, "contractTypes">) {
  const known = await readContracts(job.store, job.account);
  const newest = request.manifest.parts.at(-1);
  const some = newest === undefined || known.seq > 0 ? [] : await request.readPart(newest);
  const first = await learnContracts(job, marketsOf(some));
  const pack = await writePack({ ...request, contractTypes: first.types });
  const second = await learnContracts(job, pack.markets);
  const isNew = pack.markets.some((market) => (second.types.get(market) ?? null) !== (first.types.get(market) ?? null));
  const notes = second.notes.length > 0 ? second.notes : first.notes;
  return { pack: isNew ? await writePack({ ...request, contractTypes: second.types }) : pack, notes };
}

function marketsOf(fills: readonly Fill[]): string[] {
  return [...new Set(fills.flatMap(({ market }) => (market === null ? [] : [market])))];
}

async function syncAround(job: Job, period: Period, latest: number): Promise<SyncResult> {
  let margin = DAY_MS;
  while (true) {
    const to = Math.max(period.to, Math.min(period.to + margin, latest));
    // A time that is far off, as an epoch of 0, must not send the walk to times that no account has.
    const from = Math.min(period.from, Math.max(BEGINNING_MS, period.from - margin));
    const synced = await syncArchive(job, { from, to, collects: false });
    const { manifest } = await readArchive(job.store, job.account);
    if (!synced.complete || manifest.maxSkewMs <= margin) {
      return synced;
    }
    margin = manifest.maxSkewMs;
  }
}
