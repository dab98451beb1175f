import { isoTime, type TimeRange } from "../../core/time.ts";
import { COMPLETENESS_FORMAT } from "../../pack/catalogue/completeness.ts";
import type { PackStatement } from "../ports.ts";

/** completeness.json, as far as the page rests on it. */
export interface Completeness {
  readonly claim: PackStatement;
  /** All of it, to be compared. */
  readonly document: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Null when the text is not what this fillbook writes for this account and period. */
export function parseCompleteness(text: string, account: string, period: string): Completeness | null {
  const document = objectIn(text);
  if (
    document?.["format"] !== COMPLETENESS_FORMAT ||
    document["account"] !== account ||
    document["period"] !== period
  ) {
    return null;
  }
  const range = rangeOf(document);
  const [zone, method, basis] = ["zone", "method", "basis"].map((name) => document[name]).filter(isText);
  const currency = fieldsOf(document["accounts"])["report_currency"] ?? null;
  const totals = fieldsOf(document["totals"]);
  const restatements = fieldsOf(totals["restatements"]);
  const [fills, exceptions] = [totals["fills"], totals["exceptions"]].filter(isCount);
  const [late, changed, enriched] = ["late", "changed", "enriched"].map((kind) => restatements[kind]).filter(isCount);
  const gaps = Array.isArray(document["gaps"]) ? document["gaps"].map(rangeOf) : [null];
  if (
    range === null ||
    basis === undefined ||
    zone === undefined ||
    method === undefined ||
    !(currency === null || isText(currency)) ||
    fills === undefined ||
    exceptions === undefined ||
    late === undefined ||
    changed === undefined ||
    enriched === undefined ||
    !gaps.every((gap) => gap !== null)
  ) {
    return null;
  }
  const claim = {
    ...rangeText(range),
    zone,
    method,
    basis,
    currency,
    fills,
    exceptions,
    restatements: { late, changed, enriched },
    gaps: gaps.map(rangeText),
  };
  return { claim, document };
}

function objectIn(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Of what is no object, none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** `[from, to)` of two times as fillbook writes them; null: something else. */
export function rangeOf(value: unknown): TimeRange | null {
  const { from, to } = fieldsOf(value);
  const [fromMs, toMs] = [timeOf(from), timeOf(to)];
  return fromMs === null || toMs === null || fromMs >= toMs ? null : { from: fromMs, to: toMs };
}

function timeOf(value: unknown): number | null {
  const ms = isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

function rangeText({ from, to }: TimeRange) {
  return { from: isoTime(from), to: isoTime(to) };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
