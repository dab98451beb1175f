import { FillbookError } from "../../core/errors.ts";
import { CSV_NEWLINE, csvHeader } from "../../formats/csv.ts";
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
  description: "Account to which the row belongs.",
  required: true,
};

/** The group has its own versions of these files. */
const OWN = ["fills.csv", "summary-months.csv", "balance.csv"];
/** A file with one row for each currency becomes one with a row for each account here. */
const RENAMED: Readonly<Record<string, string>> = { "summary.csv": "summary-accounts.csv" };

/**
 * Writes each table in the top folder of the accounts' packs once, with the rows of all accounts below one
 * another.
 */
export async function writeTables(files: PackFiles, store: Store, packs: readonly AccountPack[]): Promise<Described[]> {
  const made: Described[] = [];
  for (const { facts } of packs[0]?.figures.files ?? []) {
    if (facts.mediatype === "text/csv" && facts.columns !== undefined && isJoined(facts.path)) {
      made.push(await writeTable(files, store, packs, facts));
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
  facts: FileFacts,
): Promise<Described> {
  const { path, description, keys = [] } = facts;
  const tables = packs.map(({ account, dir, figures }) => {
    const own = figures.files.find((one) => one.facts.path === path);
    if (own?.facts.columns === undefined) {
      throw missingTable(`${store.location}/${dir}`, path);
    }
    return { account, dir, file: own.file, columns: own.facts.columns };
  });
  const columns = columnsOfAll(tables.map((one) => one.columns));
  const names = columns.some(({ name }) => name === ACCOUNT_COLUMN.name);
  const joined = {
    ...facts,
    path: RENAMED[path] ?? path,
    description: `${description} This file has the rows of all accounts, one account after another. The pack of each account has its own ${path}.`,
    columns: names ? columns : [ACCOUNT_COLUMN, ...columns],
    ...(keys.length === 0 ? {} : { keys: [...new Set([ACCOUNT_COLUMN.name, ...keys])] }),
  };
  const file = await files.open(joined.path);
  await file.write(csvHeader(joined.columns.map(({ name }) => name)));
  let rows = 0;
  for (const { account, dir, file: own, columns: ownColumns } of tables) {
    const stream = await store.openStream(`${dir}/${own.path}`);
    if (stream === null) {
      throw missingTable(`${store.location}/${dir}`, path);
    }
    rows += own.rows ?? 0;
    for await (const text of joinable(stream, {
      first: names ? null : account,
      places: placesOf(columns, ownColumns),
    })) {
      await file.write(text);
    }
  }
  return { file: await file.finish(rows), facts: joined };
}

function missingTable(dir: string, path: string): FillbookError {
  return new FillbookError("untrusted", `${dir} has no ${path}`, { hint: "export again" });
}

/**
 * The columns of tables that may lack a few columns, for example because one account has prices or funding
 * and another has not. The order of each table is kept. A column that some table lacks is not required.
 */
export function columnsOfAll(tables: readonly (readonly Column[])[]): readonly Column[] {
  const all: Column[] = [];
  for (const columns of tables) {
    let at = 0;
    for (const column of columns) {
      const known = all.findIndex(({ name }) => name === column.name);
      if (known === -1) {
        all.splice(at, 0, column);
      }
      at = (known === -1 ? at : known) + 1;
    }
  }
  const isInAll = ({ name }: Column) => tables.every((columns) => columns.some((one) => one.name === name));
  return all.map((column) => (isInAll(column) ? column : { ...column, required: false }));
}

/**
 * The place of each column in a table; -1: the table lacks it. Null: the table has exactly these columns in
 * this order.
 */
function placesOf(columns: readonly Column[], own: readonly Column[]): readonly number[] | null {
  const places = columns.map(({ name }) => own.findIndex((one) => one.name === name));
  return own.length === columns.length && places.every((place, at) => place === at) ? null : places;
}

interface Joining {
  /** A cell before the others, the same in all rows. Null: none is added. */
  readonly first: string | null;
  /** See placesOf. */
  readonly places: readonly number[] | null;
}

/** Prepares the rows of a CSV file (RFC 4180, UTF-8, with a header) to stand below those of another. */
export async function* joinable(stream: AsyncIterable<Uint8Array>, joining: Joining): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const table = new JoinedTable(joining);
  for await (const chunk of stream) {
    yield table.add(decoder.decode(chunk, { stream: true }));
  }
}

/** Lines with their ends. The last one in a piece of a file may be partial. */
const LINES = /[^\n]*\n|[^\n]+$/g;
/** The cells of a record, with their quotes. */
const CELLS = /(?:"[^"]*"|[^",])+|(?<=^|,)(?=,|$)/g;

/** Reads a table as its text goes by. A line break within quotes does not end a record. */
class JoinedTable {
  readonly #joining: Joining;
  #isHeader = true;
  #isQuoted = false;
  /** The beginning of a record that has not ended. */
  #record = "";

  constructor(joining: Joining) {
    this.#joining = joining;
  }

  add(piece: string): string {
    return (piece.match(LINES) ?? []).map((line) => this.#joined(line)).join("");
  }

  #joined(line: string): string {
    this.#record += line;
    this.#isQuoted = this.#isQuoted !== hasOddQuotes(line);
    if (this.#isQuoted || !line.endsWith("\n")) {
      return "";
    }
    const record = this.#record;
    const isHeader = this.#isHeader;
    this.#record = "";
    this.#isHeader = false;
    return isHeader ? "" : this.#placed(record);
  }

  #placed(record: string): string {
    const { first, places } = this.#joining;
    const before = first === null ? "" : `${first},`;
    if (places === null) {
      return before + record;
    }
    const cells = record.slice(0, -CSV_NEWLINE.length).match(CELLS) ?? [];
    return before + places.map((place) => cells[place] ?? "").join(",") + CSV_NEWLINE;
  }
}

function hasOddQuotes(line: string): boolean {
  return line.split('"').length % 2 === 0;
}
