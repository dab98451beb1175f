import v8 from "node:v8";
import { declaredLines } from "../accounting/declared.ts";
import type { Method } from "../accounting/method.ts";
import type { Manifest, RestatementFile } from "../archive/manifest.ts";
import { fillsIn, openUnit, readArchive, type Unit, unitsOf } from "../archive/read.ts";
import { readTwiceAt } from "../archive/read-twice.ts";
import { readRestatements } from "../archive/restatements.ts";
import { FillbookError, usageError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import { flagsUntil, type Period } from "../core/period.ts";
import { dayInWords, readPackName } from "../core/period-name.ts";
import { BEGINNING_MS, type TimeRange } from "../core/time.ts";
import { ACCOUNTS, type InputsSource } from "../inputs/files.ts";
import { checkMethod, type Inputs, readInputs } from "../inputs/inputs.ts";
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS, parseAccountSettings } from "../pack/make/account-settings.ts";
import { learnContracts, readContracts } from "../pack/make/contracts.ts";
import { copyPack } from "../pack/make/copy.ts";
import type { DateByName } from "../pack/make/date-by.ts";
import { writePack } from "../pack/make/publish.ts";
import type { PackRequest, PackSource } from "../pack/make/request.ts";
import type { ExportResult, RunContext } from "./context.ts";
import { copyProgress, progressOver, type WholeProgress } from "./export-progress.ts";
import { copiedTo, requireOutFolder } from "./out-folder.ts";
import { requirePackTime, untilStopped } from "./pack-time.ts";
import { readNeeded } from "./read-needed.ts";
import { historyBegins } from "./reading-plan.ts";
import { mostUrgent, notYet } from "./sync-archive.ts";

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

/** Syncs what the period and the account's history lack, both readings included, then writes the pack. */
export async function exportPack(job: RunContext, request: ExportRequest): Promise<ExportResult> {
  const { account, store } = job;
  const inputs = await readInputs(inputsSource(account, request, store), request.period.zone);
  const settings = settingsIn(inputs);
  if (settings.accounts !== null) {
    throw groupRefused(`${inputs.location}/${ACCOUNTS}`); // a function's role can read only one account
  }
  const { location, files } = inputs;
  return await exportTogether({ name: account, location, files, settings }, [{ job, inputs }], request);
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
  const hint = "export the group with the command line, or remove the key accounts from the file";
  return usageError(`${file} defines a group of accounts, but this exports one account`, hint);
}

/** An account of a pack, and the user's files for it. */
export interface Member {
  readonly job: RunContext;
  readonly inputs: Inputs;
}

/** A member whose archive holds what can be had for the period. */
interface Held extends Member {
  readonly manifest: Manifest;
  readonly progress: WholeProgress;
  /** Without a pack. */
  readonly result: ExportResult;
}

/** Syncs what the period and the account's history lack. */
async function hold({ job, inputs }: Member, request: ExportRequest): Promise<Held> {
  const { period, method } = request;
  checkMethod(inputs, method);
  const now = job.clock.now();
  const latest = now - job.settleLagMs;
  const progress = progressOver(job.report);
  const needed = { period, historyFrom: historyBegins(inputs), latest };
  const { problem: lacks, notes } = await readNeeded(job, needed, progress, request.allowIncomplete);
  const { manifest } = await readArchive(job.store, job.account);
  // If the period is not over, that is a clearer reason than a walk that could not reach its end.
  const early = period.to > latest ? [notOver(period, { now, latest }, request)] : [];
  const { name, from, to, zone } = period;
  const result: ExportResult = {
    ...{ account: job.account, period: name, from, to, zone, method, notes },
    ...{ complete: lacks === null, problem: lacks === null ? null : mostUrgent([...early, lacks]) },
    ...{ dir: null, files: [], zip: null, verdict: null, declared: declaredLines(inputs.openings, null), accounts: [] },
  };
  return { job, inputs, manifest, progress, result };
}

/**
 * Syncs what each account lacks, and writes their pack unless one of them lacks more than may be lacking. Copies it to
 * `out`. `of`: what the pack has besides its accounts.
 */
