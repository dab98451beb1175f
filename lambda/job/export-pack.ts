import type { Method } from "../accounting/method.ts";
import { learnContracts, readContracts } from "../archive/contracts.ts";
import { readDataFile } from "../archive/data-files.ts";
import type { Manifest } from "../archive/manifest.ts";
import type { DataFile, RestatementFile } from "../archive/manifest-entries.ts";
import { readNewestHead } from "../archive/newest-head.ts";
import { loadArchive, readArchive } from "../archive/read.ts";
import { readRestatements } from "../archive/restatements.ts";
import { rowsIn } from "../archive/rows-in.ts";
import { BEGINNING_MS } from "../core/beginning.ts";
import { type ErrorKind, FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import type { Period } from "../core/period.ts";
import { firstMargin } from "../core/period-margin.ts";
import { covers, intersection } from "../core/ranges.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import { ACCOUNTS, type InputsSource } from "../inputs/files.ts";
import { checkMethod, type Inputs, readInputs } from "../inputs/inputs.ts";
import { parseAccountSettings } from "../pack/build/account-settings.ts";
import { copyPack } from "../pack/build/copy.ts";
import type { DateByName } from "../pack/build/date-by.ts";
import { declaredLines } from "../pack/build/declared.ts";
import { type MadePack, writePack } from "../pack/build/publish.ts";
import type { PackRequest } from "../pack/build/request.ts";
import { unsettledBeginning } from "./before-beginning.ts";
import type { ExportResult, RunContext } from "./context.ts";
import { heldAlone, lackingBefore, unknownBefore, whyUnreachable } from "./export-alone.ts";
import { copyProgress, progressOver, type WholeProgress } from "./export-progress.ts";
import { notOver } from "./not-over.ts";
import { copiedTo, requireOutFolder } from "./out-folder.ts";
import { requirePackTime, untilStopped } from "./pack-time.ts";
import { marginBySkew } from "./period-margin.ts";
import { askedSince, planRecheck } from "./recheck.ts";
import { lookBackOf, mostUrgent, notYet, syncArchive } from "./sync-archive.ts";

/** Kinds of errors that keep a run from asking the service without casting doubt on what is covered. */
const AWAY: readonly ErrorKind[] = ["usage", "token", "incomplete"];

export interface ExportRequest {
  readonly period: Period;
  readonly method: Method;
  /** False: the default method is used because nobody chose one. */
  readonly isMethodChosen: boolean;
  /** Which of a fill's two times puts it into the period. */
  readonly basis: DateByName;
  /** Convert amounts into this currency too. Absent: nothing is converted. */
  readonly currency?: string;
  /** A folder with the user's files. Absent: the store's `<account>/inputs/`. */
  readonly inputsDir?: string;
  readonly allowIncomplete: boolean;
  /** A plain folder that gets a copy of the pack. */
  readonly out?: string;
}

/**
 * Syncs what the period lacks, and what its accounts need from before it, then writes the pack. A fill
 * belongs to the period by its trade time but to a window by `txCreated`, so the walk reads a margin on both
 * sides of the period (see period-margin.ts).
 */
export async function exportPack(job: RunContext, request: ExportRequest): Promise<ExportResult> {
  const { account, store } = job;
  const { period, out } = request;
  const inputs = await readInputs(inputsSource(account, request, store), period.zone);
  refuseGroup(inputs);
  await requireOutFolder(out, [store, job.packStore ?? store]);
  const { result, made } = await makePack(job, request, inputs);
  if (made === null || out === undefined) {
    return result;
  }
  return await copiedTo(out, result, copyPack(made.request.packStore, made.pack, out, copyProgress(job)));
}

/** Where the files of an account or a group are. */
export function inputsSource(
  account: string,
  { inputsDir }: Pick<ExportRequest, "inputsDir">,
  store: RunContext["store"],
): InputsSource {
  return inputsDir === undefined ? { kind: "store", store, account } : { kind: "folder", path: inputsDir };
}

/**
 * A group's pack can only be made on the command line, because a function's role can read only one account.
 */
function refuseGroup({ accounts, location }: Inputs): void {
  if (accounts !== null && parseAccountSettings(accounts, ACCOUNTS).accounts !== null) {
    throw groupRefused(`${location}/${ACCOUNTS}`);
  }
}

export function groupRefused(file: string): FillbookError {
  return new FillbookError("usage", `${file} defines a group of accounts, but this exports one account`, {
    hint: "export the group with the command line, or remove the key accounts from the file",
  });
}

/**
 * As `exportPack`, with inputs that are already read, and without a copy. `made` null: no pack was written.
 */
export async function makePack(
  job: RunContext,
  request: ExportRequest,
  inputs: Inputs,
): Promise<{ readonly result: ExportResult; readonly made: MadePack | null }> {
  const { account, store } = job;
  const { period, method } = request;
  checkMethod(inputs, method);
  const now = job.clock.now();
  const latest = now - job.settleLagMs;
  const history = { from: historyBegins(inputs), to: period.from };
  const around = rangeAround(period, firstMargin(period), latest);
  // If the history starts at the account's beginning, nobody knows how many fills it holds, so it gets no
  // share of the progress.
  const whole = history.from === BEGINNING_MS ? around : { from: Math.min(history.from, around.from), to: around.to };
  const progress = progressOver(whole, job.report);
  const away = request.allowIncomplete ? await whyUnreachable(job) : null;
  const synced =
    away === null
      ? await syncAround(job, { period, neededFrom: history.from }, latest, progress)
      : await heldAlone(job, around, away);
  const untold = { ...job, alwaysLooksBack: false };
  const earlier =
    synced.complete && away === null ? await syncHistory(untold, history, progress) : { problem: null, notes: [] };
  const { manifest, manifestIndex } = await readArchive(store, account);
  const older = unsettledBeginning(manifest, history);
  const isRead = synced.complete && earlier.problem === null && older.length === 0;
  const complete = isRead && covers(manifest.coverage, period);
  // If the period is not over, that is a clearer reason than a walk that could not reach its end.
  const problems = [
    ...(period.to > latest ? [notOver(period, { now, latest }, request)] : []),
    ...[synced.problem, earlier.problem, ...older].filter((one) => one !== null),
  ];
  const { name, from, to, zone } = period;
  const problem = complete ? null : (mostUrgent(problems) ?? notYet(period, latest));
  const notes = [...synced.notes, ...earlier.notes, ...lackingBefore(manifest, history, away)];
  const result = { account, period: name, from, to, zone, method, complete, notes, problem };
  if (!complete && (!request.allowIncomplete || problem?.kind !== "incomplete")) {
    return { result: { ...result, dir: null, files: [], declared: declaredLines(inputs.openings, null) }, made: null };
  }
  const expected = await rowsIn(manifestIndex, [period]);
  progress.packing(complete, { fills: 0, of: expected });
  const packStore = job.packStore ?? store;
  const planned = {
    store,
    packStore,
    account,
    manifest,
    manifestIndex,
    period,
    method,
    isMethodChosen: request.isMethodChosen,
    basis: request.basis,
    currency: request.currency ?? null,
    inputs,
    beginning: BEGINNING_MS,
    allowIncomplete: !complete,
    readDataFile: untilStopped(job, period, (dataFile: DataFile) => readDataFile(store, dataFile)),
    readRestatements: (file: RestatementFile) => readRestatements(store, file),
    report: (fills: number, file?: string) =>
      progress.packing(complete, { fills, of: Math.max(fills, expected) }, file),
  };
  requirePackTime(job, period);
  const { notes: contractNotes, ...made } = await packWithContracts(job, planned);
  const { dir, files, declared } = made.pack;
  const own = { dir: `${packStore.location}/${dir}`, files, declared };
  return { result: { ...result, ...own, notes: [...notes, ...contractNotes, ...made.pack.notes] }, made };
}

interface Around extends Earlier {
  readonly complete: boolean;
}

interface Earlier {
  readonly problem: FillbookError | null;
  readonly notes: readonly string[];
}

/**
 * Walks the time before the period: back to the opening positions that the user declared, or to the account's
 * beginning. Realised PnL needs the fills that opened the positions. If the service cannot be asked, the pack
 * is made without them and says what is not known.
 */
async function syncHistory(job: RunContext, history: TimeRange, progress: WholeProgress): Promise<Earlier> {
  const { from, to } = history;
  const before = await readArchive(job.store, job.account);
  const now = job.clock.now();
  const lookBack = lookBackOf(job, { now, latest: now - job.settleLagMs }, history);
  const isCovered = covers(before.manifest.coverage, history);
  if (from >= to || (isCovered && (await planRecheck(before, lookBack)) === null)) {
    return { problem: null, notes: [] };
  }
  const report = progress.ofWalk(history, before.manifest.coverage, "fills before the period");
  const declared = from === BEGINNING_MS ? {} : { from };
  const { problem } = await syncArchive({ ...job, report }, { ...declared, to, collects: false });
  const notes = await notAskedAgain(job, history, { problem, before: before.manifest });
  if (notes.length > 0 || problem?.kind !== "usage") {
    return { problem: notes.length > 0 ? null : problem, notes };
  }
  return { problem: null, notes: [unknownBefore(to, problem)] };
}

/**
 * A note if the range was covered before, but this run could not finish its look-back. What is covered is as
 * good as before. Empty: no such problem, or another one.
 */
async function notAskedAgain(
  job: RunContext,
  range: TimeRange,
  run: { readonly problem: FillbookError | null; readonly before: Manifest },
): Promise<string[]> {
  const { problem, before } = run;
  const isAway = problem !== null && AWAY.includes(problem.kind) && !job.signal.aborted;
  if (!(isAway && covers(before.coverage, range))) {
    return [];
  }
  const { coverage, checkpoint } = (await readArchive(job.store, job.account)).manifest;
  if (!covers(coverage, range) || intersection(range, checkpoint.rechecks).length === 0) {
    return [];
  }
  const since = askedSince(before, range);
  const when = since === null ? "it was last asked" : isoTime(since);
  return [
    `the service could not be asked again for the newest days of ${isoTime(range.from)} to ${isoTime(range.to)} (${problem.message}): the pack lacks fills that were added or changed since ${when}. Export again when the service can be asked`,
  ];
}

/** The time from which a pack's accounts need fills, ms UTC. */
export function historyBegins({ openings }: Inputs): number {
  const declaresAll = openings.some(({ market }) => market === null);
  return declaresAll ? Math.min(...openings.map(({ asOf }) => asOf)) : BEGINNING_MS;
}

/**
 * Asks the service for contract types that it was never asked for. If its answer changes a type that the pack
 * has used, makes the pack again.
 */
async function packWithContracts(job: RunContext, request: Omit<PackRequest, "contractTypes">) {
  const known = await readContracts(job.store, job.account);
  const { dataFilesTo } = request.manifestIndex.sum;
  const [newest] = await request.manifestIndex.dataFiles({ from: dataFilesTo - 1, to: dataFilesTo });
  const some = newest === undefined || known.seq > 0 ? [] : await request.readDataFile(newest);
  const first = await learnContracts(job, marketsOf(some));
  const whole = { ...request, contractTypes: first.types };
  const pack = await writePack(whole);
  const second = await learnContracts(job, pack.markets);
  const isNew = pack.markets.some((market) => (second.types.get(market) ?? null) !== (first.types.get(market) ?? null));
  const notes = second.notes.length > 0 ? second.notes : first.notes;
  if (!isNew) {
    return { request: whole, pack, notes };
  }
  const again = { ...request, contractTypes: second.types };
  return { request: again, pack: await writePack(again), notes };
}

function marketsOf(fills: readonly Fill[]): string[] {
  return [...new Set(fills.flatMap(({ market }) => (market === null ? [] : [market])))];
}

async function syncAround(
  job: RunContext,
  { period, neededFrom }: { readonly period: Period; readonly neededFrom: number },
  latest: number,
  progress: WholeProgress,
): Promise<Around> {
  let margin = firstMargin(period);
  let { manifest } = await loadArchive(job.store, job.account, await readNewestHead(job.store, job.account));
  let { alwaysLooksBack = false } = job;
  while (true) {
    const { from, to } = rangeAround(period, margin, latest);
    // A walk never reads times that may not be settled yet.
    const report = progress.ofWalk({ from, to: Math.min(to, latest) }, manifest.coverage);
    const walked = { from, to, collects: false, neededFrom };
    const synced = await syncArchive({ ...job, report, alwaysLooksBack }, walked);
    const notes = await notAskedAgain(job, { from, to }, { problem: synced.problem, before: manifest });
    if (notes.length > 0) {
      return { complete: true, problem: null, notes };
    }
    const archive = await readArchive(job.store, job.account);
    const needed = await marginBySkew(archive, period);
    if (!synced.complete || needed <= margin) {
      return { ...synced, notes };
    }
    margin = needed;
    ({ manifest } = archive);
    alwaysLooksBack = false;
  }
}

/** The period with `margin` on both sides, limited to times in which there can be fills. */
function rangeAround(period: Period, margin: number, latest: number): TimeRange {
  return {
    // A start far in the past, such as the epoch, must not send the walk to times before any account existed.
    from: Math.min(period.from, Math.max(BEGINNING_MS, period.from - margin)),
    to: Math.max(period.to, Math.min(period.to + margin, latest)),
  };
}
