import { spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SAVED_QUERIES, sqlOf, viewsOf } from "../../../infra/table/queries.ts";
import { installPython } from "../../support/python-tool.ts";
import { ACCOUNTS, type Book, makeBook } from "../book.ts";

// A second opinion on what the SQL means in Athena: sqlglot parses it as Athena's dialect and writes it in
// DuckDB's.

let book: Book;
beforeAll(async () => {
  book = await makeBook();
});
afterAll(() => book.athena.close());

const VIEWS = viewsOf(ACCOUNTS);
const OURS: ReadonlyMap<string, string> = new Map([
  ...VIEWS.map(({ name, sql }) => [name, sql] as const),
  ...SAVED_QUERIES.map(({ name, file }) => [name, sqlOf(file)] as const),
]);

/** Each query of OURS in DuckDB's dialect. */
async function translated(python: string): Promise<ReadonlyMap<string, string>> {
  const child = spawn(python, [join(import.meta.dirname, "translate.py")]);
  child.stdin.end(JSON.stringify([...OURS.values()]));
  const [out, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const statements: string[][] = out === "" ? expect.fail(problems) : JSON.parse(out);
  expect(statements.map(({ length }) => length)).toEqual([...OURS].map(() => 1));
  return new Map([...OURS.keys()].map((name, at) => [name, statements[at]?.[0] ?? ""]));
}

/** The rows of each view and saved query. */
async function answers(queries: ReadonlyMap<string, string>): Promise<Record<string, readonly unknown[]>> {
  const rows: Record<string, readonly unknown[]> = {};
  for (const { name } of VIEWS) {
    rows[name] = await book.athena.query(`SELECT * FROM ${name} ORDER BY ALL`);
  }
  for (const { name } of SAVED_QUERIES) {
    rows[name] = await book.athena.query(queries.get(name) ?? "");
  }
  return rows;
}

test("the translated SQL gives the same rows", async ({ skip }) => {
  const installed = await installPython(join(import.meta.dirname, "requirements.txt"));
  if ("missing" in installed) {
    return skip(`sqlglot could not be asked: ${installed.missing}`);
  }
  const ours = await answers(OURS);
  const theirs = await translated(installed.python);
  await book.athena.query("DROP MACRO json_extract_scalar");
  for (const { name } of VIEWS) {
    await book.athena.query(`CREATE OR REPLACE VIEW ${name} AS ${theirs.get(name)}`);
  }
  expect(await answers(theirs)).toEqual(ours);
  expect(ours["fills_current"]?.length).toBeGreaterThan(2000);
});
