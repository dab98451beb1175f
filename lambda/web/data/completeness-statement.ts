import { isoTime, type TimeRange } from "../../core/time.ts";
import { COMPLETENESS_FORMAT } from "../../pack/catalogue/completeness.ts";
import { fieldsIn, fieldsOf } from "../json.ts";
import type { PackDetails } from "../packs.ts";

/** completeness.json as a pack's details have it. Null when the text is not what this fillbook writes for this account and period. */
export function parseCompleteness(
  text: string,
  account: string,
  period: string,
): Pick<PackDetails, "claim" | "document"> | null {
  const document = fieldsIn(text);
  const { zone, method, basis } = document;
  const range = rangeOf(document);
  const currency = fieldsOf(document["accounts"])["report_currency"] ?? null;
  const totals = fieldsOf(document["totals"]);
  const { fills, exceptions } = totals;
  const { late, changed, enriched } = fieldsOf(totals["restatements"]);
  const gaps = Array.isArray(document["gaps"]) ? document["gaps"].map(rangeOf) : [null];
  if (
    document["format"] !== COMPLETENESS_FORMAT ||
    document["account"] !== account ||
    document["period"] !== period ||
    range === null ||
    !isText(zone) ||
    !isText(method) ||
    !isText(basis) ||
    !(currency === null || isText(currency)) ||
    !isCount(fills) ||
    !isCount(exceptions) ||
    !isCount(late) ||
    !isCount(changed) ||
    !isCount(enriched) ||
    !gaps.every((gap) => gap !== null)
  ) {
    return null;
  }
  const made = { zone, method, basis, currency };
  const counts = { fills, exceptions, restatements: { late, changed, enriched } };
  return { claim: { ...rangeText(range), ...made, ...counts, gaps: gaps.map(rangeText) }, document };
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
