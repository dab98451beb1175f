import type { Decimal } from "decimal.js";
import { table } from "../../lambda/cli/terminal-text.ts";
import { counted } from "../../lambda/core/text.ts";
import type { StackSettings } from "../settings.ts";
import { type CostLine, total } from "./cost.ts";
import type { Loss } from "./data-changes.ts";
import type { Obstacle } from "./obstacles.ts";
import { PRICES_AS_OF } from "./prices.ts";

/** What a person reads before the question, in lines. */

const MANY = 5;
const HEADING = "$ a month";

export function settingsLines(settings: StackSettings): readonly string[] {
  const { accounts, tokenSecrets, packLock, page } = settings;
  const rows: [string, string][] = [
    ["deployment", settings.names.deployment],
    ["accounts", `${listed(accounts)}; ${settings.accountsAtOnce} at once`],
    ["tokenSecrets", tokenSecrets.size === 0 ? "none: each account has its own" : listed([...tokenSecrets.keys()])],
    ["accountUrl", settings.accountUrl],
    ["marketDataUrl", settings.marketDataUrl],
    ["schedule", `${settings.scheduleHour}:10, ${settings.zone}`],
    ["alarmEmail", settings.alarmEmail ?? "none: alarms reach nobody"],
    ["runbookUrl", settings.runbookUrl],
    ["encryption", ENCRYPTIONS[settings.encryption]],
    ["packs", packs(packLock)],
    ["logs", `kept for ${counted(settings.logRetentionDays, "day")}`],
    ["reservedConcurrency", String(settings.reservedConcurrency ?? "none")],
    ["budget", settings.budgetUsd === null ? "none" : `$${settings.budgetUsd} a month, then a mail`],
    ["page", page === null ? "none" : `at ${page.domain?.name ?? "CloudFront's own name"}`],
    ...(settings.tags.size === 0
      ? []
      : [["tags", listed([...settings.tags].map((tag) => tag.join("=")))] as [string, string]]),
    ...(settings.permissionsBoundary === null
      ? []
      : [["permissionsBoundary", settings.permissionsBoundary] as [string, string]]),
    ["largePacks", settings.largePacks ? "by a task on Fargate" : "refused: the function has 15 minutes"],
    ["queries", settings.queryLimitGb === null ? "no table" : `at most ${settings.queryLimitGb} GB each`],
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(20)} ${value}`);
}

const ENCRYPTIONS: Readonly<Record<StackSettings["encryption"], string>> = {
  s3: "with S3's own keys",
  kms: "with a key of fillbook's own",
  "s3-after-kms": "with S3's own keys; older objects with a key of fillbook's own",
};

function packs(lock: StackSettings["packLock"]): string {
  if (lock === null) {
    return "not locked";
  }
  return lock.days === 0
    ? "in a bucket of their own, no longer locked"
    : `locked for ${counted(lock.days, "day")}, ${lock.mode}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MANY).join(", ");
  return names.length > MANY ? `${shown} and ${names.length - MANY} more` : shown;
}

export function obstacleLines(found: readonly Obstacle[]): readonly string[] {
  return [
    `${counted(found.length, "obstacle")} found. Nothing was changed.`,
    ...found.flatMap(({ what, todo }, index) => [
      "",
      `${index + 1}. ${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
      `   Do: ${todo}`,
    ]),
  ];
}

const FATES: Readonly<Record<Loss["fate"], string>> = {
  left: "It stays in the AWS account with its data, but belongs to no stack.",
  replaced: "It stays in the AWS account with its data, and an empty one replaces it.",
  deleted: "It is DELETED with all its data.",
  unsure: "Its data may be lost.",
  locked: "Until the lock ends NOBODY can delete it or stop its costs, not even the owner of the AWS account.",
};

export function lossLines(losses: readonly Loss[]): readonly string[] {
  return losses.flatMap(({ name, type, why, fate }) => [`  ${name} (${type})`, `    ${why}. ${FATES[fate]}`]);
}

export interface Cost {
  readonly month: readonly CostLine[];
  /** The usage that the monthly cost assumes. */
  readonly use: string;
  /** The cost of a million fills at this request rate. */
  readonly walk: readonly CostLine[];
  readonly walkRate: number;
  /** The cost of a pack of a hundred million fills by a task; null: no task is deployed. */
  readonly largePack: readonly CostLine[] | null;
}

export function costLines({ month: lines, use, walk, walkRate, largePack }: Cost): readonly string[] {
  const rows = [
    ...lines.map(({ what, reckoning, usd }) => [what, dollars(usd), reckoning] as const),
    ["together", dollars(total(lines)), use] as const,
  ];
  const width = Math.max(HEADING.length, ...rows.map(([, amount]) => amount.length));
  return [
    ...table(
      ["", HEADING, "for"],
      rows.map(([what, amount, reckoning]) => [what, amount.padStart(width), reckoning]),
    ).map((row) => `  ${row}`),
    `  Once, for each million fills of a first walk at ${counted(walkRate, "request")} a second: $${dollars(total(walk))}. A slower service costs more.`,
    ...(largePack === null
      ? []
      : [
          `  Each pack of 100 million fills, by a task: $${dollars(total(largePack))}. Tasks cost nothing while none runs.`,
        ]),
    `  List prices of us-east-1 as of ${PRICES_AS_OF}, not compared with a bill, without free tier, tax and traffic. Mails, queues, the schedule and the budget cost almost nothing.`,
  ];
}

/** Rounded up to a cent, so that a line with a cost never shows 0. */
export function dollars(usd: Decimal): string {
  const [whole = "0", cents = "00"] = usd.toFixed(2, 0).split(".");
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}.${cents}`;
}
