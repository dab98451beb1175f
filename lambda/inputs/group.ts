import { join } from "node:path";
import { usageError } from "../core/errors.ts";
import { compareText } from "../core/text.ts";
import type { InputFile, InputsSource } from "./files.ts";
import {
  ACCOUNTS,
  ADJUSTMENTS,
  BALANCES,
  FUNDING,
  locationOf,
  MARKS,
  RATES,
  readFiles,
  TRANSFERS,
  textOf,
} from "./files.ts";
import { type Inputs, inputsOf } from "./inputs.ts";

/** The text of accounts.json in the place for a group's files. Null: there is none. */
export async function readGroupSettings(source: InputsSource): Promise<string | null> {
  const [file] = await readFiles(source, (name) => name === ACCOUNTS);
  return file === undefined ? null : textOf(file);
}

/**
 * Reads the files that several accounts share: accounts.json, marks.csv and rates/. They lie beside the
 * folders of the accounts. Throws `usage` for a file that belongs to one account, and for a folder of none of
 * them.
 */
export async function readSharedFiles(source: InputsSource, accounts: readonly string[]): Promise<InputFile[]> {
  const isFolderOfAccount = (name: string) => source.kind === "folder" && accounts.includes(name);
  const files = await readFiles(source, (name) => !isFolderOfAccount(name));
  const foreign = files.find(({ name }) => name !== ACCOUNTS && name !== MARKS && !name.startsWith(RATES));
  if (foreign !== undefined) {
    const where = source.kind === "folder" ? join(source.path, accounts[0] ?? "") : `${accounts[0]}/inputs`;
    throw usageError(
      `${locationOf(source)}/${foreign.name} is for one account, but lies among the files for all accounts`,
      `put it into the folder of its account, for example ${where}/`,
    );
  }
  return files;
}

/**
 * The inputs of one account of a group: its own files, and the shared files that it lacks. `hasOwn`: false if
 * its folder does not exist.
 */
export async function readInputsOfAccount(
  { source, hasOwn }: { readonly source: InputsSource; readonly hasOwn: boolean },
  shared: readonly InputFile[],
  zone: string,
): Promise<Inputs> {
  const files = hasOwn ? await readFiles(source) : [];
  const names = new Set(files.map(({ name }) => name));
  const hasOwnRates = files.some(({ name }) => name.startsWith(RATES));
  const added = shared.filter(({ name }) => !(names.has(name) || (hasOwnRates && name.startsWith(RATES))));
  const all = [...files, ...added].sort((a, b) => compareText(a.name, b.name));
  return inputsOf(all, locationOf(source), zone);
}

/** Of one account. */
export interface AccountInputs {
  readonly account: string;
  readonly inputs: Inputs;
}

/** One sentence for each file with lines that two accounts share exactly: a copied file counts twice. */
export function copiedFiles(all: readonly AccountInputs[]): string[] {
  const each = all.flatMap(({ account, inputs }) => {
    const { funding, transfers, balances, adjustments } = inputs;
    const lines: Readonly<Record<string, readonly unknown[] | null>> = {
      [FUNDING]: funding,
      [TRANSFERS]: transfers,
      [BALANCES]: balances,
      [ADJUSTMENTS]: adjustments,
    };
    const own = inputs.files.filter(({ name }) => (lines[name]?.length ?? 0) > 0);
    return own.map(({ name, sha256 }) => ({ account, name, sha256 }));
  });
  return [...Map.groupBy(each, ({ name, sha256 }) => `${name} ${sha256}`).values()]
    .filter((same) => same.length > 1)
    .map((same) => {
      const accounts = same.map(({ account }) => account).join(" and ");
      return `${same[0]?.name} is the same file for ${accounts}: each of its lines counts once for each of them`;
    });
}
