import fc from "fast-check";
import papaparse from "papaparse";
import { describe, expect, test } from "vitest";
import { csvBatch, csvHeader, isFormula } from "../../lambda/formats/csv.ts";
import { amountText, hostileText } from "../support/arbitrary-fill.ts";
import { readCsv } from "../support/rfc4180.ts";

/**
 * Where a cell begins for a program that uses other separators than ours: OWASP, CSV Injection, "the field
 * separator and quotes".
 */
const INNER = /[;\t\r\n](?=[\s"]*[=+\-@＝＋－＠\0])/g;

function isHostile(cell: string): boolean {
  return isFormula(cell) || cell.search(INNER) !== -1;
}

function harmless(cell: string): string {
  return (isFormula(cell) ? `'${cell}` : cell).replaceAll(INNER, "$&'");
}

describe("CSV", () => {
  test("begins with a byte order mark and ends every record with CRLF", () => {
    expect(csvHeader(["a", "b"])).toBe("\uFEFFa,b\r\n");
    expect(
      csvBatch([
        ["1", null],
        [null, "x"],
      ]).text,
    ).toBe("1,\r\n,x\r\n");
    expect(csvBatch([])).toEqual({ text: "", escaped: 0 });
  });

  test("an independent reader reads every cell back, escaped ones with their apostrophe", () => {
    const cell = fc.option(fc.oneof(hostileText, amountText), { nil: null });
    const table = fc
      .integer({ min: 1, max: 5 })
      .chain((columns) => fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1 }));
    fc.assert(
      fc.property(table, (rows) => {
        const { text, escaped } = csvBatch(rows);
        const expected = rows.map((row) =>
          row.map((one) => (one !== null && isHostile(one) ? harmless(one) : (one ?? ""))),
        );
        expect(readCsv(text)).toEqual(expected);
        expect(escaped).toBe(rows.flat().filter((one) => one !== null && isHostile(one)).length);
      }),
    );
  });

  test("cells that are no formula are written as papaparse writes them", () => {
    const near = fc.string({ unit: fc.constantFrom(..."ab ,\"\r\n\uFEFF'-1.\u00A0é") });
    const cell = fc
      .option(fc.oneof(near, hostileText, amountText), { nil: null })
      .filter((one) => !isHostile(one ?? ""));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }), (rows) => {
        expect(csvBatch(rows).text).toBe(`${papaparse.unparse(rows, { newline: "\r\n" })}\r\n`);
      }),
    );
  });

  // OWASP, CSV Injection: = + - @ TAB CR LF; ASVS 5.0, 1.2.10: NUL too; full-width forms; and each of them
  // after characters that a spreadsheet skips.
  const dangerous = ["=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠"];
  const skipped = ["", "\uFEFF", " ", "\u00A0", "\u3000", "\u2003", " \uFEFF "];

  test.each(dangerous.flatMap((first) => skipped.map((before) => `${before}${first}cmd|' /C calc'!A0`)))(
    "neutralises %j",
    (text) => {
      expect(csvBatch([[text]]).text.replace(/^"/, "")).toMatch(/^'/);
      expect(csvBatch([[text]]).escaped).toBe(1);
    },
  );

  // A spreadsheet with another list separator reads our file so: it does not treat quotes in the middle of a
  // line as quotes.
  const hostileInside = [
    "a;=cmd|' /C calc'!A0;b",
    'a;"=1+1";b',
    'x,"a;""=1+1""',
    "a; \u00A0@SUM(A1)",
    "a\t=1+1",
    "a\r\n=1+1",
    "a\n-1+cmd",
    ";＝1+1",
    ";;+1",
    "a;\n=1",
    "a;\0=1",
    ";-5",
  ];
  const runs = (field: string) => /^[\s"]*[=+\-@＝＋－＠\0]/.test(field);
  const fieldsOf = (text: string, delimiter: string) => papaparse.parse<string[]>(text, { delimiter }).data.flat();

  test("no cell runs under a semicolon or a tab, whatever its neighbours are", () => {
    const sign = fc.constantFrom(..."ab;\t\r\n\",' =+-@\0\uFEFF1＝");
    const cell = fc.oneof(fc.string({ unit: sign }), hostileText, fc.constantFrom(...hostileInside));
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1 }), (rows) => {
        const { text } = csvBatch(rows.map((row) => ["a", ...row]));
        for (const delimiter of [";", "\t"]) {
          expect(fieldsOf(text, delimiter).filter(runs)).toEqual([]);
        }
      }),
    );
  });

  test.each(["-1", "-123456789012345678901234567890.5", "2025-03-01T12:34:56.789Z", "'=1", ""])(
    "leaves %j unchanged",
    (text) => {
      expect(csvBatch([[text, "x"]])).toEqual({ text: `${text},x\r\n`, escaped: 0 });
    },
  );

  test.each(["-1e5", "-01", "-.5", "-1-1", "+1", "-1 "])("does not treat %j as a number", (text) => {
    expect(csvBatch([[text]]).escaped).toBe(1);
  });
});
