import { declaredLines } from "../accounting/declared.ts";
import type { Method } from "../accounting/method.ts";
import type { Manifest, RestatementFile } from "../archive/manifest.ts";
import { fillsIn, openUnit, readArchive, readNewestArchive, type Unit, unitsOf } from "../archive/read.ts";
import { readTwiceAt } from "../archive/read-twice.ts";
import { readRestatements } from "../archive/restatements.ts";
import { type ErrorKind, FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import type { Period } from "../core/period.ts";
import { covers } from "../core/ranges.ts";
import { BEGINNING_MS, isoTime, type TimeRange } from "../core/time.ts";
import { ACCOUNTS, type InputsSource } from "../inputs/files.ts";
import { checkMethod, type Inputs, readInputs } from "../inputs/inputs.ts";
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS, parseAccountSettings } from "../pack/make/account-settings.ts";
import { learnContracts, readContracts } from "../pack/make/contracts.ts";
import { copyPack } from "../pack/make/copy.ts";
import type { DateByName } from "../pack/make/date-by.ts";
import { writePack } from "../pack/make/publish.ts";
import type { PackRequest, PackSource } from "../pack/make/request.ts";
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
  const inputs = await readInputs(inputsSource(account, request, store), request.period.zone);
  const settings = settingsIn(inputs);
  if (settings.accounts !== null) {
    // A function's role can read only one account.
    throw groupRefused(`${inputs.location}/${ACCOUNTS}`);
  }
  await requireOutFolder(request.out, [store, job.packStore ?? store]);
  const held = await holdAccount(job, request, inputs);
  return await packOf({ name: account, files: inputs.files, settings }, [held], request);
}

/** The settings that the inputs have, or the usual ones. */
export function settingsIn({ accounts }: Pick<Inputs, "accounts">): AccountSettings {
  return accounts === null ? DEFAULT_ACCOUNT_SETTINGS : parseAccountSettings(accounts, ACCOUNTS);
}

/** Where the files of an account or a group are. */
export function inputsSource(
  account: string,
  { inputsDir }: Pick<ExportRequest, "inputsDir">,
  store: RunContext["store"],
): InputsSource {
  return inputsDir === undefined ? { kind: "store", store, account } : { kind: "folder", path: inputsDir };
}

export function groupRefused(file: string): FillbookError {
  return new FillbookError("usage", `${file} defines a group of accounts, but this exports one account`, {
    hint: "export the group with the command line, or remove the key accounts from the file",
  });
}

/** An account whose archive holds what can be had for the period. */
export interface HeldAccount {
  readonly job: RunContext;
  readonly inputs: Inputs;
  readonly manifest: Manifest;
  readonly progress: WholeProgress;
  /** Without a pack. */
  readonly result: ExportResult;
}

/** Syncs what the period and the account's history lack. */
export async function holdAccount(job: RunContext, request: ExportRequest, inputs: Inputs): Promise<HeldAccount> {
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
  // If the period is not over, that is a clearer reason than a walk that could not reach its end.
  const early = period.to > latest ? [notOver(period, { now, latest }, request)] : [];
  const problem = held.problem === null ? null : mostUrgent([...early, held.problem]);
  const { name, from, to, zone } = period;
  const complete = held.problem === null;
  const range = { period: name, from, to, zone, method };
  const nothing = { dir: null, files: [], zip: null, verdict: null, declared: declaredLines(inputs.openings, null) };
  const result = { account, ...range, complete, notes: held.notes, problem, ...nothing };
  return { job, inputs, manifest, progress, result };
}

/** What a pack has besides its accounts. */
export interface PackOf extends Pick<PackRequest, "name" | "files" | "settings"> {}

