import { readAmount, totalOf, ZERO } from "../../core/amount.ts";
import { CSV_NEWLINE } from "../../formats/csv.ts";
import { eachRecord } from "../../formats/read-csv.ts";

/** A row of a pack's CSV file. Columns that the file lacks are absent. */
export type Row<Column extends string> = Partial<Readonly<Record<Column, string>>>;

export function rowsOf<Column extends string>(text: string): Row<Column>[] {
  const rows: Row<Column>[] = [];
  let names: readonly string[] | null = null;
  const take = (cells: readonly string[]) => {
    if (names === null) {
      names = cells;
    } else {
      rows.push(Object.fromEntries(names.map((name, at) => [name, cells[at]])) as Row<Column>);
    }
  };
  eachRecord(
    text.replace(/^\uFEFF/, ""),
    ({ cells, isBlank }) => isBlank || take(cells),
    text.includes(CSV_NEWLINE) ? CSV_NEWLINE : "\n",
  );
  return rows;
}

/**
 * One row for all rows that have these columns alike, as those of several accounts. Amounts are added up; one that a
 * row lacks is left out, and one that all lack is empty. What is no amount stays as in the first row.
 */
export function addedUp<Column extends string>(rows: readonly Row<Column>[], by: readonly Column[]): Row<Column>[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(by.map((name) => row[name])));
  return [...groups.values()].map((alike) => {
    const [first = {}] = alike;
    const cells = Object.entries<string | undefined>(first).map(([name, text]) => {
      const amounts = alike.map((row) => readAmount(row[name as Column] ?? "")).filter((amount) => amount !== null);
      const isAdded = alike.length > 1 && !by.includes(name as Column) && amounts.length > 0;
      return [name, isAdded ? String(totalOf(amounts, (amount) => amount ?? ZERO)) : text];
    });
    return Object.fromEntries(cells) as Row<Column>;
  });
}
