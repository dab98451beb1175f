import { createRates } from "../../accounting/rates/rates.ts";
import { recogniseRates } from "../../accounting/rates/recognise.ts";
import { FillbookError } from "../../core/errors.ts";
import { counted } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import {
  ACCOUNTS,
  ADJUSTMENTS,
  BALANCES,
  checkFiles,
  FUNDING,
  type InputFile,
  MARKS,
  MATCHES,
  OPENING_POSITIONS,
  sizesOf,
  TRANSFERS,
} from "../../inputs/files.ts";
import { type Inputs, inputsOf } from "../../inputs/inputs.ts";
import {
  type AccountSettings,
  DEFAULT_ACCOUNT_SETTINGS,
  parseAccountSettings,
} from "../../pack/make/account-settings.ts";

/**
 * Reads a file as an export does, and says in a few words what it holds: `3 opening positions`. A date in it
 * is a day of the zone. Throws `usage` with the file, the line and what to do.
 */
export function understandInput(file: InputFile, zone: string): string {
  checkFiles(sizesOf([file]), "inputs");
  const inputs = inputsOf([file], "inputs", zone);
  const rates = inputs.rates.map(({ name, bytes }) => recogniseRates(name, bytes));
  settingsOf(inputs);
  const [found] = rates;
  if (found !== undefined) {
    const series = new Set(found.rates.map((rate) => rate.series));
    return `${counted(series.size, "series", "series")} of rates, ${found.span.from} to ${found.span.to} (${found.label})`;
  }
  const { openings, funding, transfers, balances, adjustments, marks, designations } = inputs;
  const lines: Readonly<Record<string, readonly [one: string, all: readonly object[] | null]>> = {
    [OPENING_POSITIONS]: ["opening position", openings],
    [FUNDING]: ["funding payment", funding],
    [TRANSFERS]: ["transfer", transfers],
    [BALANCES]: ["balance", balances],
    [ADJUSTMENTS]: ["declared trade", adjustments],
    [MARKS]: ["price", marks],
    [MATCHES]: ["closing fill", [...(designations?.values() ?? [])]],
  };
  const [one, all] = lines[file.name] ?? ["", null];
  return file.name === ACCOUNTS ? settingsText(inputs) : linesText(one, all ?? []);
}

/**
 * Reads all files together as an export into another currency does. Throws `usage` where two of them
 * contradict each other, or where they are too many or too large.
 */
export function checkTogether(files: readonly InputFile[], zone: string): void {
  checkFiles(sizesOf(files), "inputs");
  const inputs = inputsOf(files, "inputs", zone);
  createRates(
    inputs.rates.map(({ name, bytes }) => recogniseRates(name, bytes)),
    settingsOf(inputs).par,
  );
}

function settingsOf({ accounts }: Pick<Inputs, "accounts">): AccountSettings {
  const settings = accounts === null ? DEFAULT_ACCOUNT_SETTINGS : parseAccountSettings(accounts, ACCOUNTS);
  if (settings.accounts !== null) {
    throw new FillbookError(
      "usage",
      `${ACCOUNTS} names a group of accounts, but this page makes packs of one account`,
      {
        hint: "remove the key accounts from the file; packs of a group are made on the command line",
      },
    );
  }
  return settings;
}

function settingsText({ accounts }: Inputs): string {
  const keys = Object.keys(JSON.parse(accounts ?? "{}"));
  return keys.length === 0 ? "no settings" : `settings of ${keys.join(", ")}`;
}

/** With the days of the first and the last one, UTC, where lines have a time. */
function linesText(one: string, lines: readonly { readonly time?: number }[]): string {
  const days = lines.flatMap(({ time }) => (time === undefined ? [] : [isoTime(time).slice(0, 10)]));
  return `${counted(lines.length, one)}${days.length === 0 ? "" : `, ${days[0]} to ${days.at(-1)}`}`;
}

/** The user's mistake that the check finds; null: none. Anything else that it throws is passed on. */
export function faultOf(check: () => void): FillbookError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof FillbookError && error.kind === "usage") {
      return error;
    }
    throw error;
  }
}
