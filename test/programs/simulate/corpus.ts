import { DAY_MS, HOUR_MS } from "../../../lambda/core/time.ts";
import { drawScenario, type RunPlan, type Scenario, UNDISTURBED } from "./scenario.ts";

export interface Found {
  readonly why: string;
  readonly scenario: Scenario;
}

type Account = Omit<Scenario["account"], "seed" | "from" | "to"> & { readonly from?: number };

const YEAR = Date.UTC(2025, 0, 1);
const AT_ONCE: RunPlan = { ...UNDISTURBED, afterMs: 0 };

/** `days`: how long the account is. `range`: what is read, ms after its beginning; the default is all of it. */
function found(
  why: string,
  seed: number,
  days: number,
  account: Account,
  switches: Scenario["switches"],
  { range, ...more }: Partial<Omit<Scenario, "range">> & { readonly range?: readonly [number, number] } = {},
): Found {
  const { from = YEAR } = account;
  const [first, last] = range ?? [0, days * DAY_MS];
  const scenario: Scenario = {
    seed,
    account: {
      seed: seed + 1,
      ties: 0,
      selfTrades: 0.3,
      filledAt: "mixed",
      ...account,
      from,
      to: from + days * DAY_MS,
    },
    switches,
    isLive: false,
    settleLagMs: 0,
    lookBackMs: 0,
    nights: { count: 0, everyMs: 0 },
    range: { from: from + first, to: from + last },
    storeMs: 0,
    echoesToken: false,
    tokenEndsMs: null,
    runs: [],
    isRaced: false,
    ...more,
  };
  return { why, scenario };
}

/**
 * Failures that random scenarios found earlier. They are kept as scenarios, because a seed gives another
 * scenario as soon as the drawing changes.
 */
export const CORPUS: readonly Found[] = [
  found(
    "a cap hides what lies before silence that is asked with a wide margin",
    150_492,
    0.01,
    { fills: 239, density: "bursts", selfTrades: 0.01, filledAt: "all" },
    { pageLimit: 20, rowCap: { rows: 197, emptyLast: false } },
    { range: [-301_678_220, 599_432_428] },
  ),
  found(
    "a cap cuts rows without an order: all known rows and both ends are shown",
    150_178,
    90,
    { fills: 121, density: "zipf-days" },
    { pageLimit: 10, rowCap: { rows: 50, emptyLast: true }, order: "unordered", shortPages: true, repeatRows: 7 },
  ),
  found(
    "dates by filledAt, and a cap: it hides a fill that was filled seconds later, beside many of one millisecond",
    51_002_634,
    365,
    { fills: 60, density: "sparse", ties: 20 },
    { pageLimit: 10, filterBy: "filledAt", rowCap: { rows: 29, emptyLast: false }, shortPages: true },
    { runs: [{ ...AT_ONCE, concurrency: 1, range: { from: YEAR + 19_958_139_612, to: YEAR + 28_237_638_065 } }] },
  ),
  found(
    "dates by filledAt, and some times in seconds",
    150_461,
    0.01,
    { fills: 250, density: "zipf-days", ties: 3, filledAt: "none", from: YEAR + 516_533_470 },
    { pageLimit: 100, filterBy: "filledAt", seconds: 0.02 },
    {
      runs: [
        {
          ...AT_ONCE,
          range: { from: YEAR + 517_292_715, to: YEAR + 517_300_451 },
          stop: { effect: 83 },
          store: { rate: 0.2, fates: ["late"], at: [] },
        },
        {
          ...AT_ONCE,
          afterMs: 1_723_381,
          concurrency: 1,
          kill: { effect: 90, after: true },
          store: { rate: 0, fates: [], at: [{ call: 92, fate: "conflict-after" }] },
          skewMs: 990_866,
        },
      ],
    },
  ),
  found(
    "a row without an identity among many of one millisecond",
    101_094,
    0.01,
    { fills: 61, density: "bursts", ties: 120, selfTrades: 0.01, filledAt: "none" },
    {
      pageLimit: 10,
      badRows: {
        share: 0.02,
        kinds: ["price-number", "price-null", "price-exponent", "quantity-60-digits", "no-match-id"],
      },
    },
    { range: [-480_955_539, 376_128_044] },
  ),
  found(
    "an empty cursor behind a row that cannot be filed is taken for the end",
    150_703,
    181,
    { fills: 1, density: "sparse" },
    { pageLimit: 10, lastOnFinal: "empty-string-restarts", seconds: 1 },
  ),
  found(
    "an empty cursor leads to an empty page with another cursor, and is taken for the end",
    100_624,
    1,
    { fills: 120, density: "sparse", selfTrades: 0.01 },
    { pageLimit: 10, emptyPages: 0.2, cursorValues: [""] },
    { range: [69_182_720, 85_689_514] },
  ),
  found(
    "an empty cursor behind a full page is refused, and taken for the end",
    150_305,
    90,
    { fills: 250, density: "uniform", ties: 120, filledAt: "none" },
    { pageLimit: 10, cursorValues: [""], cursorRefused: true },
  ),
  found(
    "a wide margin is cut to nothing where narrower dates have shown a full millisecond",
    9_600_939,
    3,
    { fills: 250, density: "zipf-days", ties: 35, selfTrades: 0.01, filledAt: "all" },
    {
      pageLimit: 33,
      clamp: { widthMs: DAY_MS, anchor: "start", alsoSingleBound: false },
      offsetCursors: true,
      cursorLoop: { length: 18, afterPages: 6 },
      cursorRefused: true,
      timeCursors: true,
      cursorValues: [],
    },
    {
      settleLagMs: HOUR_MS,
      nights: { count: 3, everyMs: 7 * DAY_MS + HOUR_MS },
      range: [-593_517_649, 851_752_042],
      storeMs: 40,
      runs: [{ ...AT_ONCE, concurrency: 16, stop: { ms: 44_038 } }],
    },
  ),
  found(
    "twelve full pages beside an empty range, all of an account, were asked for until it was given up",
    9_720_507,
    1,
    { fills: 120, density: "bursts", ties: 3, filledAt: "none" },
    { pageLimit: 10 },
    {
      range: [63_398_772, 64_800_940],
      storeMs: 300,
      runs: [
        {
          ...AT_ONCE,
          afterMs: 89,
          concurrency: 16,
          store: { rate: 0.05, fates: ["lost-after", "conflict"], at: [] },
          skewMs: 2_854_217,
        },
      ],
    },
  ),
  found(
    "a cursor forgets the dates behind a part of a millisecond, and its rest stands in another block",
    11_103_352,
    90,
    { fills: 250, density: "ramp", ties: 120, filledAt: "all" },
    {
      pageLimit: 100,
      order: "shuffled-pages",
      startInclusive: false,
      endInclusive: false,
      shortPages: true,
      cursorDates: "forgotten",
      repeatRows: 30,
      clamp: { widthMs: 3 * DAY_MS, anchor: "start", alsoSingleBound: true },
    },
    { range: [-459_496_550, 90 * DAY_MS + 732_263_957] },
  ),
];

/** The scenario of a seed: the kept one if there is one, else the drawn one. */
export function scenarioOf(seed: number): Scenario {
  return CORPUS.find(({ scenario }) => scenario.seed === seed)?.scenario ?? drawScenario(seed);
}
