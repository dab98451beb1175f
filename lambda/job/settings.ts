import process from "node:process";
import { allProblems, asFillbookError, type FillbookError } from "../core/errors.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import { Token } from "../core/token.ts";
import { checkAddress } from "../service/address.ts";
import {
  accountName,
  nameNotToken,
  number,
  onOrOff,
  serviceAddress,
  storageAddress,
  storeUri,
} from "./setting-values.ts";

/**
 * One setting: a flag of every command, an environment variable, or both. `parse` gets the text and the name
 * under which it was given (`--concurrency`, `FILLBOOK_CONCURRENCY`, …). It throws a FillbookError of kind
 * `usage` that says what to write instead.
 */
export interface Setting<T> {
  /** The flag without its dashes. Null: the setting has no flag. */
  readonly flag: string | null;
  readonly variable: string;
  /** The key in fillbook.json if it is not the setting's name: file and variable use another unit. */
  readonly key?: string;
  /** The placeholder for the value in the help. Null: a switch. */
  readonly value: string | null;
  readonly fallback: T;
  readonly help: string;
  readonly parse: (text: string, where: string) => T;
}

function setting<T>(one: Setting<T>): Setting<T> {
  return one;
}

type Named = Pick<Setting<unknown>, "flag" | "variable">;

const urlSetting = (named: Named, help: string): Setting<string | null> => ({
  ...named,
  value: "URL",
  fallback: null,
  help,
  parse: serviceAddress,
});

const switchSetting = (named: Named, help: string): Setting<boolean> => ({
  ...named,
  value: null,
  fallback: false,
  help,
  parse: onOrOff,
});

/** A setting without a flag. Its text is not checked, except that it must not be a token. */
const textSetting = (variable: string, value: string, help: string): Setting<string | null> => ({
  flag: null,
  variable,
  value,
  fallback: null,
  help,
  parse: nameNotToken,
});

/** The settings file in the working folder. In the repository it also has a section for the deployment. */
export const SETTINGS_FILE = "fillbook.json";

/**
 * The AWS SDK reads this variable too, and these endings for single services. Requests sent there are signed
 * but not encrypted against whoever is on the way.
 */
const AWS_ENDPOINT = "AWS_ENDPOINT_URL";
const OWN_ENDPOINTS = ["_S3", "_STS", "_SECRETS_MANAGER"];

/** The only list of settings. The command line, the Lambda and the help are made from it. */
export const SCHEMA = {
  account: setting<string>({
    flag: "account",
    variable: "FILLBOOK_ACCOUNT",
    value: "NAME",
    fallback: "main",
    help: "the name of the account: 1 to 32 letters a-z, digits and dashes (default main)",
    parse: accountName,
  }),
  store: setting<string>({
    flag: "store",
    variable: "FILLBOOK_STORE",
    value: "URI",
    fallback: "./fillbook-data",
    help: "where the archive is: a folder, or s3://bucket/prefix (default ./fillbook-data)",
    parse: storeUri,
  }),
  accountUrl: urlSetting(
    { flag: "account-url", variable: "FILLBOOK_ACCOUNT_URL" },
    "the service's account host: completed orders, open order",
  ),
  orderUrl: urlSetting({ flag: "order-url", variable: "FILLBOOK_ORDER_URL" }, "the service's order host: leverage"),
  marketDataUrl: urlSetting(
    { flag: "market-data-url", variable: "FILLBOOK_MARKET_DATA_URL" },
    "the service's market-data host: markets, specifications, market data",
  ),
  maxRps: setting<number | null>({
    flag: "max-rps",
    variable: "FILLBOOK_MAX_RPS",
    value: "N",
    fallback: null,
    help: "at most this many requests a second (default: as many as the service allows)",
    parse: (text, where) => number(text, where, { least: 0.01, most: 1000, whole: false, example: 5 }),
  }),
  concurrency: setting<number>({
    flag: "concurrency",
    variable: "FILLBOOK_CONCURRENCY",
    value: "N",
    fallback: 4,
    help: "requests that are sent at the same time, 1 to 64 (default 4)",
    parse: (text, where) => number(text, where, { least: 1, most: 64, whole: true, example: 4 }),
  }),
  lookBackMs: setting<number>({
    flag: "look-back",
    variable: "FILLBOOK_LOOK_BACK_DAYS",
    key: "lookBackDays",
    value: "DAYS",
    fallback: 7 * DAY_MS,
    help: "how many of the last covered days sync and export read again, for late and changed fills, 0 to 3650 (default 7, at most every 12 hours; with the flag: at once)",
    parse: (text, where) => DAY_MS * number(text, where, { least: 0, most: 3650, whole: true, example: 7 }),
  }),
  json: switchSetting({ flag: "json", variable: "FILLBOOK_JSON" }, "print one JSON object on stdout, and nothing else"),
  quiet: switchSetting({ flag: "quiet", variable: "FILLBOOK_QUIET" }, "print only warnings and problems on stderr"),
  token: setting<Token | null>({
    flag: null,
    variable: "FILLBOOK_TOKEN",
    value: "TOKEN",
    fallback: null,
    help: "the service's bearer token; there is no flag, because ps shows flags",
    parse: (text) => new Token(text.replace(/[\r\n]+$/, "")), // the line break that a file or `$(…)` left at its end
  }),
  tokenSecret: textSetting(
    "FILLBOOK_TOKEN_SECRET",
    "NAME",
    'or the Secrets Manager secret (name or ARN) that holds the token, alone or as {"token": "…"}; {account} in the name stands for the account',
  ),
  accountRole: textSetting(
    "FILLBOOK_ACCOUNT_ROLE",
    "ARN",
    "a role to assume for S3 and Secrets Manager, with the account as session tag",
  ),
  settleLagMs: setting<number>({
    flag: null,
    variable: "FILLBOOK_SETTLE_LAG",
    key: "settleLagSeconds",
    value: "SECONDS",
    fallback: 300 * SECOND_MS,
    help: "how late a fill may appear, in seconds: a sync ends this long before now (default 300)",
    parse: (text, where) => SECOND_MS * number(text, where, { least: 0, most: 604_800, whole: true, example: 300 }),
  }),
  hurry: switchSetting(
    { flag: null, variable: "FILLBOOK_HURRY" },
    "begin the second reading at once, as sync --hurry does, and not after a minute",
  ),
  s3Endpoint: setting<string | null>({
    flag: null,
    variable: AWS_ENDPOINT,
    value: "URL",
    fallback: null,
    help: "the address of an S3 service other than Amazon's: https, or http on this machine; buckets are then part of the path",
    parse: storageAddress,
  }),
  debug: switchSetting({ flag: null, variable: "FILLBOOK_DEBUG" }, "print the stack of an unexpected error"),
};

