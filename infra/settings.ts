import type { Node } from "constructs";
import { nearest } from "../lambda/core/suggest.ts";
import { SETTINGS_FILE } from "../lambda/job/settings.ts";

export interface PageDomain {
  /** A host name: `books.example.com`. */
  readonly name: string;
  /** ARN of the domain's certificate. */
  readonly certificate: string;
}

export interface PackLock {
  /**
   * A governance lock can be lifted with a special right, a compliance lock by nobody, the owner included.
   */
  readonly mode: "governance" | "compliance";
  /** 0: new packs are not locked, but still go into the packs' bucket. */
  readonly days: number;
}

/** The environment variable and the default of each setting. */
export const SETTINGS = {
  accounts: ["FILLBOOK_ACCOUNTS", "main"],
  tokenSecrets: ["FILLBOOK_TOKEN_SECRETS", ""],
  accountsAtOnce: ["FILLBOOK_ACCOUNTS_AT_ONCE", "5"],
  accountUrl: ["FILLBOOK_ACCOUNT_URL", "https://account.example.invalid"],
  marketDataUrl: ["FILLBOOK_MARKET_DATA_URL", "https://market-data.example.invalid"],
  prefix: ["FILLBOOK_PREFIX", "fillbook"],
  scheduleHour: ["FILLBOOK_SCHEDULE_HOUR", "4"],
  zone: ["FILLBOOK_SCHEDULE_ZONE", "UTC"],
  alarmEmail: ["FILLBOOK_ALARM_EMAIL", ""],
  logRetentionDays: ["FILLBOOK_LOG_RETENTION_DAYS", "400"],
  encryption: ["FILLBOOK_ENCRYPTION", "s3"],
  reservedConcurrency: ["FILLBOOK_RESERVED_CONCURRENCY", null], // one more than are walked at once
  maxRps: ["FILLBOOK_MAX_RPS", ""],
  lookBackDays: ["FILLBOOK_LOOK_BACK_DAYS", "7"],
  runbookUrl: ["FILLBOOK_RUNBOOK_URL", "RUNBOOK.md"],
  packLockDays: ["FILLBOOK_PACK_LOCK_DAYS", "none"],
  packLockMode: ["FILLBOOK_PACK_LOCK_MODE", "governance"],
  packLockForGood: ["FILLBOOK_PACK_LOCK_FOR_GOOD", ""],
  page: ["FILLBOOK_PAGE", "off"],
  pageDomain: ["FILLBOOK_PAGE_DOMAIN", ""],
  pageCertificate: ["FILLBOOK_PAGE_CERTIFICATE", ""],
  tags: ["FILLBOOK_TAGS", ""],
  permissionsBoundary: ["FILLBOOK_PERMISSIONS_BOUNDARY", ""],
} as const;

/** CloudWatch Logs accepts only such values. Less than a year would delete the log of a tax year's runs. */
const RETENTION_DAYS = "365 400 545 731 1096 1827 2192 2557 2922 3288 3653".split(" ");

/** Its message is for whoever deploys: what is wrong, and what is accepted. */
export class WrongSetting extends Error {}

type SettingsFile = Readonly<Record<string, unknown>>;

/** Plain names that the CDK itself reads or writes in cdk.json. Its other names have `:`, `/` or `@`. */
const OF_CDK = ["cli-telemetry", "acknowledged-issue-numbers", "cdk-migrate"];

/** Throws a WrongSetting that begins with `said` of the first name that is no setting. */
function checkNames(given: readonly string[], said: (name: string) => string): void {
  const names = Object.keys(SETTINGS);
  const unknown = given.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, names);
    const todo = near === undefined ? `. The settings are ${names.join(", ")}` : `; did you mean ${near}?`;
    throw new WrongSetting(said(unknown) + todo);
  }
}

/** Throws a WrongSetting if the context or the file names an unknown setting. */
function readerOf(node: Node, env: Readonly<Record<string, string | undefined>>, file: SettingsFile) {
  const own = Object.keys(node.getAllContext()).filter((name) => !(/[:/@]/.test(name) || OF_CDK.includes(name)));
  checkNames(own, (name) => `-c ${name} (or cdk.json, or ~/.cdk.json) is not a setting`);
  checkNames(Object.keys(file), (name) => `${SETTINGS_FILE} has "${name}", which is not a setting`);
  return (name: keyof typeof SETTINGS, otherwise = ""): Given => {
    const [variable, fallback] = SETTINGS[name];
    const sources: readonly (readonly [value: unknown, from: string | null])[] = [
      [node.tryGetContext(name), null],
      [file[name], SETTINGS_FILE],
      [env[variable], variable],
    ];
    const [value, from] = sources.find(([one]) => one !== undefined && one !== null) ?? [fallback ?? otherwise, null];
    return { name, text: String(value).trim(), from }; // of a list: its members with commas between them
  };
}

