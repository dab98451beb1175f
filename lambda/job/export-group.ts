import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { readHead } from "../archive/head.ts";
import { groupNameOf, LONGEST_GROUP_NAME } from "../core/account-name.ts";
import { FillbookError } from "../core/errors.ts";
import { ACCOUNTS, type InputFile, type InputsSource, textOf } from "../inputs/files.ts";
import {
  type AccountInputs,
  copiedFiles,
  type Inputs,
  readGroupSettings,
  readInputsOfAccount,
  readSharedFiles,
} from "../inputs/inputs.ts";
import { type AccountSettings, parseAccountSettings } from "../pack/make/account-settings.ts";
import { errorCode } from "../storage/folder-errors.ts";
import type { Store } from "../storage/store.ts";
import type { ExportResult, RunContext } from "./context.ts";
import {
  type ExportRequest,
  type HeldAccount,
  holdAccount,
  inputsSource,
  ofAccount,
  packOf,
  settingsIn,
} from "./export-pack.ts";
import { requireOutFolder } from "./out-folder.ts";

/** Accounts that are exported together. */
export interface GroupRequest {
  readonly name: string;
  /** At least two, sorted. */
  readonly accounts: readonly string[];
}

export interface GroupResult extends ExportResult {
  /** What each account's archive holds of the period. */
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
 * Exports the pack of several accounts, whose files lie in folders of their own. Writes nothing unless every
 * account's period is covered.
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
  const settings = settingsOf(shared);
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
  const held: HeldAccount[] = [];
  for (const [at, { own, inputs }] of read.entries()) {
    const report: RunContext["report"] = ({ covered, ...progress }) =>
      own.report({ ...progress, covered: covered === null ? null : (at + covered) / jobs.length });
    held.push(
      await holdAccount({ ...own, report }, request, inputs).catch((error: unknown) => {
        throw ofAccount(error, own.account);
      }),
    );
  }
  const files = [...shared, ...read.flatMap((one) => ownFiles(one, shared))];
  const result = await packOf({ name: group.name, files, settings }, held, request);
  const accounts = held.map((one) => one.result);
  return { ...result, accounts, notes: [...copiedFiles(read), ...read.flatMap(unusedSettings), ...result.notes] };
}

/** The files of one account only, in a folder of its name. */
function ownFiles({ account, inputs }: AccountInputs, shared: readonly InputFile[]): InputFile[] {
  return inputs.files
    .filter((file) => !shared.includes(file) && file.name !== ACCOUNTS)
    .map((file) => ({ ...file, name: `${account}/${file.name}` }));
}

/** The names for the books are those of the group. */
function unusedSettings({ account, inputs }: AccountInputs): string[] {
  const isUnused = inputs.accounts !== null && settingsIn(inputs).accounts === null;
  const isShared = inputs.files.some(({ name }) => name === ACCOUNTS);
  return isUnused && isShared ? [`${account}: its own ${ACCOUNTS} is not used in a pack of several accounts`] : [];
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

function settingsOf(shared: readonly InputFile[]): AccountSettings {
  const file = shared.find(({ name }) => name === ACCOUNTS);
  return settingsIn({ accounts: file === undefined ? null : textOf(file) });
}
