import papaparse from "papaparse";
import type { RESTATEMENT_COLUMNS } from "../../pack/build/restatements.ts";
import type { PackChange } from "../ports.ts";

/** So many are listed; restatements.csv has all. */
const MAX_LISTED = 500;

type Row = Partial<Readonly<Record<(typeof RESTATEMENT_COLUMNS)[number]["name"], string>>>;

/** Rows of the second restatements.csv that the first has not, oldest first: what the service said otherwise between the two packs. */
export function addedRestatements(before: string, after: string): PackChange[] {
  const left = new Map<string, number>();
  for (const row of rowsOf(before)) {
    left.set(identityOf(row), (left.get(identityOf(row)) ?? 0) + 1);
  }
  const added = rowsOf(after).filter((row) => {
    const count = left.get(identityOf(row)) ?? 0;
    left.set(identityOf(row), count - 1);
    return count <= 0;
  });
  const more = added.length - MAX_LISTED;
  const rest =
    more > 0 ? [{ what: "restatements.csv: rows that are not shown here", before: "", after: `${more}` }] : [];
  return [...added.slice(0, MAX_LISTED).map(changeOf), ...rest];
}

function rowsOf(text: string): Row[] {
  return papaparse.parse<Row>(text.replace(/^\uFEFF/, ""), { header: true, delimiter: ",", skipEmptyLines: true }).data;
}

function identityOf(row: Row): string {
  return JSON.stringify(Object.values(row));
}

function changeOf(row: Row): PackChange {
  const { kind = "", match_id: match = "", order_id: order = "", market = "", seen_at: seenAt = "", column = "" } = row;
  const fill = `fill ${match} of order ${order}${market === "" ? "" : `, ${market}`}, seen ${seenAt}`;
  return kind === "late"
    ? { what: `late: ${fill}`, before: "", after: row.trade_time_after ?? "" }
    : { what: `${kind}: ${column} of ${fill}`, before: row.before ?? "", after: row.after ?? "" };
}