/** What `stackSettings` gives. */
export type StackSettings = Readonly<ReturnType<typeof stackSettings>>;

/**
 * In order of precedence: `cdk -c name=value`, settings file, environment variable, a safe default. Throws a
 * WrongSetting that names the setting, its value and what is accepted. `file`: the settings file.
 */
export function stackSettings(node: Node, env: Readonly<Record<string, string | undefined>>, file: SettingsFile = {}) {
  const given = readerOf(node, env, file);
  const accounts = accountList(given("accounts"));
  const accountsAtOnce = whole(given("accountsAtOnce"), 1, 900);
  const atOnce = Math.min(accountsAtOnce, accounts.length);
  const zone = timeZone(given("zone"));
  return {
    /** One archive and one secret each. */
    accounts,
    /** Account → name of an existing secret. All other accounts get a new secret. */
    tokenSecrets: secrets(given("tokenSecrets"), accounts),
    /** A token has one rate limit, so one account is never walked twice at once. */
    accountsAtOnce,
    accountUrl: httpsUrl(given("accountUrl")),
    marketDataUrl: httpsUrl(given("marketDataUrl")),
    /** The beginning of every key of the archive, without slashes at either end. */
    prefix: matching(given("prefix"), /^[\w-]+(?:\/[\w-]+)*$/),
    /** Hour of the day, 0 to 23, in `zone`. */
    scheduleHour: hour(given("scheduleHour"), zone),
    /** IANA time zone. */
    zone,
    alarmEmail: unlessEmpty(given("alarmEmail"), (email) => matching(email, /^[^@\s]+@[^@\s]+$/)),
    logRetentionDays: Number(oneOf(given("logRetentionDays"), RETENTION_DAYS)),
    /** SSE-S3; a key of our own; or SSE-S3 for new objects while our own key is kept for older ones. */
    encryption: oneOf(given("encryption"), ["s3", "kms", "s3-after-kms"]),
    /** Null reserves nothing: the quota of a new AWS account may be too small. */
    reservedConcurrency: orNone(given("reservedConcurrency", String(atOnce + 1)), 1, 1000),
    /** The most requests a second that the function sends; null: as many as the service allows. */
    maxRps: unlessEmpty(given("maxRps"), (rate) => Number(matching(rate, /^(?:[1-9]\d{0,2}|0\.\d*[1-9])$/))),
    /** Covered days that each nightly run walks again. */
    lookBackDays: whole(given("lookBackDays"), 0, 3650),
    /** The address that the alarms link to. */
    runbookUrl: given("runbookUrl").text,
    /** A bucket of packs that nobody can change or delete for a time; null: the archive's bucket has them. */
    packLock: packLock(given("packLockDays"), given("packLockMode"), given("packLockForGood")),
    /** The accountant's page; null: no page. */
    page: pageSettings(given("page"), given("pageDomain"), given("pageCertificate")),
    /** Tags of all deployed resources. */
    tags: tags(given("tags")),
    /** Name or ARN of a policy that limits every role; null: none. */
    permissionsBoundary: unlessEmpty(given("permissionsBoundary"), (policy) =>
      matching(policy, /^(?:arn:[\w-]+:iam::(?:\d{12}|aws):policy\/)?[\w+=,.@/-]{1,512}$/),
    ),
  };
}

/** A setting as it was given, or its default. */
interface Given {
  readonly name: string;
  readonly text: string;
  /** Where it comes from, for messages: `fillbook.json`. Null: from the context, or it is the default. */
  readonly from: string | null;
}

function wrong({ name, text, from }: Given, accepted: string): Error {
  const where = from === null ? "" : ` (from ${from})`;
  const is = text === "" ? "is empty" : `is "${text}"`;
  return new WrongSetting(`setting ${name} ${is}, but must be ${accepted}${where}`);
}

function oneOf<T extends string>(given: Given, choices: readonly T[]): T {
  const chosen = choices.find((choice) => choice === given.text);
  if (chosen === undefined) {
    throw wrong(given, `one of ${choices.join(", ")}`);
  }
  return chosen;
}

