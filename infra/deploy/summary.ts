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
    ["tokenSecrets", tokenSecrets.size === 0 ? "none: each account's own" : listed([...tokenSecrets.keys()])],
    ["accountUrl", settings.accountUrl],
    ["marketDataUrl", settings.marketDataUrl],
    ["schedule", `${settings.scheduleHour}:10, ${settings.zone}`],
    ["alarmEmail", settings.alarmEmail ?? "none: alarms reach nobody"],
    ["runbookUrl", settings.runbookUrl],
    ["encryption", ENCRYPTIONS[settings.encryption]],
    ["packs", packs(packLock)],
    ["logs", `kept for ${settings.logRetentionDays} days`],
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
  s3: "S3's own keys",
  kms: "a key of our own",
  "s3-after-kms": "S3's own keys; what is older by a key of our own",
};

function packs(lock: StackSettings["packLock"]): string {
  if (lock === null) {
    return "not locked";
  }
  return lock.days === 0
    ? "in a bucket of their own, not locked any more"
    : `locked for ${lock.days} days, ${lock.mode}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MANY).join(", ");
  return names.length > MANY ? `${shown} and ${names.length - MANY} more` : shown;
}

export function obstacleLines(found: readonly Obstacle[]): readonly string[] {
  return [
    `${counted(found.length, "thing")} ${found.length === 1 ? "stands" : "stand"} in the way; nothing was changed.`,
    ...found.flatMap(({ what, todo }, index) => [
      "",
      `${index + 1}. ${what.charAt(0).toUpperCase()}${what.slice(1)}.`,
      `   Do: ${todo}`,
    ]),
  ];
}

const FATES: Readonly<Record<Loss["fate"], string>> = {
  left: "It stays in the AWS account with what it holds, and belongs to no stack.",
  replaced: "It stays in the AWS account with what it holds, and an empty one takes its place.",
  deleted: "It is DELETED, with all that it holds.",
  unsure: "What it holds may be gone.",
  locked: "Until its days are over NOBODY can delete that or stop its costs, not even the owner of the AWS account.",
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
    `  Once, for each million fills of a first walk at ${walkRate} requests a second: $${dollars(total(walk))}. The slower the service, the more.`,
    ...(largePack === null
      ? []
      : [
          `  Each pack of 100 million fills, by a task: $${dollars(total(largePack))}. While none runs, tasks cost nothing.`,
        ]),
    `  List prices of us-east-1 as of ${PRICES_AS_OF}, not compared with a bill; no free tier, tax or traffic. Mails, queues, schedule and budget cost next to nothing.`,
  ];
}

/** Rounded up to a cent, so that a line with a cost never shows 0. */
export function dollars(usd: Decimal): string {
  const [whole = "0", cents = "00"] = usd.toFixed(2, 0).split(".");
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ",")}.${cents}`;
}
