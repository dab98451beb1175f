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
  const texts: Readonly<Record<string, () => string>> = {
    [OPENING_POSITIONS]: () => counted(inputs.openings.length, "opening position"),
    [FUNDING]: () => dated(inputs.funding, "funding payment"),
    [TRANSFERS]: () => dated(inputs.transfers, "transfer"),
    [BALANCES]: () => dated(inputs.balances, "balance"),
    [ADJUSTMENTS]: () => dated(inputs.adjustments, "declared trade"),
    [MARKS]: () => dated(inputs.marks, "price"),
    [MATCHES]: () => counted(inputs.designations?.size ?? 0, "closing fill"),
    [ACCOUNTS]: () => settingsText(inputs),
  };
  const [found] = rates;
  if (found === undefined) {
    return texts[file.name]?.() ?? "";
  }
  const series = new Set(found.rates.map((rate) => rate.series));
  return `${counted(series.size, "series", "series")} of rates, ${found.span.from} to ${found.span.to} (${found.label})`;
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

/** With the days of the first and the last one, UTC. */
function dated(lines: readonly { readonly time: number }[] | null, one: string): string {
  const [first, last] = [lines?.at(0), lines?.at(-1)];
  const day = ({ time }: { readonly time: number }) => isoTime(time).slice(0, 10);
  const days = first === undefined || last === undefined ? "" : `, ${day(first)} to ${day(last)}`;
  return `${counted(lines?.length ?? 0, one)}${days}`;
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
