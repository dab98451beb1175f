import { fc, test as prop } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import type { Cell } from "../../lambda/inputs/cells.ts";
import { inputTable, rowsOf as rowsOfTable } from "../../lambda/inputs/table.ts";
import { LOOKALIKES } from "../formats/hostile-texts.ts";
import { refusal } from "../support/refusal.ts";
import { fileOf } from "./make.ts";

const COLUMNS = ["a", "b", "c"] as const;
const raw = ({ text }: Cell) => text;
const TABLE = inputTable({ name: "x.csv", about: "", columns: { a: raw, b: raw, c: raw } });

function rowsOf(content: string | Uint8Array) {
  return rowsOfTable(TABLE, fileOf("x.csv", content), "UTC");
}

const cell = fc.oneof(
  fc.constantFrom(...LOOKALIKES, "", "x", "1.5"),
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\0]/g, "")),
);
/** A row with content. A row of only white space would count as a blank line. */
const record = fc.tuple(cell, cell, cell).filter((cells) => cells.some((text) => text.trim() !== ""));

/** RFC 4180, section 2: quotes are required for some cells, and optional for all others. */
function quoted(text: string, always: boolean): string {
  return always || /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

describe("a table", () => {
  prop.prop([
    fc.array(fc.tuple(record, fc.boolean(), fc.nat(2)), { maxLength: 12 }),
    fc.shuffledSubarray([...COLUMNS], { minLength: 3 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
    fc.boolean(),
  ])("is read by RFC 4180, for any order of columns and any line ends", (records, order, newline, mark, ends) => {
    const lines: string[] = [order.join(",")];
    const expected: unknown[] = [];
    for (const [cells, always, blanks] of records) {
      lines.push(...Array.from({ length: blanks }, (_, at) => (at === 0 ? "" : " ,, ")));
      const line = lines.join("\n").split("\n").length + 1;
      lines.push(cells.map((text) => quoted(text, always)).join(","));
      const named = Object.fromEntries(order.map((column, at) => [column, cells[at]]));
      expected.push({ ...named, line, where: `x.csv, line ${line}` });
    }
    const text = (mark ? "\uFEFF" : "") + lines.join("\n") + (ends ? "\n" : "");
    expect(rowsOf(text.replaceAll("\n", newline))).toEqual(expected);
  });

  test("with a megabyte in one cell is read, and the message shortens it", () => {
    const long = "x".repeat(1_000_000);
    expect(rowsOf(`a,b,c\n1,"${long}",3`)[0]?.b).toHaveLength(1_000_000);
    expect(refusal(() => rowsOf(`a,b,${long}\n`)).message).toBe(
      `x.csv, line 1: there is no column "${"x".repeat(80)}"…`,
    );
  });

  test("with 200,000 rows gives each row its line number", () => {
    const rows = rowsOf(`a,b,c\n${"1,2,3\n".repeat(200_000)}`);
    expect([rows.length, rows.at(-1)?.line]).toEqual([200_000, 200_001]);
  });

  const header = "the first line must be a,b,c (in any order)";
  const encoding = "save it again as UTF-8; spreadsheets call this format “CSV UTF-8”";
  const quotes =
    'close a quoted cell with a quote before the comma, and double each quote inside it: "so ""called"" name"';
  const commas = "put text that contains a comma in quotes; write numbers without commas";
  test.each<[string | Uint8Array, string, string]>([
    ["", "x.csv is empty", header],
    ["a,b\n", "x.csv, line 1: the header has no c", header],
    ["\n\na,b,c,d\n", 'x.csv, line 3: there is no column "d"', header],
    ["a,B,c\n", 'x.csv, line 1: there is no column "B"', header],
    ["a,b,a\n", "x.csv, line 1: the column a appears twice", header],
    ["a\rb\rc\r1", 'x.csv, line 1: there is no column "a\\rb\\rc\\r1"', header],
    ["a;b;c\n1,5;2;3\n", 'x.csv, line 1: there is no column "a;b;c"', header],
    ["a,b,c\n1,2\n", "x.csv, line 2: the line has 2 cells, but the header has 3", commas],
    ['a,b,c\n"1\n2",2,3\n1,2\n', "x.csv, line 4: the line has 2 cells, but the header has 3", commas],
    ['a,b,c\n1,"2,3\n4,5,6\n', "x.csv, line 2: a quote is not closed, or text follows a closing quote", quotes],
    ['a,b,c\n1,"2"3,4\n', "x.csv, line 2: a quote is not closed, or text follows a closing quote", quotes],
    ["a,b,c\n1,\0,3\n", "x.csv is not text in UTF-8", encoding],
    [Buffer.from("a,b,c\n1,£,3\n", "latin1"), "x.csv is not text in UTF-8", encoding],
    [Buffer.from("\uFEFFa,b,c\n", "utf16le"), "x.csv is not text in UTF-8", encoding],
  ])("%j is refused", (content, message, hint) => {
    expect(refusal(() => rowsOf(content))).toMatchObject({ kind: "usage", message, hint });
  });
});
