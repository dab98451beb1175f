import { Decimal } from "decimal.js";
import { counted } from "../../lambda/core/text.ts";
import { TASK_SIZE } from "../job/task-size.ts";
import { PRICES } from "./prices.ts";

/** What is deployed, as far as it costs something while it merely exists. */
export interface Deployed {
  readonly accounts: number;
  readonly keys: number;
  /** CloudWatch bills each metric of an alarm: an alarm on three metrics counts as three. */
  readonly alarmMetrics: number;
  readonly customMetrics: number;
  readonly dashboards: number;
  readonly logRetentionDays: number;
  /** True when the accountant's page is deployed. */
  readonly hasPage: boolean;
}

/** How the deployment is used. */
export interface Use {
  /** New fills a month for each account. */
  readonly fillsAMonth: number;
  /** Months since the archive began. */
  readonly months: number;
  /** Athena queries a month that read every fill of every account. */
  readonly queriesAMonth: number;
  /** Users who sign in to the page. */
  readonly pageUsers: number;
}

export interface CostLine {
  readonly what: string;
  /** How the amount is calculated, for people. */
  readonly reckoning: string;
  /** US dollars, exact: for a month, or once. */
  readonly usd: Decimal;
}

/** A quantity, and the price of one unit. */
type Item = readonly [much: Decimal.Value, price: Decimal];

const NIGHTS = 30;
const BYTES_A_GB = 1e9;
const BYTES_A_TB = 1e12;

/** The memory of infra/job/job-function.ts. Lambda counts a GB as 1,024 MB. */
const FUNCTION_GB = new Decimal(1769).dividedBy(1024);
/** 15 minutes, less the margin in which a slice ends by itself and the last commit of a walk. */
export const SLICE_SECONDS = 840;

/**
 * A night of an account with 20,000 fills a year: 22 requests to the service, 14 writes and 24 reads of the
 * store (measured by test/infra/cost-measured.system.test.ts). The seconds are an estimate: 22 × 150 ms and
 * 38 × 50 ms in sequence, and one second to start.
 */
export const NIGHT = { seconds: 6, writes: 14, reads: 24, tokenReads: 1, slices: 1 } as const;
/**
 * Bytes that a night writes and later nights replace, until they expire: 0.25 MB, kept for 7 days and then 30
 * days as an old version, rounded up.
 */
const REPLACED_BYTES = 15e6;

/**
 * For each fill of a first walk at 5 requests a second: requests to the service and writes of the store
 * (measured by test/infra/cost-measured.system.test.ts).
 */
export const WALK = { requestsAFill: new Decimal("0.0105"), writesAFill: new Decimal("0.00182") } as const;

/**
 * Bytes for each fill of a million (test/programs/bench/RESULTS.md and docs/sizing.md): current data files,
 * the service's answers, one pack of everything.
 */
const BYTES_A_FILL = { dataFiles: 170, rawResponses: 96, pack: 2196 } as const;

/**
 * State transitions of a turn (slice, choice, count, pause), those that each account's run adds once, and
 * those of a task.
 */
const TRANSITIONS = { aTurn: 4, aRun: 3, aTask: 4 } as const;

/**
 * Bytes of one uploaded part (lambda/storage/s3-sink.ts), and the number of files of a pack, each of which
 * starts and completes an upload.
 */
const PART_BYTES = 5 * 2 ** 20;
const PACK_FILES = 41;
/** Fargate bills at least a minute, which includes fetching the image. */
const TASK_LEAST_SECONDS = 60;
const SECONDS_AN_HOUR = 3600;

/**
 * Bytes that a slice with little to do logs: its two lines, its metrics, and the three lines of the platform.
 */
const LOG_BYTES_A_SLICE = 3000;
const LOG_BYTES_A_MINUTE = 500;

/** The memory of infra/page/page-function.ts. */
const PAGE_FUNCTION_GB = new Decimal(512).dividedBy(1024);

const PAGE_LOG_BYTES = 2500;

/**
 * What a user of the page opens in a month: lists of packs, packs, and a run that is watched for a quarter of
 * an hour with a request every two seconds. The counts are an estimate. The requests to the store of each
 * view lie between those of an overview of 25 periods (60 requests, half of them lists) and of a pack (13):
 * page-results.json.
 */
