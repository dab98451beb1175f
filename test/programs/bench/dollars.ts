import { Decimal } from "decimal.js";
import { FUNCTION_GB, LOG_BYTES_A_SLICE, SLICE_SECONDS, TRANSITIONS } from "../../../infra/deploy/cost.ts";
import { PRICES, type Price } from "../../../infra/deploy/prices.ts";

/**
 * Measured figures and list prices to dollars. What cannot be measured here is assumed: how long the network takes, how much slower a processor of
 * Lambda's is, how long a cold function needs.
 */
export interface Assumptions {
  /** One request to the service, ms. */
  readonly pageMs: number;
  /** Requests in flight in a first sync; a night asks one after another. */
  readonly inFlight: number;
  /** One request to the store, ms. */
  readonly storeMs: number;
  readonly startSeconds: number;
  /** Of a CPU second here, how many there. */
  readonly slower: number;
  readonly nightsAYear: number;
}

export const ASSUMED: Assumptions = {
  pageMs: 100,
  inFlight: 4,
  storeMs: 50,
  startSeconds: 1,
  slower: 1.5,
  nightsAYear: 365,
};

export interface Line {
  readonly what: string;
  /** How the amount comes about. */
  readonly arithmetic: string;
  readonly usd: Decimal;
}

/** A first sync from pages to an archive, measured. */
export interface FirstSync {
  /** of the whole process, requests included */
  readonly cpuSeconds: number;
  readonly requests: number;
  readonly storeWrites: number;
  /** Parts and evidence. */
  readonly keptBytes: number;
}

/** A pack from an archive, measured. */
export interface PackCost {
  readonly cpuSeconds: number;
  readonly storeReads: number;
  /** of each file */
  readonly fileBytes: readonly number[];
}

/** The mean of a night. */
export interface Night {
  readonly fillsAdded: number;
  readonly requests: number;
  readonly storeReads: number;
  /** LIST costs as much as PUT. */
  readonly storeWrites: number;
  readonly bytesOut: number;
  /** Of them what stays for good. */
  readonly evidenceBytes: number;
}

const MULTIPART_BYTES = 5 * 1024 * 1024; // lambda/storage/s3-sink.ts
/** What is replaced is deleted after a week, and is gone 30 days later: infra/data/archive-bucket.ts. */
const REPLACED_MONTHS = new Decimal(37).dividedBy(30);
const MONTHS = 12;
const BYTES_A_GB = 1e9;

export function firstSyncLines(sync: FirstSync, assumed: Assumptions): readonly Line[] {
  const network = (sync.requests * assumed.pageMs) / 1000 / assumed.inFlight;
  const computing = sync.cpuSeconds * assumed.slower;
  const slices = Math.ceil(Math.max(network, computing) / SLICE_SECONDS);
  const seconds = round(Math.max(network, computing) + slices * assumed.startSeconds);
  const why =
    network > computing
      ? `${count(sync.requests)} requests × ${assumed.pageMs} ms ÷ ${assumed.inFlight}`
      : `${sync.cpuSeconds.toFixed(1)} s of CPU × ${assumed.slower}`;
  return [
    functionLine(seconds, slices, `${why} + ${slices} × ${assumed.startSeconds} s`),
    transitionsLine(slices, 1),
    line("requests to the store", [[sync.storeWrites, "writes", PRICES.written]]),
    logsLine(slices),
    line("kept, a month", [[gb(sync.keptBytes), "GB", PRICES.stored]]),
  ];
}

export function packLines(pack: PackCost, assumed: Assumptions): readonly Line[] {
  const slices = Math.ceil((pack.cpuSeconds * assumed.slower) / SLICE_SECONDS);
  const seconds = round(pack.cpuSeconds * assumed.slower + slices * assumed.startSeconds);
  const bytes = pack.fileBytes.reduce((sum, one) => sum + one, 0);
  const why = `${pack.cpuSeconds.toFixed(1)} s of CPU × ${assumed.slower} + ${slices} × ${assumed.startSeconds} s`;
  return [
    functionLine(seconds, slices, why),
    transitionsLine(slices, 1),
    line("requests to the store", [
      [pack.fileBytes.reduce((sum, one) => sum + putsOf(one), 0), "writes, 5 MiB each", PRICES.written],
      [pack.storeReads, "reads", PRICES.read],
    ]),
    logsLine(slices),
    line("kept, a month", [[gb(bytes), "GB", PRICES.stored]]),
  ];
}