export async function exportTogether(
  of: Pick<PackRequest, "name" | "location" | "files" | "settings">,
  members: readonly Member[],
  request: ExportRequest,
): Promise<ExportResult> {
  const [{ job }] = members as [Member, ...Member[]];
  const { period, method, isMethodChosen, basis, currency = null, out } = request;
  const isOne = members.length === 1;
  const packStore = job.packStore ?? job.store;
  await requireOutFolder(out, [job.store, packStore]);
  const all: Held[] = [];
  for (const [at, { job: own, inputs }] of members.entries()) {
    const report: RunContext["report"] = ({ covered, ...shown }) =>
      own.report({ ...shown, covered: covered === null ? null : (at + covered) / members.length });
    const held = hold({ job: { ...own, report }, inputs }, request);
    all.push(await (isOne ? held : held.catch((error: unknown) => Promise.reject(ofAccount(error, own.account)))));
  }
  const named = (text: string, account: string) => (isOne ? text : `${account}: ${text}`);
  const problems = all.flatMap(({ result: { account, problem } }) => {
    const own = isOne || problem === null ? problem : ofAccount(problem, account);
    return own === null ? [] : [own];
  });
  const [{ result: first, progress }] = all as [Held];
  const result: ExportResult = {
    ...first,
    ...(isOne ? {} : { account: of.name, declared: [], accounts: all.map((one) => one.result) }),
    complete: all.every((one) => one.result.complete),
    notes: all.flatMap(({ result: { account, notes } }) => notes.map((note) => named(note, account))),
    problem: mostUrgent(problems),
  };
  const { complete } = result;
  if (!complete && (!request.allowIncomplete || problems.some(({ kind }) => kind !== "incomplete"))) {
    return result;
  }
  const expected = all.reduce((sum, { manifest }) => sum + fillsIn(manifest, [period]), 0);
  progress.packing(complete, { fills: 0, of: expected });
  requirePackTime(job, period);
  v8.setFlagsFromString("--heap-growing-percent=50"); // some 25 MB less, and a tenth more time
  const { notes: ofContracts, pack } = await packWithContracts(all, {
    ...{ ...of, packStore, period, method, isMethodChosen, basis, currency },
    ...{ beginning: BEGINNING_MS, allowIncomplete: !complete },
    report: (fills: number, file?: string) =>
      progress.packing(complete, { fills, of: Math.max(fills, expected) }, file),
  });
  const { dir, files, zip, verdict, declared } = pack;
  const written: ExportResult = {
    ...{ ...result, files, verdict, declared },
    dir: `${packStore.location}/${dir}`,
    zip: zip && `${packStore.location}/${zip}`,
    notes: [...result.notes, ...ofContracts, ...pack.notes],
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
 * Asks the service for contract types that it was never asked for. If its answer changes a type that the pack
 * has used, makes the pack again.
 */
async function packWithContracts(held: readonly Held[], request: Omit<PackRequest, "accounts">) {
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
    const { job } = held[at] as Held;
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
  return { ...job, isMet: job.reader.counts.requests > 0, ask: () => job.reader.productSpecifications(job.signal) };
}

function marketsOf(fills: Iterable<Fill>): string[] {
  return [...new Set(Iterator.from(fills).map(({ market }) => market))].filter((market) => market !== null);
}

/**
 * The error for a period whose end cannot have been read yet. `latest`: until when fills can be read, ms UTC.
 */
export function notOver(
  period: Period,
  { now, latest }: { readonly now: number; readonly latest: number },
  { allowIncomplete }: { readonly allowIncomplete: boolean },
): FillbookError {
  if (period.to <= now) {
    return notYet(period, latest); // it is over, but fills may still appear late
  }
  const named = readPackName(period.name)?.typed ?? "the period";
  const soFar = flagsUntil(period, latest);
  const hint = soFar === null ? "run again after that day" : `for the time so far: ${soFar}`;
  return new FillbookError(
    "incomplete",
    `${named} is not over: it ends on ${dayInWords(period.lastDay)} (${period.zone})`,
    { hint: soFar === null || allowIncomplete ? hint : `${hint}; or add --allow-incomplete` },
  );
}