const PAGE_LOOKS = [
  { aUser: 200, seconds: "0.5", reads: 25, lists: 20 },
  { aUser: 450, seconds: "0.1", reads: 2, lists: 0 },
] as const;

/** The monthly cost when the archive is `use.months` old, line by line. */
export function monthlyCost(deployed: Deployed, use: Use): readonly CostLine[] {
  const { accounts } = deployed;
  const runs = accounts * NIGHTS;
  const fillsAdded = accounts * use.fillsAMonth;
  const fillsKept = fillsAdded * use.months;
  const seconds = runs * NIGHT.seconds;
  const transitions = runs * (TRANSITIONS.aTurn * NIGHT.slices + TRANSITIONS.aRun);
  const writes = WALK.writesAFill.times(fillsAdded).plus(runs * NIGHT.writes);
  const storedGb = gb(fillsKept * sum(Object.values(BYTES_A_FILL)) + accounts * REPLACED_BYTES);
  const loggedGb = gb(runs * NIGHT.slices * LOG_BYTES_A_SLICE);
  const scannedTb = new Decimal(fillsKept * BYTES_A_FILL.dataFiles * use.queriesAMonth).dividedBy(BYTES_A_TB);
  return [
    line("tokens", `${counted(accounts, "secret")}, ${counted(runs * NIGHT.tokenReads, "read")}`, [
      [accounts, PRICES.secret],
      [runs * NIGHT.tokenReads, PRICES.secretRead],
    ]),
    line("function", `${counted(runs, "run")} of ${NIGHT.seconds} s at ${FUNCTION_GB.toFixed(2)} GB`, [
      [FUNCTION_GB.times(seconds), PRICES.computed],
      [runs * NIGHT.slices, PRICES.invocation],
    ]),
    line("state machines", counted(transitions, "transition"), [[transitions, PRICES.transition]]),
    line("store, requests", `${counted(writes.ceil().toNumber(), "write")}, ${counted(runs * NIGHT.reads, "read")}`, [
      [writes, PRICES.written],
      [runs * NIGHT.reads, PRICES.read],
    ]),
    line(
      "store, kept",
      `${counted(fillsKept, "fill")}, with the raw responses and one pack of all fills: ${gbText(storedGb)}`,
      [[storedGb, PRICES.stored]],
    ),
    line("logs", `${gbText(loggedGb)} a month, kept for ${counted(deployed.logRetentionDays, "day")}`, [
      [loggedGb, PRICES.logged],
      [loggedGb.times(deployed.logRetentionDays).dividedBy(NIGHTS), PRICES.logKept],
    ]),
    line("alarms", `on ${counted(deployed.alarmMetrics, "metric")}`, [[deployed.alarmMetrics, PRICES.alarm]]),
    line("metrics", `${counted(deployed.customMetrics, "metric")} of fillbook, as if sent every hour`, [
      [deployed.customMetrics, PRICES.metric],
    ]),
    line("dashboard", counted(deployed.dashboards, "dashboard"), [[deployed.dashboards, PRICES.dashboard]]),
    line(
      "keys",
      `${counted(deployed.keys, "key")}, one of them for the alarms; each of its first two yearly rotations adds as much`,
      [[deployed.keys, PRICES.key]],
    ),
    line(
      "queries",
      `${counted(use.queriesAMonth, "query", "queries")} over all fills: ${gbText(scannedTb.times(1000))}`,
      [[scannedTb, PRICES.scanned]],
    ),
    ...(deployed.hasPage ? pageCost(use.pageUsers) : []),
  ];
}