/** A multipart upload is begun and completed, and a small file is one request. */
function putsOf(bytes: number): number {
  return bytes <= MULTIPART_BYTES ? 1 : Math.ceil(bytes / MULTIPART_BYTES) + 2;
}

/** An account's year of nights, without its first sync and its packs. */
export function yearLines(night: Night, partBytesAFill: number, assumed: Assumptions): readonly Line[] {
  const { nightsAYear: nights } = assumed;
  const storeRequests = night.storeReads + night.storeWrites;
  const seconds = round(
    assumed.startSeconds + (night.requests * assumed.pageMs + storeRequests * assumed.storeMs) / 1000,
  );
  const why = `${nights} × (${assumed.startSeconds} s + ${night.requests.toFixed(1)} × ${assumed.pageMs} ms + ${storeRequests.toFixed(1)} × ${assumed.storeMs} ms)`;
  const kept = nights * (night.evidenceBytes + night.fillsAdded * partBytesAFill);
  const replaced = Math.max(0, night.bytesOut - night.evidenceBytes) * nights;
  return [
    functionLine(new Decimal(seconds).times(nights).toNumber(), nights, why),
    transitionsLine(nights, nights),
    line("requests to the store", [
      [round(night.storeWrites * nights), "writes and lists", PRICES.written],
      [round(night.storeReads * nights), "reads", PRICES.read],
    ]),
    // It grows from nothing: half of it on average.
    line("kept, half of a year's on average", [[gb(kept).times(MONTHS).dividedBy(2), "GB-months", PRICES.stored]]),
    line("replaced, until it expires", [[gb(replaced).times(REPLACED_MONTHS), "GB-months", PRICES.stored]]),
    line("token", [
      [MONTHS, "secret-months", PRICES.secret],
      [nights, "reads", PRICES.secretRead],
    ]),
    logsLine(nights),
  ];
}

export function totalOf(lines: readonly Line[]): Decimal {
  return Decimal.sum(0, ...lines.map(({ usd }) => usd));
}

function functionLine(seconds: number, slices: number, why: string): Line {
  const { arithmetic, usd } = line("function", [
    [FUNCTION_GB.times(seconds), `GB-seconds (${count(seconds)} s × ${FUNCTION_GB.toFixed(3)} GB)`, PRICES.computed],
    [slices, "invocations", PRICES.invocation],
  ]);
  return { what: "function", arithmetic: `${why} = ${count(seconds)} s; ${arithmetic}`, usd };
}

function transitionsLine(slices: number, runs: number): Line {
  const transitions = slices * TRANSITIONS.aTurn + runs * TRANSITIONS.aRun;
  return line("state machine", [[transitions, "transitions", PRICES.transition]]);
}

function logsLine(slices: number): Line {
  return line("logs", [[gb(slices * LOG_BYTES_A_SLICE), "GB", PRICES.logged]]);
}

function line(what: string, items: readonly (readonly [Decimal.Value, string, Price])[]): Line {
  return {
    what,
    arithmetic: items.map(([much, unit, price]) => `${amount(much)} ${unit} × $${price.usd.toFixed()}`).join(" + "),
    usd: Decimal.sum(0, ...items.map(([much, , price]) => price.usd.times(much))),
  };
}

function gb(bytes: Decimal.Value): Decimal {
  return new Decimal(bytes).dividedBy(BYTES_A_GB);
}

function amount(much: Decimal.Value): string {
  const value = new Decimal(much);
  return value.isInteger() ? count(value.toNumber()) : value.toSignificantDigits(4).toFixed();
}

function count(many: number): string {
  return many.toLocaleString("en", { maximumFractionDigits: 1 });
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
