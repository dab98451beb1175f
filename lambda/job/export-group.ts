import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { readHead } from "../archive/head.ts";
import { groupNameOf, LONGEST_GROUP_NAME } from "../core/account-name.ts";
import { usageError } from "../core/errors.ts";
import { ACCOUNTS, type InputFile, type InputsSource, locationOf, MARKS, textOf } from "../inputs/files.ts";
import {
  type AccountInputs,
  type Inputs,
  readGroupSettings,
  readInputsOfAccount,
  readSharedFiles,
} from "../inputs/inputs.ts";
import { type AccountSettings, parseAccountSettings } from "../pack/make/account-settings.ts";
import { errorCode } from "../storage/folder-errors.ts";
import type { Store } from "../storage/store.ts";
import type { ExportResult, RunContext } from "./context.ts";
import { type ExportRequest, exportTogether, inputsSource, type Member, ofAccount, settingsIn } from "./export-pack.ts";
import { requireOutFolder } from "./out-folder.ts";

/** Accounts that are exported together. */
export interface GroupRequest {
  readonly name: string;
  /** At least two, sorted. */
  readonly accounts: readonly string[];
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
      throw usageError(
        `${names.length} accounts are too many for one command`,
        'name the group: write {"accounts": ["main", "hedge"]} into the accounts.json among its inputs, and export --account NAME',
      );
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
    const hint = "export the group under another --account NAME, or remove the key accounts from the file";
    throw usageError(`accounts.json defines a group, but ${name} is an account`, hint);
  }
  return { name, accounts: listed };
}

/**
 * Exports the pack of several accounts, whose files lie in folders of their own. Writes nothing unless every
 * account's period is covered.
 */
export async function exportGroup(
  { name, accounts }: GroupRequest,
  jobOf: (account: string) => Promise<RunContext>,
  request: ExportRequest,
): Promise<ExportResult> {
  const jobs: RunContext[] = [];
  for (const account of accounts) {
    jobs.push(await jobOf(account));
  }
  const [{ store, packStore }] = jobs as [RunContext];
  await requireOutFolder(request.out, [store, packStore ?? store]);
  const source = inputsSource(name, request, store);
  const shared = await readSharedFiles(source, accounts);
  const settings = settingsOf(shared);
  if (settings.accounts !== null && settings.accounts.join() !== accounts.join()) {
    throw usageError(
      `${ACCOUNTS} lists the accounts ${settings.accounts.join(", ")}, but ${accounts.join(", ")} were given`,
      "give the same accounts, or remove the key accounts from the file",
    );
  }
  const members: (AccountInputs & Member)[] = []; // before the first is walked, which may take hours
  for (const job of jobs) {
    members.push({ job, account: job.account, inputs: await inputsOfMember(job, shared, request) });
  }
  const files = [...shared, ...members.flatMap((one) => ownFiles(one, shared))];
  const result = await exportTogether({ name, location: locationOf(source), files, settings }, members, request);
  return { ...result, notes: [...members.flatMap((one) => unusedFiles(one, shared)), ...result.notes] };
}

/** The files of one account only, in a folder of its name. */
function ownFiles({ account, inputs }: AccountInputs, shared: readonly InputFile[]): InputFile[] {
  return inputs.files
    .filter((file) => !shared.includes(file) && file.name !== ACCOUNTS)
    .map((file) => ({ ...file, name: `${account}/${file.name}` }));
}

/** The names for the books are those of the group; an account's own marks.csv takes the place of the shared one. */
function unusedFiles({ account, inputs }: AccountInputs, shared: readonly InputFile[]): string[] {
  const own = inputs.files.filter((file) => !shared.includes(file)).map(({ name }) => name);
  const hasShared = shared.some(({ name }) => name === MARKS);
  return [
    ...(own.includes(ACCOUNTS) ? [`${account}: its own ${ACCOUNTS} is not used in a pack of several accounts`] : []),
    ...(own.includes(MARKS) && hasShared
      ? [`${account}: the shared ${MARKS} is not used, because it has its own`]
      : []),
  ];
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
    throw usageError(
      `${inputs.location}/${ACCOUNTS} defines a group, but ${account} is exported as an account`,
      "a group cannot contain groups: give each account with --account, or remove the key accounts from the file",
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
