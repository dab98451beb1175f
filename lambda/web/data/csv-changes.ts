import { formatAmount, parseAmount } from "../../accounting/amount.ts";
import { compareText } from "../../core/text.ts";
import type { RESTATEMENT_COLUMNS } from "../../pack/build/restatements.ts";
import type { PackChange } from "../packs.ts";
import { type Row, rowsOf } from "./csv-rows.ts";

/** The files of a pack that have its sums. */
export interface SummaryTexts {
  /** summary.csv: of packs before fillbook-pack/11 it has those of markets too, and each for two methods. */
  readonly totals: string;
  /** summary-markets.csv; null: the pack has none. */
  readonly markets: string | null;
}

/** Columns of the summary files that are compared, in the order in which they are shown. */
const SUM_FIGURES = [
  "realised_pnl_net_of_fees_excl_funding",
  "gross_pnl",
  "fees_recognised",
  "fees_paid",
  "rebates",
  "funding",
] as const;

export type SumFigure = (typeof SUM_FIGURES)[number];

/** A sum of a summary file, by the method that each pack was asked for. Exact decimals, as they stand there; empty: not known. */
export interface SumChange {
  readonly currency: string;
  /** Null: of the whole currency. */
  readonly market: string | null;
  readonly figure: SumFigure;
  readonly before: string;
  readonly after: string;
  /** Exact; null: cannot be told. */
  readonly difference: string | null;
}

type SumRow = Row<"scope" | "currency" | "market" | "chosen" | SumFigure>;

/**
 * What the summary files of two packs say of each currency, and of each market what differs, as the method says that each pack was asked for. Currencies
 * first; sums that neither knows are left out.
 */
export function sumChanges(before: SummaryTexts, after: SummaryTexts): SumChange[] {
  const [was, is] = [sumsIn(before), sumsIn(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])].sort(compareText);
  return names
    .flatMap((name) => changesOf(was.get(name) ?? {}, is.get(name) ?? {}))
    .filter((sum) => (sum.market === null ? sum.before !== "" || sum.after !== "" : sum.before !== sum.after))
    .toSorted((a, b) => Number(a.market !== null) - Number(b.market !== null));
}

function sumsIn({ totals, markets }: SummaryTexts): ReadonlyMap<string, SumRow> {
  const rows = [totals, markets ?? ""].flatMap((text) => rowsOf<keyof SumRow>(text)).filter(isCompared);
  return new Map(rows.map((row) => [JSON.stringify([row.currency, row.market ?? ""]), row]));
}

/** Rows of packs before fillbook-pack/11 have a scope, and stand there for each method. */
function isCompared({ scope, chosen }: SumRow): boolean {
  return scope === undefined || ((scope === "total" || scope === "market") && chosen === "yes");
}

function changesOf(was: SumRow, is: SumRow): SumChange[] {
  const market = (was.market ?? is.market) || null;
  const currency = was.currency ?? is.currency ?? "";
  return SUM_FIGURES.map((figure) => {
    const [before, after] = [was[figure] ?? "", is[figure] ?? ""];
    return { currency, market, figure, before, after, difference: differenceOf(before, after) };
  });
}

/** `after − before`, exact; null: one of them is not known, or no amount. */
function differenceOf(before: string, after: string): string | null {
  const [was, is] = [parseAmount(before), parseAmount(after)];
  return was === null || is === null ? null : formatAmount(is - was);
}

/** So many are listed; restatements.csv has all. */
const MAX_LISTED = 500;

type RestatementRow = Row<(typeof RESTATEMENT_COLUMNS)[number]["name"]>;

/** Rows of the second restatements.csv that the first has not, oldest first: what the service said otherwise between the two packs. */
export function addedRestatements(before: string, after: string): PackChange[] {
  const identityOf = (row: RestatementRow) => JSON.stringify(Object.values(row));
  const had = Map.groupBy(rowsOf<keyof RestatementRow>(before), identityOf);
  const added = rowsOf<keyof RestatementRow>(after).filter((row) => had.get(identityOf(row))?.pop() === undefined);
  const more = added.length - MAX_LISTED;
  const rest =
    more > 0 ? [{ what: "restatements.csv: rows that are not shown here", before: "", after: `${more}` }] : [];
  return [...added.slice(0, MAX_LISTED).map(changeOf), ...rest];
}

function changeOf(row: RestatementRow): PackChange {
  const { kind = "", match_id: match = "", order_id: order = "", market = "", seen_at: seenAt = "", column = "" } = row;
  const fill = `fill ${match} of order ${order}${market === "" ? "" : `, ${market}`}, seen ${seenAt}`;
  return kind === "late"
    ? { what: `late: ${fill}`, before: "", after: row.trade_time_after ?? "" }
    : { what: `${kind}: ${column} of ${fill}`, before: row.before ?? "", after: row.after ?? "" };
}
