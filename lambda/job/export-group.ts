import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { readHead } from "../archive/head.ts";
import { groupNameOf, LONGEST_GROUP_NAME } from "../core/account-name.ts";
import { FillbookError } from "../core/errors.ts";
import { ACCOUNTS, type InputFile, type InputsSource, textOf } from "../inputs/files.ts";
import {
  type AccountInputs,
  copiedFiles,
  readGroupSettings,
  readInputsOfAccount,
  readSharedFiles,
} from "../inputs/group.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { type GroupMembers, type GroupPack, writeGroupPack } from "../pack/group/group-pack.ts";
import { type AccountSettings, DEFAULT_ACCOUNT_SETTINGS, parseAccountSettings } from "../pack/make/account-settings.ts";
import { copyPacks } from "../pack/make/copy.ts";
import type { MadePack } from "../pack/make/publish.ts";
import { errorCode } from "../storage/folder-errors.ts";
import type { Store } from "../storage/store.ts";
import type { ExportResult, RunContext } from "./context.ts";
import { type ExportRequest, inputsSource, makePack } from "./export-pack.ts";
import { copyProgress } from "./export-progress.ts";
import { copiedTo, requireOutFolder } from "./out-folder.ts";
import { mostUrgent } from "./sync-archive.ts";

/** Accounts that are exported together. */
export interface GroupRequest {
  readonly name: string;
  /** At least two, sorted. */
  readonly accounts: readonly string[];
}

export interface GroupResult extends ExportResult {
  /** The result of each account's own pack. */
  readonly accounts: readonly ExportResult[];
}

/** The group that the given accounts name. Null: it is one account. Throws `usage`. */
export async function groupOf(
  accounts: readonly string[],
  request: Pick<ExportRequest, "inputsDir">,
  store: () => Promise<Store>,
): Promise<GroupRequest | null> {
  const names = [...new Set(accounts)].sort();
  if (names.length > 1) {
    const name = groupNameOf(names);
    if (name.length > LONGEST_GROUP_NAME) {
      throw new FillbookError("usage", `${names.length} accounts are too many for one command`, {
        hint: 'name the group: write {"accounts": ["main", "hedge"]} into the accounts.json among its inputs, and export --account NAME',
      });
    }
    return { name, accounts: names };
  }
  const [name = ""] = names;
  const source = inputsSource(name, request, await store());
  const text = await readGroupSettings(source);
  const listed = text === null ? null : parseAccountSettings(text, ACCOUNTS).accounts;
  if (listed === null) {
    return null;
  }
  if (listed.includes(name) || (await readHead(await store(), name)) !== null) {
    throw new FillbookError("usage", `accounts.json defines a group, but ${name} is an account`, {
      hint: "export the group under another --account NAME, or remove the key accounts from the file",
    });
  }
  return { name, accounts: listed };
}

