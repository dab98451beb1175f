import type { Method } from "../accounting/method.ts";
import type { Manifest, RestatementFile } from "../archive/manifest.ts";
import { fillsIn, readArchive, readNewestArchive, unitReader, unitsOf } from "../archive/read.ts";
import { readRestatements } from "../archive/restatements.ts";
import { BEGINNING_MS } from "../core/beginning.ts";
import { type ErrorKind, FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import type { Period } from "../core/period.ts";
import { covers } from "../core/ranges.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import { ACCOUNTS, type InputsSource } from "../inputs/files.ts";
import { checkMethod, type Inputs, readInputs } from "../inputs/inputs.ts";
import { parseAccountSettings } from "../pack/make/account-settings.ts";
import { learnContracts, readContracts } from "../pack/make/contracts.ts";
import { copyPack } from "../pack/make/copy.ts";
import type { DateByName } from "../pack/make/date-by.ts";
import { declaredLines } from "../pack/make/declared.ts";
import { type MadePack, writePack } from "../pack/make/publish.ts";
import type { PackRequest } from "../pack/make/request.ts";
import { coveredTwice } from "../walk/plan.ts";
import type { ExportResult, RunContext } from "./context.ts";
import { type HeldFills, heldAlone, lastAsked, whyUnreachable } from "./export-alone.ts";
import { copyProgress, progressOver, type WholeProgress } from "./export-progress.ts";
import { notOver } from "./not-over.ts";
import { copiedTo, requireOutFolder } from "./out-folder.ts";
import { requirePackTime, untilStopped } from "./pack-time.ts";
import {
  exportJob,
  exportRange,
  historyBegins,
  type Needed,
  type RunPlan,
  rangeAsRead,
  runPlan,
} from "./reading-plan.ts";
import { mostUrgent, syncArchive } from "./sync-archive.ts";

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

/** Syncs what the period and its accounts lack, both readings included, then writes the pack. */
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
  const needed = { period, historyFrom: historyBegins(inputs), latest };
  const progress = progressOver(job.report);
  const away = request.allowIncomplete ? await whyUnreachable(job) : null;
  const held = away === null ? await readNeeded(job, needed, progress) : await heldAlone(job, needed, away);
  const { manifest } = await readArchive(store, account);
  const complete = held.problem === null;
  // If the period is not over, that is a clearer reason than a walk that could not reach its end.
  const early = period.to > latest ? [notOver(period, { now, latest }, request)] : [];
  const problem = held.problem === null ? null : mostUrgent([...early, held.problem]);
  const { name, from, to, zone } = period;
  const { notes } = held;
  const result = { account, period: name, from, to, zone, method, complete, notes, problem };
  if (!complete && (!request.allowIncomplete || problem?.kind !== "incomplete")) {
    return { result: { ...result, dir: null, files: [], declared: declaredLines(inputs.openings, null) }, made: null };
  }
  const expected = fillsIn(manifest, [period]);
  progress.packing(complete, { fills: 0, of: expected });
  const packStore = job.packStore ?? store;
  const planned = {
    store,
    packStore,
    account,
    manifest,
    period,
    method,
    isMethodChosen: request.isMethodChosen,
    basis: request.basis,
    currency: request.currency ?? null,
    inputs,
    beginning: BEGINNING_MS,
    allowIncomplete: !complete,
    readUnit: untilStopped(job, period, unitReader(store, manifest)),
    readRestatements: (file: RestatementFile) => readRestatements(store, account, file),
    report: (fills: number, file?: string) =>
      progress.packing(complete, { fills, of: Math.max(fills, expected) }, file),
  };
  requirePackTime(job, period);
  const { notes: contractNotes, ...made } = await packWithContracts(job, planned);
  const { dir, files, declared } = made.pack;
  const own = { dir: `${packStore.location}/${dir}`, files, declared };
  return { result: { ...result, ...own, notes: [...notes, ...contractNotes, ...made.pack.notes] }, made };
}

/**
 * Reads the period, with a margin, and the history twice. Where the two times of a fill turn out to lie
 * further apart than the margin, it reads on. Asks nothing if nothing is due.
 */
async function readNeeded(job: RunContext, needed: Needed, progress: WholeProgress): Promise<HeldFills> {
  let { manifest } = await readNewestArchive(job.store, job.account);
  let range = exportRange(needed, manifest.known);
  let own = exportJob(job, manifest.known, needed, range);
  if (covers(coveredTwice(manifest.coverage), range) && isNothing(runPlan(own, manifest, range))) {
    return { problem: null, notes: [] };
  }
  while (true) {
    const { from, to } = range;
    const begins = from === BEGINNING_MS ? {} : { from };
    const report = progress.ofWalk();
    const { problem, pages } = await syncArchive({ ...own, report }, { ...begins, to, collects: false });
    if (problem !== null) {
      const isAway = AWAY.includes(problem.kind) && pages === 0 && !job.signal.aborted;
      const asRead = rangeAsRead(needed, manifest);
      return isAway && covers(coveredTwice(manifest.coverage), asRead)
        ? { problem: null, notes: [notAskedAgain(manifest, asRead, problem)] }
        : { problem, notes: [] };
    }
    ({ manifest } = await readArchive(job.store, job.account));
    const wider = exportRange(needed, manifest.known);
    if (covers([range], wider)) {
      return { problem: null, notes: [] };
    }
    range = wider;
    own = { ...job, lookBackMs: 0, alwaysLooksBack: false };
  }
}

function isNothing({ first, waiting, again, rotation }: RunPlan): boolean {
  return first.length + waiting.length + again.length === 0 && rotation === null;
}

/** What is covered is as good as before. */
function notAskedAgain(manifest: Manifest, { from, to }: TimeRange, { message }: FillbookError): string {
  return `the service could not be asked again for the newest days of ${isoTime(from)} to ${isoTime(to)} (${message}): the pack lacks fills that were added or changed since ${lastAsked(manifest)}. Export again when the service can be asked`;
}

/**
 * Asks the service for contract types that it was never asked for. If its answer changes a type that the pack
 * has used, makes the pack again.
 */
async function packWithContracts(job: RunContext, request: Omit<PackRequest, "contractTypes">) {
  const known = await readContracts(job);
  const asked = { ...job, ask: () => job.reader.productSpecifications(job.signal) };
  const newest = known.seq > 0 ? undefined : unitsOf(request.manifest).at(-1);
  const first = await learnContracts(asked, marketsOf(newest === undefined ? [] : await request.readUnit(newest)));
  const whole = { ...request, contractTypes: first.types };
  const pack = await writePack(whole);
  const second = await learnContracts(asked, pack.markets);
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
