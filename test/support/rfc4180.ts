/**
 * Reads RFC 4180's grammar character by character: records of fields, CRLF after each record, quotes doubled
 * within quotes. It throws if the text does not follow the grammar. It was written for tests, without the
 * writer's library.
 */
export function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const record: string[] = [];
    for (let more = true; more; ) {
      const field = text[at] === '"' ? quoted(text, at) : bare(text, at);
      record.push(field.value);
      at = field.end;
      more = text[at] === ",";
      at += more ? 1 : 0;
    }
    if (text.slice(at, at + 2) !== "\r\n") {
      throw new Error(`no CRLF after record ${records.length} at ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
    }
    at += 2;
    records.push(record);
  }
  return records;
}

/** The rows after the header, as objects; without the byte order mark that spreadsheets need. */
export function recordsOf(text: string): Record<string, string>[] {
  const [names = [], ...rows] = readCsv(text.replace(/^\uFEFF/, ""));
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? ""])));
}

interface Field {
  readonly value: string;
  readonly end: number;
}

function quoted(text: string, start: number): Field {
  let value = "";
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] !== '"') {
      value += text[at];
    } else if (text[at + 1] === '"') {
      value += '"';
      at += 1;
    } else {
      return { value, end: at + 1 };
    }
  }
  throw new Error(`a quote at ${start} does not end`);
}

function bare(text: string, start: number): Field {
  const end = start + text.slice(start).search(/[,\r\n"]|$/);
  if (text[end] === '"') {
    throw new Error(`a quote within the bare field at ${start}`);
  }
  return { value: text.slice(start, end), end };
}
