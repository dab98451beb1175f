import { FillbookError } from "../../core/errors.ts";
import type { Store } from "../../storage/store.ts";
import type { PackFigures } from "../build/figures.ts";
import type { Column, FileFacts } from "../build/maker.ts";
import type { PackFiles } from "../build/pack-files.ts";
import type { Described } from "../catalogue/datapackage.ts";

/** The pack of one account, as it was written. */
export interface AccountPack {
  readonly account: string;
  readonly dir: string;
  readonly figures: PackFigures;
}

const ACCOUNT_COLUMN: Column = {
  name: "account",
  kind: "text",
  description: "Whose row it is.",
  required: true,
};

/** Of these the group has files of its own. */
const OWN = ["fills.csv", "summary-months.csv", "balance.csv"];
/** What holds one row a currency is a row of each account here. */
const RENAMED: Readonly<Record<string, string>> = { "summary.csv": "summary-accounts.csv" };

/** Writes each table that all the accounts' packs have in their top folder once, the rows of one account below those of another. */
export async function writeTables(files: PackFiles, store: Store, packs: readonly AccountPack[]): Promise<Described[]> {
  const made: Described[] = [];
  for (const { facts } of packs[0]?.figures.files ?? []) {
    if (facts.mediatype === "text/csv" && facts.columns !== undefined && isJoined(facts.path)) {
      made.push(await writeTable(files, store, packs, { ...facts, columns: facts.columns }));
    }
  }
  return made;
}

function isJoined(path: string): boolean {
  return !(path.includes("/") || OWN.includes(path));
}

async function writeTable(
  files: PackFiles,
  store: Store,
  packs: readonly AccountPack[],
  facts: FileFacts & { readonly columns: readonly Column[] },
): Promise<Described> {
  const { path, description, columns, keys = [] } = facts;
  const names = columns.some(({ name }) => name === ACCOUNT_COLUMN.name);
  const joined = {
    ...facts,
    path: RENAMED[path] ?? path,
    description: `${description} The rows of each account, one account below another; each account's own pack has its file ${path}.`,
    columns: names ? columns : [ACCOUNT_COLUMN, ...columns],
    ...(keys.length === 0 ? {} : { keys: [...new Set([ACCOUNT_COLUMN.name, ...keys])] }),
  };
  const file = await files.open(joined.path);
  let rows = 0;
  for (const [at, { account, dir, figures }] of packs.entries()) {
    const own = figures.files.find((one) => one.facts.path === path)?.file;
    const stream = own === undefined ? null : await store.openStream(`${dir}/${own.path}`);
    if (own === undefined || stream === null) {
      throw new FillbookError("untrusted", `${store.location}/${dir} has no ${path}`, { hint: "export again" });
    }
    rows += own.rows ?? 0;
    const added = names ? null : { name: ACCOUNT_COLUMN.name, value: account };
    for await (const text of joinable(stream, { added, hasHeader: at === 0 })) {
      await file.write(text);
    }
  }
  return { file: await file.finish(rows), facts: joined };
}

interface Joining {
  /** A column before the others, the same in all rows; null: none is added. */
  readonly added: { readonly name: string; readonly value: string } | null;
  /** False: the table's header is left out, and it begins with its first row. */
  readonly hasHeader: boolean;
}

const BOM = "\uFEFF";

/** The text of a CSV file (RFC 4180, UTF-8 with a byte order mark) as it goes below another. */
export async function* joinable(stream: AsyncIterable<Uint8Array>, joining: Joining): AsyncGenerator<string> {
  const decoder = new TextDecoder(); // takes the byte order mark away
  const table = new JoinedTable(joining);
  for await (const chunk of stream) {
    yield table.add(decoder.decode(chunk, { stream: true }));
  }
}

/** With their ends; what a piece of a file ends with may be a part of one. */
const LINES = /[^\n]*\n|[^\n]+$/g;

/** A table while its text goes by; line breaks within quotes end no record. */
class JoinedTable {
  readonly #joining: Joining;
  #records = 0;
  #isAtBegin = true;
  #isQuoted = false;

  constructor(joining: Joining) {
    this.#joining = joining;
  }

  add(piece: string): string {
    return (piece.match(LINES) ?? []).map((line) => this.#joined(line)).join("");
  }

  #joined(line: string): string {
    const isBegin = this.#isAtBegin;
    this.#records += isBegin ? 1 : 0;
    this.#isQuoted = this.#isQuoted !== hasOddQuotes(line);
    this.#isAtBegin = line.endsWith("\n") && !this.#isQuoted;
    const isHeader = this.#records === 1;
    if (isHeader && !this.#joining.hasHeader) {
      return "";
    }
    return isBegin ? this.#beginOf(isHeader) + line : line;
  }

  #beginOf(isHeader: boolean): string {
    const { added } = this.#joining;
    const cell = added === null ? "" : `${isHeader ? added.name : added.value},`;
    return isHeader ? BOM + cell : cell;
  }
}

function hasOddQuotes(line: string): boolean {
  return line.split('"').length % 2 === 0;
}
