import type { Node } from "constructs";

/** What the stacks are made from: `cdk -c name=value`, or else the environment variable, or else a default that synthesises anywhere. */
export interface StackSettings {
  /** One archive and one secret each. */
  readonly accounts: readonly string[];
  /** Account → name of a secret that exists already; all others get one of their own. */
  readonly tokenSecrets: ReadonlyMap<string, string>;
  /** How many accounts are walked at once; one token has one limit, so one account is never walked twice at once. */
  readonly accountsAtOnce: number;
  readonly accountUrl: string;
  readonly marketDataUrl: string;
  /** Before every key of the archive, without slashes at its ends. */
  readonly prefix: string;
  /** Hour of the day, 0 to 23, in `zone`. */
  readonly scheduleHour: number;
  /** IANA time zone. */
  readonly zone: string;
  readonly alarmEmail: string | null;
  readonly logRetentionDays: number;
  /** SSE-S3, or a key of our own. */
  readonly encryption: "s3" | "kms";
  /** Null reserves nothing: a new AWS account may have too small a quota to reserve from. */
  readonly reservedConcurrency: number | null;
  /** Requests a second that the function never exceeds; null: as many as the service allows. */
  readonly maxRps: number | null;
  /** Covered days that each nightly run walks again. */
  readonly lookBackDays: number;
  /** Where the alarms' links lead. */
  readonly runbookUrl: string;
  /** Packs in a bucket of their own, where nobody changes or deletes them for so long; null: in the archive's bucket. */
  readonly packLock: PackLock | null;
  /** US dollars a month, of which the budget tells when they are exceeded; null: no budget. */
  readonly budgetUsd: number | null;
  /** Most that one Athena query may read, GB; null: no table. */
  readonly queryLimitGb: number | null;
  /** The accountant's page; null: none. */
  readonly page: PageSettings | null;
}

export interface PageSettings {
  /** Where the page is; null: at CloudFront's own name. */
  readonly domain: PageDomain | null;
}

export interface PageDomain {
  /** A host name, `books.example.com`. */
  readonly name: string;
  /** ARN of its certificate. */
  readonly certificate: string;
}

export interface PackLock {
  /** Governance can be lifted by who has the right to; compliance by nobody, not even by the owner of the AWS account. */
  readonly mode: "governance" | "compliance";
  readonly days: number;
}

type Source = Readonly<Record<string, string | undefined>>;

/** CloudWatch Logs accepts these and no others; less than a year would lose the evidence of a tax year's runs. */
const RETENTION_DAYS = [365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653];

/** Throws an Error that names the setting, its value and what is accepted. */
export function stackSettings(node: Node, env: Source): StackSettings {
  const text = (name: string, variable: string, fallback: string): string => {
    const given: unknown = node.tryGetContext(name) ?? env[variable] ?? fallback;
    return String(given).trim(); // of a list: its members with commas between them
  };
  const accounts = checkedAccounts(text("accounts", "FILLBOOK_ACCOUNTS", "main"));
  const accountsAtOnce = whole("accountsAtOnce", text("accountsAtOnce", "FILLBOOK_ACCOUNTS_AT_ONCE", "5"), {
    least: 1,
    most: 900,
  });
  const zone = checkedZone(text("zone", "FILLBOOK_SCHEDULE_ZONE", "UTC"));
  const email = text("alarmEmail", "FILLBOOK_ALARM_EMAIL", "");
  return {
    accounts,
    tokenSecrets: checkedSecrets(text("tokenSecrets", "FILLBOOK_TOKEN_SECRETS", ""), accounts),
    accountsAtOnce,
    accountUrl: checkedUrl("accountUrl", text("accountUrl", "FILLBOOK_ACCOUNT_URL", "https://account.example.invalid")),
    marketDataUrl: checkedUrl(
      "marketDataUrl",
      text("marketDataUrl", "FILLBOOK_MARKET_DATA_URL", "https://market-data.example.invalid"),
    ),
    prefix: matching("prefix", text("prefix", "FILLBOOK_PREFIX", "fillbook"), /^[\w-]+(?:\/[\w-]+)*$/),
    scheduleHour: checkedHour(text("scheduleHour", "FILLBOOK_SCHEDULE_HOUR", "4"), zone),
    zone,
    alarmEmail: email === "" ? null : matching("alarmEmail", email, /^[^@\s]+@[^@\s]+$/),
    logRetentionDays: oneOf("logRetentionDays", text("logRetentionDays", "FILLBOOK_LOG_RETENTION_DAYS", "400")),
    encryption: checkedEncryption(text("encryption", "FILLBOOK_ENCRYPTION", "s3")),
    reservedConcurrency: orNone(
      "reservedConcurrency",
      text(
        "reservedConcurrency",
        "FILLBOOK_RESERVED_CONCURRENCY",
        String(Math.min(accountsAtOnce, accounts.length) + 1),
      ),
      { least: 1, most: 1000 },
    ),
    maxRps: checkedRate(text("maxRps", "FILLBOOK_MAX_RPS", "")),
    lookBackDays: whole("lookBackDays", text("lookBackDays", "FILLBOOK_LOOK_BACK_DAYS", "7"), { least: 0, most: 3650 }),
    runbookUrl: text("runbookUrl", "FILLBOOK_RUNBOOK_URL", "RUNBOOK.md"),
    packLock: checkedLock(
      text("packLockDays", "FILLBOOK_PACK_LOCK_DAYS", "none"),
      text("packLockMode", "FILLBOOK_PACK_LOCK_MODE", "governance"),
    ),
    budgetUsd: orNone("budgetUsd", text("budgetUsd", "FILLBOOK_BUDGET_USD", "20"), { least: 1, most: 1_000_000 }),
    queryLimitGb: orNone("queryLimitGb", text("queryLimitGb", "FILLBOOK_QUERY_LIMIT_GB", "10"), {
      least: 1,
      most: 10_000,
    }),
    page: checkedPage(
      text("page", "FILLBOOK_PAGE", "off"),
      text("pageDomain", "FILLBOOK_PAGE_DOMAIN", ""),
      text("pageCertificate", "FILLBOOK_PAGE_CERTIFICATE", ""),
    ),
  };
}

