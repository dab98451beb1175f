import papaparse from "papaparse";

/** Reads what our own writer wrote: records end with CRLF. It throws if the text does not follow the grammar. */
export function readCsv(text: string): string[][] {
  // It takes one byte order mark away.
  const { data, errors } = papaparse.parse<string[]>(`\uFEFF${text}`, { delimiter: ",", newline: "\r\n" });
  const isEnded = text === "" || text.endsWith("\r\n");
  if (errors.length > 0 || !isEnded) {
    throw new Error(`not RFC 4180: ${JSON.stringify(isEnded ? errors : text.slice(-20))}`);
  }
  return data.slice(0, -1);
}

/** The rows after the header, as objects; without the byte order mark that spreadsheets need. */
export function recordsOf(text: string): Record<string, string>[] {
  const [names = [], ...rows] = readCsv(text.replace(/^\uFEFF/, ""));
  return rows.map((row) => {
    if (row.length !== names.length) {
      throw new Error(`a record of ${row.length} fields under ${names.length} names`);
    }
    return Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""]));
  });
}