function matching(given: Given, pattern: RegExp): string {
  if (!pattern.test(given.text)) {
    throw wrong(given, `text that matches ${String(pattern)}`);
  }
  return given.text;
}

function unlessEmpty<T>(given: Given, check: (given: Given) => T): T | null {
  return given.text === "" ? null : check(given);
}

function accountList(given: Given): readonly string[] {
  const accounts = given.text.split(",").map((account) => account.trim());
  for (const account of accounts) {
    matching({ ...given, text: account }, /^(?!table$)[a-z0-9-]{1,32}$/);
  }
  if (new Set(accounts).size !== accounts.length) {
    throw wrong(given, "a list without duplicates");
  }
  return accounts;
}

/** Parses `name=value`, separated by commas. Throws an Error that says `accepted` if a pair is not of the form. */
function pairs(given: Given, form: RegExp, accepted: string): readonly (readonly [name: string, value: string])[] {
  const texts = given.text === "" ? [] : given.text.split(",").map((pair) => pair.trim());
  return texts.map((pair) => {
    const [, name, value = ""] = form.exec(pair) ?? [];
    if (name === undefined) {
      throw wrong(given, accepted);
    }
    return [name, value];
  });
}

function secrets(given: Given, accounts: readonly string[]): ReadonlyMap<string, string> {
  const accepted = "ACCOUNT=SECRET-NAME for some of the accounts, separated by commas, each account once";
  const found = pairs(given, /^([a-z0-9-]+)=([\w/+=.@-]{1,512})$/, accepted);
  const byAccount = new Map(found);
  if (byAccount.size < found.length || found.some(([account]) => !accounts.includes(account))) {
    throw wrong(given, accepted);
  }
  return byAccount;
}

function tags(given: Given): ReadonlyMap<string, string> {
  const form = /^(?!aws:)([\w.:/+@-]{1,128})=([\w .:/+@-]{0,256})$/i;
  return new Map(pairs(given, form, "NAME=VALUE, separated by commas"));
}

function httpsUrl(given: Given): string {
  if (URL.parse(given.text)?.protocol !== "https:") {
    throw wrong(given, "an https address");
  }
  return given.text;
}

function timeZone(given: Given): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: given.text }).resolvedOptions().timeZone;
  } catch {
    throw wrong(given, "an IANA time zone, such as Europe/London");
  }
}

/** Daylight saving skips or repeats 1 and 2 o'clock. */
function hour(given: Given, zone: string): number {
  const chosen = Number(matching(given, /^(?:\d|1\d|2[0-3])$/));
  if (zone !== "UTC" && (chosen === 1 || chosen === 2)) {
    throw wrong(given, "an hour other than 1 and 2, which daylight saving skips or repeats");
  }
  return chosen;
}

/** `agreed`: the days again, by which a person agrees to a lock that nobody can lift. */
function packLock(givenDays: Given, givenMode: Given, agreed: Given): PackLock | null {
  const mode = oneOf(givenMode, ["governance", "compliance"]);
  const days = orNone(givenDays, 0, 36_500);
  if (days !== null && days > 0 && mode === "compliance" && agreed.text !== String(days)) {
    throw wrong(
      agreed,
      `${days}: by repeating packLockDays you agree that, with packLockMode=compliance, nobody can delete a pack or stop its costs for ${days} days, not even the owner of the AWS account`,
    );
  }
  return days === null ? null : { mode, days };
}

/** The page's domain; null: CloudFront's own name. */
function pageSettings(given: Given, name: Given, certificate: Given): { readonly domain: PageDomain | null } | null {
  const isOn = oneOf(given, ["on", "off"]) === "on";
  const isNamed = name.text !== "" || certificate.text !== "";
  if (isNamed && !HOST_NAME.test(name.text)) {
    throw wrong(name, "a host name in lower case, such as books.example.com, given together with pageCertificate");
  }
  if (isNamed && !/^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(certificate.text)) {
    throw wrong(certificate, "the ARN of an ACM certificate for pageDomain in us-east-1, where CloudFront needs it");
  }
  return isOn ? { domain: isNamed ? { name: name.text, certificate: certificate.text } : null } : null;
}

const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** `orElse`: other accepted values, for the message. */
function whole(given: Given, least: number, most: number, orElse = ""): number {
  const number = /^\d{1,9}$/.test(given.text) ? Number(given.text) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw wrong(given, `${orElse}a whole number from ${least} to ${most}`);
  }
  return number;
}

function orNone(given: Given, least: number, most: number): number | null {
  return given.text === "none" ? null : whole(given, least, most, "none, or ");
}
