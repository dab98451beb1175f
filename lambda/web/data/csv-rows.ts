import papaparse from "papaparse";

/** A row of a pack's CSV file. Columns that the file lacks are absent. */
export type Row<Column extends string> = Partial<Readonly<Record<Column, string>>>;

export function rowsOf<Column extends string>(text: string): Row<Column>[] {
  const options = { header: true, delimiter: ",", skipEmptyLines: true } as const;
  return papaparse.parse<Row<Column>>(text.replace(/^\uFEFF/, ""), options).data;
}
