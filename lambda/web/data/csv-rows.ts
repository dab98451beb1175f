import papaparse from "papaparse";
import { readAmount, totalOf, ZERO } from "../../core/amount.ts";

/** A row of a pack's CSV file. Columns that the file lacks are absent. */
export type Row<Column extends string> = Partial<Readonly<Record<Column, string>>>;

export function rowsOf<Column extends string>(text: string): Row<Column>[] {
  const options = { header: true, delimiter: ",", skipEmptyLines: true } as const;
  return papaparse.parse<Row<Column>>(text.replace(/^\uFEFF/, ""), options).data;
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