/** Without the transfer of downloads: no line of the estimate includes traffic. */
function pageCost(users: number): readonly CostLine[] {
  const views = users * sum(PAGE_LOOKS.map(({ aUser }) => aUser));
  const items = PAGE_LOOKS.flatMap(({ aUser, seconds, reads, lists }): Item[] => [
    [PAGE_FUNCTION_GB.times(seconds).times(users * aUser), PRICES.computed],
    [users * aUser * reads, PRICES.read],
    [users * aUser * lists, PRICES.written],
  ]);
  return [
    line("page, users", `${counted(users, "user")} who sign in`, [[users, PRICES.pageUser]]),
    line("page, views", `${counted(views, "view")}`, [
      [views, PRICES.edgeRequest],
      [views, PRICES.edgeFunction],
      [views, PRICES.apiRequest],
      [views, PRICES.invocation],
      ...items,
      [gb(views * PAGE_LOG_BYTES), PRICES.logged],
    ]),
  ];
}

/**
 * The one-time cost of an account's first walk at this request rate. It leaves out the manifests, which each
 * commit writes whole: they matter only above about ten million fills.
 */
export function firstWalk(fills: number, requestsASecond: number) {
  const requests = WALK.requestsAFill.times(fills).ceil();
  const seconds = requests.dividedBy(requestsASecond).ceil();
  const slices = seconds.dividedBy(SLICE_SECONDS).ceil();
  const transitions = slices.times(TRANSITIONS.aTurn).plus(TRANSITIONS.aRun);
  const writes = WALK.writesAFill.times(fills).ceil();
  const loggedGb = gb(slices.times(LOG_BYTES_A_SLICE).plus(seconds.dividedBy(60).times(LOG_BYTES_A_MINUTE)));
  return {
    requests: requests.toNumber(),
    seconds: seconds.toNumber(),
    slices: slices.toNumber(),
    lines: [
      line("function", `${counted(slices.toNumber(), "slice")}, ${counted(seconds.toNumber(), "second")}`, [
        [FUNCTION_GB.times(seconds), PRICES.computed],
        [slices, PRICES.invocation],
      ]),
      line("state machine", counted(transitions.toNumber(), "transition"), [[transitions, PRICES.transition]]),
      line("store, requests", counted(writes.toNumber(), "write"), [[writes, PRICES.written]]),
      line("logs", gbText(loggedGb), [[loggedGb, PRICES.logged]]),
    ],
  };
}

/**
 * The cost of a pack that a task makes, in the time that the function estimates for it
 * (lambda/job/pack-time.ts).
 */
export function largePack(fills: number) {
  const seconds = Decimal.max(TASK_LEAST_SECONDS, new Decimal(fills).times(76).dividedBy(1e6)).ceil();
  const hours = seconds.dividedBy(SECONDS_AN_HOUR);
  const { vcpus, gb: memoryGb } = TASK_SIZE;
  const transitions = TRANSITIONS.aTurn + TRANSITIONS.aTask + TRANSITIONS.aRun;
  const parts = new Decimal(fills).times(BYTES_A_FILL.pack).dividedBy(PART_BYTES).ceil();
  const writes = parts.plus(2 * PACK_FILES);
  return {
    seconds: seconds.toNumber(),
    lines: [
      line("task", `${counted(seconds.toNumber(), "second")} of ${vcpus} processors and ${memoryGb} GB`, [
        [hours.times(vcpus), PRICES.taskCpu],
        [hours.times(memoryGb), PRICES.taskMemory],
      ]),
      line("address", "for the same time", [[hours, PRICES.address]]),
      line("state machine", counted(transitions, "transition"), [[transitions, PRICES.transition]]),
      line("store, requests", counted(writes.toNumber(), "write"), [[writes, PRICES.written]]),
    ],
  };
}

export function total(lines: readonly CostLine[]): Decimal {
  return Decimal.sum(0, ...lines.map(({ usd }) => usd));
}

function line(what: string, reckoning: string, items: readonly Item[]): CostLine {
  return { what, reckoning, usd: Decimal.sum(0, ...items.map(([much, price]) => price.times(much))) };
}

function gb(bytes: Decimal.Value): Decimal {
  return new Decimal(bytes).dividedBy(BYTES_A_GB);
}

function sum(values: readonly number[]): number {
  return values.reduce((left, right) => left + right, 0);
}

function gbText(much: Decimal): string {
  return much.lessThan("0.01") ? "less than 0.01 GB" : `${Number(much.toFixed(2)).toLocaleString("en")} GB`;
}