function wrong(name: string, value: string, accepted: string): Error {
  return new Error(`setting ${name} is "${value}", but must be ${accepted}`);
}

function matching(name: string, value: string, pattern: RegExp): string {
  if (!pattern.test(value)) {
    throw wrong(name, value, `text that matches ${String(pattern)}`);
  }
  return value;
}

function checkedAccounts(value: string): readonly string[] {
  const accounts = value.split(",").map((account) => account.trim());
  for (const account of accounts) {
    matching("accounts", account, /^[a-z0-9-]{1,32}$/);
  }
  if (new Set(accounts).size !== accounts.length) {
    throw wrong("accounts", value, "a list without repetition");
  }
  return accounts;
}

/** `account=secret` with commas between them. */
function checkedSecrets(value: string, accounts: readonly string[]): ReadonlyMap<string, string> {
  const pairs = value === "" ? [] : value.split(",").map((pair) => pair.trim());
  return new Map(
    pairs.map((pair) => {
      const [, account = "", secret = ""] = /^([a-z0-9-]+)=([\w/+=.@-]{1,512})$/.exec(pair) ?? [];
      if (!accounts.includes(account)) {
        throw wrong("tokenSecrets", value, "ACCOUNT=SECRET-NAME for some of the accounts, with commas between them");
      }
      return [account, secret];
    }),
  );
}

function checkedUrl(name: string, value: string): string {
  if (!URL.canParse(value) || new URL(value).protocol !== "https:") {
    throw wrong(name, value, "an https address");
  }
  return value;
}

function checkedZone(value: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new Error(wrong("zone", value, "an IANA time zone, such as Europe/London").message, { cause });
  }
}

/** 1 and 2 o'clock are skipped or repeated on the days when clocks change. */
function checkedHour(value: string, zone: string): number {
  const hour = Number(matching("scheduleHour", value, /^(?:\d|1\d|2[0-3])$/));
  if (zone !== "UTC" && (hour === 1 || hour === 2)) {
    throw wrong("scheduleHour", value, "another hour than 1 and 2, which daylight saving skips or repeats");
  }
  return hour;
}

function oneOf(name: string, value: string): number {
  const days = Number(value);
  if (!RETENTION_DAYS.includes(days)) {
    throw wrong(name, value, `one of ${RETENTION_DAYS.join(", ")}`);
  }
  return days;
}

function checkedEncryption(value: string): "s3" | "kms" {
  if (value !== "s3" && value !== "kms") {
    throw wrong("encryption", value, "s3 or kms");
  }
  return value;
}

function checkedLock(days: string, mode: string): PackLock | null {
  if (mode !== "governance" && mode !== "compliance") {
    throw wrong("packLockMode", mode, "governance or compliance");
  }
  const checked = orNone("packLockDays", days, { least: 1, most: 36_500 });
  return checked === null ? null : { mode, days: checked };
}

function checkedPage(page: string, domain: string, certificate: string): PageSettings | null {
  if (page !== "on" && page !== "off") {
    throw wrong("page", page, "on or off");
  }
  const checked = checkedDomain(domain, certificate);
  return page === "on" ? { domain: checked } : null;
}

const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

function checkedDomain(name: string, certificate: string): PageDomain | null {
  if (name === "" && certificate === "") {
    return null;
  }
  if (!HOST_NAME.test(name)) {
    throw wrong(
      "pageDomain",
      name,
      "a host name in small letters, such as books.example.com, with its pageCertificate",
    );
  }
  if (!/^arn:[\w-]+:acm:us-east-1:\d{12}:certificate\/[\w-]+$/.test(certificate)) {
    throw wrong(
      "pageCertificate",
      certificate,
      "the ARN of a certificate of ACM in us-east-1, where CloudFront looks for it, that is for pageDomain",
    );
  }
  return { name, certificate };
}

function checkedRate(value: string): number | null {
  return value === "" ? null : Number(matching("maxRps", value, /^(?:[1-9]\d{0,2}|0\.\d*[1-9])$/));
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function whole(name: string, value: string, { least, most }: Bounds): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most)) {
    throw wrong(name, value, `a whole number from ${least} to ${most}`);
  }
  return number;
}

function orNone(name: string, value: string, bounds: Bounds): number | null {
  if (value === "none") {
    return null;
  }
  try {
    return whole(name, value, bounds);
  } catch {
    throw wrong(name, value, `none, or a whole number from ${bounds.least} to ${bounds.most}`);
  }
}