/**
 * Exports each account with a pack of its own, then the group's pack. Writes nothing of the group unless
 * every account has a pack. With --out, copies the group's files, and each account's pack into its folder
 * `accounts/NAME/`.
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
    throw new RangeError("a group without accounts");
  }
  const { store, packStore } = job;
  await requireOutFolder(request.out, [store, packStore ?? store]);
  const source = inputsSource(group.name, request, store);
  const shared = await readSharedFiles(source, group.accounts);
  const settings = settingsIn(shared);
  if (settings.accounts !== null && settings.accounts.join() !== group.accounts.join()) {
    throw new FillbookError(
      "usage",
      `${ACCOUNTS} lists the accounts ${settings.accounts.join(", ")}, but ${group.accounts.join(", ")} were given`,
      { hint: "give the same accounts, or remove the key accounts from the file" },
    );
  }
  const read: (AccountInputs & { readonly own: RunContext })[] = []; // before the first is walked, which may take hours
  for (const own of jobs) {
    read.push({ own, account: own.account, inputs: await inputsOfMember(own, shared, request) });
  }
  const results: ExportResult[] = [];
  const made: MadePack[] = [];
  for (const [at, { own, inputs }] of read.entries()) {
    const report: RunContext["report"] = ({ covered, ...progress }) =>
      own.report({ ...progress, covered: covered === null ? null : (at + covered) / jobs.length });
    const one = await makePack({ ...own, report }, request, inputs).catch((error: unknown) => {
      throw ofAccount(error, own.account);
    });
    results.push(one.result);
    made.push(...(one.made === null ? [] : [one.made]));
  }
  const own = commonOf(group, results);
  const common = { ...own, notes: [...copiedFiles(read), ...own.notes] };
  const [first, ...others] = made;
  if (first === undefined || made.length < jobs.length) {
    return { ...common, dir: null, files: [] };
  }
  const members: GroupMembers = [first, ...others];
  const pack = await writeGroupPack({ name: group.name, named: settings.statement, files: shared }, members);
  const result = { ...common, dir: `${(packStore ?? store).location}/${pack.dir}`, files: pack.files };
  const { out } = request;
  return out === undefined ? result : await copiedTo(out, result, copyGroup(job, pack, members, out));
}

async function inputsOfMember(
  { account, store }: RunContext,
  shared: readonly InputFile[],
  request: ExportRequest,
): Promise<Inputs> {
  const source = await ownSource({ account, store }, request);
  const inputs = await readInputsOfAccount(source, shared, request.period.zone).catch((error: unknown) => {
    throw ofAccount(error, account);
  });
  const isOwn = inputs.files.some((file) => file.name === ACCOUNTS && !shared.includes(file));
  if (isOwn && parseAccountSettings(inputs.accounts ?? "", ACCOUNTS).accounts !== null) {
    throw new FillbookError(
      "usage",
      `${inputs.location}/${ACCOUNTS} defines a group, but ${account} is exported as an account`,
      {
        hint: "a group cannot contain groups: give each account with --account, or remove the key accounts from the file",
      },
    );
  }
  return inputs;
}

/** Where an account's own files are, or would be. */
async function ownSource(
  { account, store }: Pick<RunContext, "account" | "store">,
  { inputsDir }: ExportRequest,
): Promise<{ readonly source: InputsSource; readonly hasOwn: boolean }> {
  if (inputsDir === undefined) {
    return { source: { kind: "store", store, account }, hasOwn: true };
  }
  const path = join(inputsDir, account);
  // A broken link counts as present: reading it reports the error.
  const isMissing = await lstat(path).then(
    () => false,
    (error: unknown) => errorCode(error) === "ENOENT",
  );
  return { source: { kind: "folder", path }, hasOwn: !isMissing };
}

function commonOf({ name }: GroupRequest, results: readonly ExportResult[]): Omit<GroupResult, "dir" | "files"> {
  const [first] = results;
  if (first === undefined) {
    throw new RangeError("a group without accounts");
  }
  const problems = results.flatMap(({ account, problem }) => (problem === null ? [] : [ofAccount(problem, account)]));
  return {
    ...first,
    account: name,
    accounts: results,
    complete: results.every(({ complete }) => complete),
    declared: [],
    notes: results.flatMap(({ account, notes }) => notes.map((note) => `${account}: ${note}`)),
    problem: mostUrgent(problems),
  };
}

/** The same error, with the account's name. */
function ofAccount(error: unknown, account: string): FillbookError {
  if (!(error instanceof FillbookError)) {
    throw error;
  }
  const { kind, message, hint, cause } = error;
  return new FillbookError(kind, `${account}: ${message}`, { ...(hint === undefined ? {} : { hint }), cause });
}

function settingsIn(shared: readonly InputFile[]): AccountSettings {
  const file = shared.find(({ name }) => name === ACCOUNTS);
  return file === undefined ? DEFAULT_ACCOUNT_SETTINGS : parseAccountSettings(textOf(file), ACCOUNTS);
}

async function copyGroup(job: RunContext, pack: GroupPack, members: GroupMembers, out: string): Promise<void> {
  const copies = members.map(({ request, pack: own }) => ({ pack: own, below: join("accounts", request.account) }));
  await copyPacks(job.packStore ?? job.store, [{ pack, below: "" }, ...copies], out, copyProgress(job));
}