export type SettingName = keyof typeof SCHEMA;

/** The settings of a run, parsed once and frozen. */
export type Settings = {
  readonly [Name in SettingName]: (typeof SCHEMA)[Name] extends Setting<infer T> ? T : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** What was typed, by flag: `{"account-url": "https://…"}`. */
export type Flags = Readonly<Record<string, string | undefined>>;

/** The values of fillbook.json as text, as the environment would give them. */
export type FileValues = Partial<Readonly<Record<SettingName, string>>>;

/** The sources of settings. The first one that has a setting wins. */
export interface SettingSources {
  readonly flags?: Flags;
  /** An empty variable counts as unset. */
  readonly environment: Environment;
  readonly file?: FileValues;
}

/** The setting's key in fillbook.json. */
export function keyOf(name: SettingName): string {
  const one: Setting<unknown> = SCHEMA[name];
  return one.key ?? name;
}

export const SETTING_NAMES = Object.keys(SCHEMA) as readonly SettingName[]; // Object.keys forgets the keys' type

/**
 * The text given for a setting, where it is from, and how messages name its place. Null: none was given, so the default
 * applies.
 */
export function givenFor(
  name: SettingName,
  { flags = {}, environment, file = {} }: SettingSources,
): { readonly from: string; readonly where: string; readonly text: string } | null {
  const { flag, variable } = SCHEMA[name];
  const [typed, exported, kept] = [flags[flag ?? ""], environment[variable], file[name]];
  if (typed !== undefined) {
    return { from: "flag", where: `--${flag}`, text: typed };
  }
  if (exported !== undefined && exported !== "") {
    return { from: variable, where: variable, text: exported };
  }
  return kept === undefined ? null : { from: SETTINGS_FILE, where: `"${keyOf(name)}" in ${SETTINGS_FILE}`, text: kept };
}

/** All settings, and every problem with them. A setting with a problem gets its default. */
export function examineSettings(sources: SettingSources): {
  readonly settings: Settings;
  readonly problems: readonly FillbookError[];
} {
  const problems: FillbookError[] = [];
  const parsed = <T>(parse: () => T, otherwise: T): T => {
    try {
      return parse();
    } catch (error) {
      problems.push(asFillbookError(error));
      return otherwise;
    }
  };
  for (const variable of OWN_ENDPOINTS.map((ending) => AWS_ENDPOINT + ending)) {
    const text = sources.environment[variable] ?? "";
    if (text !== "") {
      parsed<unknown>(() => checkAddress(text, variable), null);
    }
  }
  const entries = SETTING_NAMES.map((name) => {
    const one: Setting<unknown> = SCHEMA[name];
    const given = givenFor(name, sources);
    return [name, given === null ? one.fallback : parsed(() => one.parse(given.text, given.where), one.fallback)];
  });
  return { settings: Object.freeze(Object.fromEntries(entries)), problems };
}

/**
 * Takes every setting from its flag, else the environment, else the file, else its default. Throws `usage`
 * with all problems.
 */
export function readSettings(environment: Environment, flags: Flags = {}, file: FileValues = {}): Settings {
  const { settings, problems } = examineSettings({ environment, flags, file });
  const problem = allProblems(problems);
  if (problem !== null) {
    throw problem;
  }
  return settings;
}

/** Stands for the account in the name of a secret. */
const ACCOUNT_PLACE = "{account}";

/**
 * The settings of another account. A token belongs to one account, so the others' tokens are found only if
 * the secret's name contains the account.
 */
export function settingsOfAccount(settings: Settings, account: string): Settings {
  return { ...settings, account, token: null, tokenSecret: hasTokenOfEach(settings) ? settings.tokenSecret : null };
}

export function hasTokenOfEach({ tokenSecret }: Pick<Settings, "tokenSecret">): boolean {
  return tokenSecret?.includes(ACCOUNT_PLACE) === true;
}

/** The name of the account's secret. */
export function secretOf({ account }: Pick<Settings, "account">, tokenSecret: string): string {
  return tokenSecret.replaceAll(ACCOUNT_PLACE, account);
}

/** The environment of this process. Nothing else reads it. */
export function processEnvironment(): Environment {
  return process.env;
}
