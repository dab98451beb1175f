import { readAmount } from "../../core/amount.ts";
import { compareText } from "../../core/text.ts";
import type { PackChange } from "../packs.ts";
import { addedUp, type Row, rowsOf } from "./csv-rows.ts";

/** The files of a pack that hold its sums. */
export interface SummaryTexts {
  /** summary.csv */
  readonly totals: string;
  /** summary-months.csv; null if the pack has none. */
  readonly months: string | null;
}

/** The columns of the summary files that are compared, in display order. */
const SUM_FIGURES = [
  "realised_pnl_net_of_fees_excl_funding",
  "gross_pnl",
  "fees_recognised",
  "fees_paid",
  "rebates",
  "funding",
] as const;

const WITH_FUNDING = "realised_pnl_net_incl_funding";

/**
 * Besides the columns: net realised PnL as each pack's page begins with it, where at least one of them
 * includes funding.
 */
export type SumFigure =
  | (typeof SUM_FIGURES)[number]
  | "net_incl_funding"
  | "net_with_funding_added"
  | "net_with_funding_dropped";

/**
 * One sum of the two summary files, by each pack's chosen method. Exact decimals, copied from the files;
 * empty if not known.
 */
export interface SumChange {
  readonly currency: string;
  /** Null: the sum is of the whole currency. */
  readonly month: string | null;
  readonly figure: SumFigure;
  readonly before: string;
  readonly after: string;
  /** Exact; null if one side is not known. */
  readonly difference: string | null;
}

type SumRow = Row<"currency" | "month" | "fills" | typeof WITH_FUNDING | (typeof SUM_FIGURES)[number]>;

/**
 * Compares the summary files of two packs, each by its pack's chosen method: all sums of currencies first,
 * then the sums of months that differ. Sums that neither pack knows are left out. The currency with the most
 * fills comes first, as in the report.
 */
export function sumChanges(before: SummaryTexts, after: SummaryTexts): SumChange[] {
  const [was, is] = [sumsIn(before), sumsIn(after)];
  const fillsOf = (name: string) => Number((is.get(name) ?? was.get(name))?.fills ?? 0) || 0;
  const names = [...new Set([...was.keys(), ...is.keys()])].sort(
    (a, b) => fillsOf(b) - fillsOf(a) || compareText(a, b),
  );
  return names
    .flatMap((name) => changesOf(was.get(name) ?? {}, is.get(name) ?? {}))
    .filter((sum) => (sum.month === null ? sum.before !== "" || sum.after !== "" : sum.before !== sum.after))
    .toSorted((a, b) => Number(a.month !== null) - Number(b.month !== null));
}

function sumsIn({ totals, months }: SummaryTexts): ReadonlyMap<string, SumRow> {
  const rows = [totals, months ?? ""].flatMap((text) => addedUp(rowsOf<keyof SumRow>(text), ["currency", "month"]));
  return new Map(rows.map((row) => [JSON.stringify([row.currency, row.month ?? ""]), row]));
}

function changesOf(was: SumRow, is: SumRow): SumChange[] {
  const month = (was.month ?? is.month) || null;
  const currency = was.currency ?? is.currency ?? "";
  const change = (figure: SumFigure, before: string, after: string): SumChange => ({
    currency,
    month,
    figure,
    before,
    after,
    difference: differenceOf(before, after),
  });
  const columns = SUM_FIGURES.map((figure) => change(figure, was[figure] ?? "", is[figure] ?? ""));
  const net = month === null ? netName(was, is) : null;
  return net === null ? columns : [change(net, netOf(was), netOf(is)), ...columns];
}

/** Null: no pack of the two includes funding. */
function netName(was: SumRow, is: SumRow): SumFigure | null {
  const [before, after] = [was[WITH_FUNDING] ?? "", is[WITH_FUNDING] ?? ""];
  if (before === "" && after === "") {
    return null;
  }
  if (before === "" && netOf(was) !== "") {
    return "net_with_funding_added";
  }
  return after === "" && netOf(is) !== "" ? "net_with_funding_dropped" : "net_incl_funding";
}

/** As the pack's page begins with it. */
function netOf(row: SumRow): string {
  return row[WITH_FUNDING] || (row.realised_pnl_net_of_fees_excl_funding ?? "");
}

/** `after − before`, exact; null if one of them is empty or not an amount. */
function differenceOf(before: string, after: string): string | null {
  const [was, is] = [readAmount(before), readAmount(after)];
  return was === null || is === null ? null : String(is.minus(was));
}

/** At most this many are listed; restatements.csv has all. */
const MAX_LISTED = 500;

type RestatementRow = Row<
  "kind" | "match_id" | "order_id" | "market" | "seen_at" | "trade_time_after" | "column" | "before" | "after"
>;

/**
 * The rows that only the second restatements.csv has, oldest first: what the service changed between the two
 * packs.
 */
export function addedRestatements(before: string, after: string): PackChange[] {
  const identityOf = (row: RestatementRow) => JSON.stringify(Object.values(row));
  const had = Map.groupBy(rowsOf<keyof RestatementRow>(before), identityOf);
  const added = rowsOf<keyof RestatementRow>(after).filter((row) => had.get(identityOf(row))?.pop() === undefined);
  const more = added.length - MAX_LISTED;
  const rest = more > 0 ? [{ what: "restatements.csv: further rows", before: "", after: `${more}` }] : [];
  return [...added.slice(0, MAX_LISTED).map(changeOf), ...rest];
}

function changeOf(row: RestatementRow): PackChange {
  const { kind = "", match_id: match = "", order_id: order = "", market = "", seen_at: seenAt = "", column = "" } = row;
  const fill = `fill ${match} of order ${order}${market === "" ? "" : `, ${market}`}, seen ${seenAt}`;
  return kind === "late"
    ? { what: `late: ${fill}`, before: "", after: row.trade_time_after ?? "" }
    : { what: `${kind}: ${column} of ${fill}`, before: row.before ?? "", after: row.after ?? "" };
}
