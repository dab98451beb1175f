import { type HiddenLimit, type MakeController, type Scenario, simulate } from "./simulate.ts";

export const CONCURRENCY = 16;
export const HORIZON_MS = 600_000;
/**
 * The pages of 100,000 fills. A cell lasts until that many requests could pass, if that is longer than
 * HORIZON_MS.
 */
const LEAST_REQUESTS = 1000;
export const RTTS = [20, 150, 2000];
export const LIMITS = [0.5, 2, 10, 50, 100];

export interface Kind {
  readonly name: string;
  /** Null if the kind cannot have this limit (less than one request per window). */
  readonly limit: (perSecond: number) => HiddenLimit | null;
}

const windows = (kind: "fixed-window" | "sliding-window", seconds: number, retryAfter: "none" | "seconds"): Kind => ({
  name: `${kind.replace("-", " ")} ${seconds} s${retryAfter === "none" ? "" : ", Retry-After"}`,
  limit: (perSecond) =>
    perSecond * seconds < 1 ? null : { kind, limit: perSecond * seconds, windowMs: 1000 * seconds, retryAfter },
});

const bucket = (burst: number, retryAfter: "none" | "seconds"): Kind => ({
  name: `token bucket, burst ${burst}${retryAfter === "none" ? "" : ", Retry-After"}`,
  limit: (ratePerSecond) => ({ kind: "token-bucket", ratePerSecond, burst, retryAfter }),
});

/** Places of a concurrency cap, one for each value of LIMITS, because a concurrency cap has no rate. */
const PLACES = [1, 2, 4, 8, 12];

export const CAP: Kind = {
  name: `concurrency cap of ${PLACES.join(", ")}`,
  limit: (perSecond) => ({ kind: "concurrency", limit: PLACES[LIMITS.indexOf(perSecond)] ?? 1 }),
};

export const BAN: Kind = {
  name: "growing ban",
  limit: (ratePerSecond) => ({ kind: "growing-ban", ratePerSecond, burst: 5, addMs: 2000 }),
};

export const KINDS: readonly Kind[] = [
  bucket(1, "none"),
  bucket(20, "none"),
  bucket(20, "seconds"),
  ...[1, 10, 60].flatMap((seconds) => [
    windows("fixed-window", seconds, "none"),
    windows("fixed-window", seconds, "seconds"),
  ]),
  windows("sliding-window", 1, "none"),
  windows("sliding-window", 10, "none"),
  CAP,
];

/** Limits that are not hidden: every answer says how many requests are left. */
export const TOLD: readonly Kind[] = [
  bucket(20, "none"),
  windows("fixed-window", 10, "none"),
  windows("fixed-window", 60, "none"),
  windows("sliding-window", 10, "none"),
].map(({ name, limit }) => ({
  name: `${name}, RateLimit`,
  limit: (perSecond) => {
    const hidden = limit(perSecond);
    return hidden === null || hidden.kind === "none" || hidden.kind === "growing-ban"
      ? hidden
      : { ...hidden, tells: "ratelimit" };
  },
}));

export interface GridCell {
  readonly kind: Kind;
  readonly rttMs: number;
  readonly perSecond: number;
  readonly limit: HiddenLimit;
}

export function cellsOf(kinds: readonly Kind[], rtts: readonly number[], limits: readonly number[]): GridCell[] {
  return kinds.flatMap((kind) =>
    rtts.flatMap((rttMs) =>
      limits.flatMap((perSecond) => {
        const limit = kind.limit(perSecond);
        return limit === null ? [] : [{ kind, rttMs, perSecond, limit }];
      }),
    ),
  );
}

/** The most requests per second that could pass: the limit, or what the workers can send. */
export function capacity({ limit, rttMs, perSecond }: GridCell): number {
  return limit.kind === "concurrency"
    ? (1000 * Math.min(limit.limit, CONCURRENCY)) / rttMs
    : Math.min(perSecond, (1000 * CONCURRENCY) / rttMs);
}

export interface Measure {
  /** accepted requests per second */
  readonly goodput: number;
  /** accepted requests, as a share of those that could pass */
  readonly share: number;
  /** refused requests, as a share of those sent */
  readonly refused: number;
}

/** Means over all seeds. */
export function measure(make: MakeController, cell: GridCell, seeds: readonly number[]): Measure {
  const outcomes = seeds.map((seed) => simulate(make, scenario(cell, seed)));
  const mean = (of: (outcome: (typeof outcomes)[number]) => number): number =>
    outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length;
  const goodput = mean(({ accepted }) => accepted) / (horizonOf(cell) / 1000);
  return { goodput, share: goodput / capacity(cell), refused: mean(({ refused, sent }) => refused / sent) };
}

export function scenario(cell: GridCell, seed: number): Scenario {
  const { limit, rttMs } = cell;
  return { limit, rttMs, concurrency: CONCURRENCY, horizonMs: horizonOf(cell), seed };
}

function horizonOf(cell: GridCell): number {
  return Math.max(HORIZON_MS, (1000 * LEAST_REQUESTS) / capacity(cell));
}

export const LEAST_SHARE = 0.9;
export const MOST_REFUSED = 0.05;

export function meets({ share, refused }: Measure): boolean {
  return share >= LEAST_SHARE && refused <= MOST_REFUSED;
}