/** Writes the pack of some accounts, unless one of them lacks more than may be lacking. Copies it to `out`. */
export async function packOf(
  { name, files, settings }: PackOf,
  held: readonly HeldAccount[],
  request: ExportRequest,
): Promise<ExportResult> {
  const [first] = held;
  if (first === undefined) {
    throw new RangeError("a pack without accounts");
  }
  const { job, progress } = first;
  const { period, out } = request;
  const isOne = held.length === 1;
  const complete = held.every((one) => one.result.complete);
  const problems = held.flatMap(({ result: { account, problem } }) => {
    const own = isOne || problem === null ? problem : ofAccount(problem, account);
    return own === null ? [] : [own];
  });
  const notes = held.flatMap(({ result: { account, notes: own } }) =>
    own.map((note) => (isOne ? note : `${account}: ${note}`)),
  );
  const result: ExportResult = {
    ...first.result,
    ...(isOne ? {} : { account: name, declared: [] }),
    ...{ complete, notes, problem: mostUrgent(problems) },
  };
  if (!complete && (!request.allowIncomplete || problems.some(({ kind }) => kind !== "incomplete"))) {
    return result;
  }
  const expected = held.reduce((sum, { manifest }) => sum + fillsIn(manifest, [period]), 0);
  progress.packing(complete, { fills: 0, of: expected });
  const packStore = job.packStore ?? job.store;
  requirePackTime(job, period);
  const { notes: contractNotes, pack } = await packWithContracts(held, {
    ...{ name, files, settings, packStore, period },
    method: request.method,
    isMethodChosen: request.isMethodChosen,
    basis: request.basis,
    currency: request.currency ?? null,
    beginning: BEGINNING_MS,
    allowIncomplete: !complete,
    report: (fills: number, file?: string) =>
      progress.packing(complete, { fills, of: Math.max(fills, expected) }, file),
  });
  const { dir, files: made, zip, verdict, declared } = pack;
  const written: ExportResult = {
    ...result,
    dir: `${packStore.location}/${dir}`,
    files: made,
    zip: zip && `${packStore.location}/${zip}`,
    verdict,
    declared,
    notes: [...notes, ...contractNotes, ...pack.notes],
  };
  return out === undefined ? written : await copiedTo(out, written, copyPack(packStore, pack, out, copyProgress(job)));
}

/** The same error, with the account's name. */
export function ofAccount(error: unknown, account: string): FillbookError {
  if (!(error instanceof FillbookError)) {
    throw error;
  }
  const { kind, message, hint, cause } = error;
  return new FillbookError(kind, `${account}: ${message}`, { ...(hint === undefined ? {} : { hint }), cause });
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
async function packWithContracts(held: readonly HeldAccount[], request: Omit<PackRequest, "accounts">) {
  const sources: PackSource[] = [];
  /** By account. What was said last counts. */
  const notes = new Map<string, readonly string[]>();
  for (const { job, inputs, manifest } of held) {
    const { account, store } = job;
    const readUnit = untilStopped(job, request.period, (unit: Unit) => openUnit(store, manifest, unit));
    const newest = (await readContracts(job)).seq > 0 ? undefined : unitsOf(manifest).at(-1);
    const first = await learnContracts(asking(job), marketsOf(newest === undefined ? [] : await readUnit(newest)));
    notes.set(account, first.notes);
    sources.push({
      ...{ account, inputs, manifest, readUnit, contractTypes: first.types },
      readRestatements: (file: RestatementFile) => readRestatements(store, account, file),
      readTwiceAt: (range: TimeRange) => readTwiceAt(store, manifest, range),
    });
  }
  const pack = await writePack({ ...request, accounts: sources });
  const again: PackSource[] = [];
  let isNew = false;
  for (const [at, source] of sources.entries()) {
    const { job } = held[at] as HeldAccount;
    const markets = pack.markets.get(source.account) ?? [];
    const { types, notes: more } = await learnContracts(asking(job), markets);
    if (more.length > 0) {
      notes.set(source.account, more);
    }
    const typeIn = (known: PackSource["contractTypes"], market: string) => known.get(market) ?? null;
    isNew ||= markets.some((market) => typeIn(types, market) !== typeIn(source.contractTypes, market));
    again.push({ ...source, contractTypes: types });
  }
  const all = [...notes].flatMap(([account, own]) =>
    own.map((note) => (held.length === 1 ? note : `${account}: ${note}`)),
  );
  return { notes: all, pack: isNew ? await writePack({ ...request, accounts: again }) : pack };
}

function asking(job: RunContext) {
  return { ...job, ask: () => job.reader.productSpecifications(job.signal) };
}

function marketsOf(fills: Iterable<Fill>): string[] {
  return [...new Set(Iterator.from(fills).map(({ market }) => market))].filter((market) => market !== null);
}
