import { isRecord } from "../core/record.ts";
import type { TimeRange } from "../core/time.ts";
import type { Checkpoint, Manifest, OpenWindow } from "./manifest.ts";

/** The path of the first field that is missing or of another type; null: none. `at`: the value's own path. */
type Check = (value: unknown, at: string) => string | null;

/**
 * The path of the first field of a manifest that is missing or of another type, as in
 * `checkpoint.open[0].rawResponses`; null: none. The index is checked by itself (index/check.ts).
 */
export function wrongFieldOf(manifest: unknown): string | null {
  return MANIFEST(manifest, "");
}

function is(holds: (value: unknown) => boolean): Check {
  return (value, at) => (holds(value) ? null : at);
}

function optional(check: Check): Check {
  return (value, at) => (value === undefined ? null : check(value, at));
}

function nullable(check: Check): Check {
  return (value, at) => (value === null ? null : check(value, at));
}

function listOf(check: Check): Check {
  return (value, at) =>
    Array.isArray(value) ? firstOf(value.map((one: unknown, index) => check(one, `${at}[${index}]`))) : at;
}

/** Every field of the type has to be in the table. Other fields are not looked at. */
function recordOf<Type>(checks: { readonly [Name in keyof Type]-?: Check }): Check {
  const all = Object.entries<Check>(checks);
  return (value, at) =>
    isRecord(value) ? firstOf(all.map(([name, check]) => check(value[name], at === "" ? name : `${at}.${name}`))) : at;
}

function firstOf(wrong: readonly (string | null)[]): string | null {
  return wrong.find((path) => path !== null) ?? null;
}

const NUMBER = is(Number.isFinite);
const COUNT = is((value) => Number.isSafeInteger(value) && Number(value) >= 0);
const TEXT = is((value) => typeof value === "string");
const FLAG = is((value) => typeof value === "boolean");
const ANYTHING: Check = () => null;
const DIRECTIONS: readonly unknown[] = ["descending", "ascending"];

const RANGE = { from: NUMBER, to: NUMBER };

const OPEN_WINDOW = recordOf<OpenWindow>({
  ...RANGE,
  dated: FLAG,
  askFrom: NUMBER,
  askTo: NUMBER,
  cut: is((value) => value === null || value === "from" || value === "to"),
  cursor: nullable(TEXT),
  cursorAt: nullable(NUMBER),
  pages: COUNT,
  duplicates: COUNT,
  rows: optional(COUNT),
  came: optional(nullable(is((value) => DIRECTIONS.includes(value) || value === "mixed"))),
  pagesHash: TEXT,
  lowest: nullable(NUMBER),
  highest: nullable(NUMBER),
  rawResponses: listOf(TEXT),
});

const CHECKPOINT = recordOf<Checkpoint>({
  open: listOf(OPEN_WINDOW),
  proven: recordOf<Checkpoint["proven"]>({ keepingEnd: NUMBER, keepingBeginning: NUMBER }),
  order: recordOf<Checkpoint["order"]>({
    direction: nullable(is((value) => DIRECTIONS.includes(value))),
    evidence: NUMBER,
    refuted: FLAG,
    endSeen: optional(FLAG),
  }),
  failed: listOf(recordOf<Checkpoint["failed"][number]>({ ...RANGE, rawResponses: listOf(TEXT) })),
  rechecks: listOf(recordOf<TimeRange>(RANGE)),
  lookedBackAt: nullable(NUMBER),
  unsettled: optional(
    listOf(recordOf<NonNullable<Checkpoint["unsettled"]>[number]>({ ...RANGE, askedAt: NUMBER, rechecked: FLAG })),
  ),
  rotatedTo: nullable(NUMBER),
  rotatedAt: nullable(NUMBER),
  beforeBeginning: optional(NUMBER),
  forgottenTo: optional(NUMBER),
  datesProven: FLAG,
  cursorsProven: FLAG,
  datesTrusted: FLAG,
  mostRows: optional(COUNT),
  mostSent: optional(COUNT),
  shortestPage: optional(COUNT),
  limits: optional(recordOf<NonNullable<Checkpoint["limits"]>>({ refusedMs: nullable(NUMBER), acceptedMs: NUMBER })),
  assumed: optional(listOf(recordOf<NonNullable<Checkpoint["assumed"]>[number]>({ ...RANGE, widthMs: NUMBER }))),
  clampSeen: optional(FLAG),
  falseEnds: optional(FLAG),
  ties: optional(is((value) => value === "kept" || value === "dropped")),
});

const MANIFEST = recordOf<Manifest>({
  format: TEXT,
  account: TEXT,
  seq: COUNT,
  epoch: COUNT,
  fills: COUNT,
  coverage: listOf(recordOf<TimeRange>(RANGE)),
  maxSkewMs: NUMBER,
  lateness: nullable(recordOf<NonNullable<Manifest["lateness"]>>({ maxMs: NUMBER, count: COUNT, lastSeenAt: NUMBER })),
  checkpoint: CHECKPOINT,
  index: ANYTHING,
});
