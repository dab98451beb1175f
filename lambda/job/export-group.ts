import { stat } from "node:fs/promises";
import { join } from "node:path";
import { readHead } from "../archive/head.ts";
import { FillbookError } from "../core/errors.ts";
import type { InputFile, InputsSource } from "../inputs/files.ts";
import { readGroupSettings, readInputsOfAccount, readSharedFiles } from "../inputs/group.ts";
import { DEFAULT_ACCOUNT_SETTINGS, parseAccountSettings } from "../pack/build/account-settings.ts";
import { checkOutFolder, copyPack } from "../pack/build/copy.ts";
import { type GroupMembers, writeGroupPack } from "../pack/group/group-pack.ts";
import type { Store } from "../storage/store.ts";
import type { ExportResult, RunContext } from "./context.ts";
import { type ExportRequest, type MadePack, makePack } from "./export-pack.ts";

/** What is exported together. */
export interface GroupRequest {
  readonly name: string;
  /** At least two, sorted. */
  readonly accounts: readonly string[];
}

export interface GroupResult extends ExportResult {
  /** Of each account, by its own pack. */
  readonly accounts: readonly ExportResult[];
}

/** What is typed as accounts, as one export of a group; null: it is one account. Throws `usage`. */
export async function groupOf(
  accounts: readonly string[],
  request: Pick<ExportRequest, "inputsDir">,
  store: () => Promise<Store>,
): Promise<GroupRequest | null> {
  const names = [...new Set(accounts)].sort();
  if (names.length > 1) {
    const name = names.join("_");
    if (name.length > LONGEST_NAME) {
      throw new FillbookError("usage", `${names.length} accounts are too many for one command`, {
        hint: 'give the group a name: write {"accounts": ["main", "hedge"]} into the accounts.json of its inputs, and export --account NAME',
      });
    }
    return { name, accounts: names };
  }
  const [name = ""] = names;
  const source = await sourceOf(name, request, store);
  const text = await readGroupSettings(source);
  const listed = text === null ? null : parseAccountSettings(text, "accounts.json").accounts;
  if (listed === null) {
    return null;
  }
  if (listed.includes(name) || (await readHead(await store(), name)) !== null) {
    throw new FillbookError("usage", `accounts.json names a group, and ${name} is an account`, {
      hint: "export the group under another --account NAME, or take the key accounts out of the file",
    });
  }
  return { name, accounts: listed };
}

/** A folder of the store is called so. */
const LONGEST_NAME = 100;

async function sourceOf(
  account: string,
  { inputsDir }: Pick<ExportRequest, "inputsDir">,
  store: () => Promise<Store>,
): Promise<InputsSource> {
  return inputsDir === undefined
    ? { kind: "store", store: await store(), account }
    : { kind: "folder", path: inputsDir };
}

/**
 * Exports each account by itself, with its own pack, and then what they are together. Nothing of the group is written unless there is a pack of each. With
 * --out the group's files are copied, and each account's pack into its folder `accounts/NAME/`.
 */
export async function exportGroup(
  group: GroupRequest,
  jobOf: (account: string) => Promise<RunContext>,
  request: ExportRequest,
): Promise<GroupResult> {
  const jobs: RunContext[] = [];
  for (const account of group.accounts) {
    jobs.push(await jobOf(account));
  }
  const [job] = jobs;
  if (job === undefined) {
    throw new RangeError("a group of no account");
  }
  const { store, packStore } = job;
  checkOutFolder(request.out, [store, packStore ?? store]);
  const source = await sourceOf(group.name, request, () => Promise.resolve(store));
  const shared = await readSharedFiles(source, group.accounts);
  const results: ExportResult[] = [];
  const made: MadePack[] = [];
  for (const [at, own] of jobs.entries()) {
    const report: RunContext["report"] = (progress) =>
      own.report({ ...progress, covered: (at + progress.covered) / jobs.length });
    const inputs = await readInputsOfAccount(await ownSource(own, request), shared, request.period.zone);
    const one = await makePack({ ...own, report }, request, inputs).catch((error: unknown) => {
      throw ofAccount(error, own.account);
    });
    results.push(one.result);
    made.push(...(one.made === null ? [] : [one.made]));
  }
  const common = commonOf(group, results);
  const [first, ...others] = made;
  if (first === undefined || made.length < jobs.length) {
    return { ...common, dir: null, files: [] };
  }
  const members: GroupMembers = [first, ...others];
  const pack = await writeGroupPack({ name: group.name, named: namedIn(shared), files: shared }, members);
  if (request.out !== undefined) {
    await copyGroup(packStore ?? store, pack, members, request.out);
  }
  const dir = request.out ?? `${(packStore ?? store).location}/${pack.dir}`;
  return { ...common, dir, files: pack.files };
}

/** An account's own files; null: it has no folder beside the others. */
async function ownSource({ account, store }: RunContext, { inputsDir }: ExportRequest): Promise<InputsSource | null> {
  if (inputsDir === undefined) {
    return { kind: "store", store, account };
  }
  const path = join(inputsDir, account);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  return isThere ? { kind: "folder", path } : null;
}

function commonOf({ name }: GroupRequest, results: readonly ExportResult[]): Omit<GroupResult, "dir" | "files"> {
  const [first] = results;
  if (first === undefined) {
    throw new RangeError("a group of no account");
  }
  const failed = results.find(({ problem }) => problem !== null);
  return {
    ...first,
    account: name,
    accounts: results,
    complete: results.every(({ complete }) => complete),
    declared: [],
    notes: results.flatMap(({ account, notes }) => notes.map((note) => `${account}: ${note}`)),
    problem: failed === undefined ? null : ofAccount(failed.problem, failed.account),
  };
}

/** The same error, which says whose it is. */
function ofAccount(error: unknown, account: string): FillbookError {
  if (!(error instanceof FillbookError)) {
    throw error;
  }
  const { kind, message, hint, cause } = error;
  return new FillbookError(kind, `${account}: ${message}`, { ...(hint === undefined ? {} : { hint }), cause });
}

/** As the shared accounts.json names those that the statement is for. */
function namedIn(shared: readonly InputFile[]) {
  const file = shared.find(({ name }) => name === "accounts.json");
  const settings =
    file === undefined
      ? DEFAULT_ACCOUNT_SETTINGS
      : parseAccountSettings(new TextDecoder().decode(file.bytes), "accounts.json");
  return settings.statement;
}

async function copyGroup(
  store: Store,
  pack: Parameters<typeof copyPack>[1],
  members: GroupMembers,
  out: string,
): Promise<void> {
  await copyPack(store, pack, out);
  for (const { request, pack: own } of members) {
    await copyPack(store, own, out, `accounts/${request.account}`);
  }
}
