import type { FigureKey } from "../../accounting/cube/figures.ts";
import { readAmount } from "../../core/amount.ts";
import { compareText } from "../../core/text.ts";
import { INCOMPLETE_MARK } from "../../pack/make/maker.ts";
import type { AccountStores, PackDetails, PackFileEntry } from "../packs.ts";
import { fileNamed, isReadable, readPackText } from "./catalogue.ts";
import { addedUp, type Row, rowsOf } from "./csv-rows.ts";

/** What differs between two versions of one period. */
export interface PackComparison {
  /** The sums of each currency; null if a version has no summary.csv, or one that is too large to be read here. */
  readonly sums: readonly SumChange[] | null;
  /** Late and changed fills that only the second version knows; null as above. */
  readonly fills: readonly PackChange[] | null;
  /** All files of both versions, sorted. */
  readonly files: readonly FileChange[];
}

/** A difference between two versions. A side that has nothing is empty. */
export interface PackChange {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

export interface FileChange {
  /** Without the prefix of an incomplete pack. */
  readonly path: string;
  readonly state: "same" | "differs" | "only before" | "only after";
}

/** The columns of summary.csv that are compared, in display order. */
const COMPARED = [
  "realised_pnl_net_incl_funding",
  "realised_pnl_net_of_fees_excl_funding",
  "gross_pnl",
  "fees_recognised",
  "fees_paid",
  "rebates",
  "funding",
] as const satisfies readonly FigureKey[];

/** A sum, by each pack's chosen method. Exact decimals, copied from the files; empty if not known. */
export interface SumChange {
  readonly currency: string;
  readonly figure: (typeof COMPARED)[number];
  readonly before: string;
  readonly after: string;
  /** Exact; null if one side is not known. */
  readonly difference: string | null;
}

export async function comparePacks(
  stores: AccountStores,
  before: PackDetails,
  after: PackDetails,
): Promise<PackComparison> {
  const both = async (name: string): Promise<[string, string] | null> => {
    const files = [before, after].map((pack) => fileNamed(pack, name));
    return files.every((file) => file !== undefined && isReadable(file))
      ? await Promise.all([readPackText(stores, before, name), readPackText(stores, after, name)])
      : null;
  };
  const [sums, restatements] = await Promise.all([both("summary.csv"), both("restatements.csv")]);
  return {
    sums: sums && sumChanges(...sums),
    fills: restatements && addedRestatements(...restatements),
    files: fileChanges(before.files, after.files),
  };
}

type SumRow = Row<"currency" | "fills" | (typeof COMPARED)[number]>;

/**
 * Compares two summary.csv. Sums that neither pack knows are left out. The currency with the most fills comes first,
 * as in the report.
 */
export function sumChanges(before: string, after: string): SumChange[] {
  const sumsIn = (text: string): ReadonlyMap<string, SumRow> =>
    new Map(addedUp(rowsOf<keyof SumRow>(text), ["currency"]).map((row) => [row.currency ?? "", row]));
  const [was, is] = [sumsIn(before), sumsIn(after)];
  const fillsOf = (name: string) => Number((is.get(name) ?? was.get(name))?.fills ?? 0) || 0;
  return [...new Set([...was.keys(), ...is.keys()])]
    .sort((a, b) => fillsOf(b) - fillsOf(a) || compareText(a, b))
    .flatMap((currency) =>
      COMPARED.map((figure): SumChange => {
        const [old = "", now = ""] = [was.get(currency)?.[figure], is.get(currency)?.[figure]];
        return { currency, figure, before: old, after: now, difference: differenceOf(old, now) };
      }),
    )
    .filter((sum) => sum.before !== "" || sum.after !== "");
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

/** The rows that only the second restatements.csv has, oldest first: what the venue changed between the two packs. */
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

function fileChanges(before: readonly PackFileEntry[], after: readonly PackFileEntry[]): FileChange[] {
  const [was, is] = [hashesOf(before), hashesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].sort(compareText).map((path) => {
    const [old, now] = [was.get(path), is.get(path)];
    if (old === now) {
      return { path, state: "same" };
    }
    return { path, state: (old === undefined && "only after") || (now === undefined && "only before") || "differs" };
  });
}

/** By path without the prefix of an incomplete pack. */
function hashesOf(files: readonly PackFileEntry[]): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [[path.replace(INCOMPLETE_MARK, ""), sha256]])),
  );
}
