import { fc, test } from "@fast-check/vitest";
import { readXlsx } from "hucre/xlsx";
import { describe, expect } from "vitest";
import { CELL_CHARACTERS, cellText } from "../../lambda/formats/xlsx/text.ts";
import { SheetWriter, workbookOf } from "../../lambda/formats/xlsx/xlsx.ts";
import { LOOKALIKES } from "./hostile-texts.ts";

const FACTS = { title: "a & b", creator: "fillbook", time: Date.UTC(2026, 0, 1) };

function workbook(texts: readonly string[], name = "A sheet"): Uint8Array {
  const sheet = new SheetWriter({ name, widths: [20], headRows: 1, footer: "a & b" });
  for (const text of texts) {
    sheet.add([{ text, style: "text" }]);
  }
  return workbookOf([sheet.finish()], FACTS);
}

/** Reads the file with a reader that shares no code with the writer. */
async function read(texts: readonly string[]): Promise<unknown[]> {
  const { sheets } = await readXlsx(workbook(texts));
  return texts.map((_, row) => sheets[0]?.rows[row]?.[0] ?? "");
}

describe("text cells", () => {
  test("hold the given text, whatever it looks like", async () => {
    expect(await read(LOOKALIKES)).toEqual(LOOKALIKES);
  });

  test.prop([fc.array(fc.string({ unit: "binary", maxLength: 30 }), { minLength: 1, maxLength: 60 })], { numRuns: 30 })(
    "hold any text in the form of cellText",
    async (texts) => {
      expect(await read(texts)).toEqual(texts.map(cellText));
    },
  );

  test.each([
    ["a line break is a line feed", "a\r\nb\rc", "a\nb\nc"],
    ["controls are replaced", "a\0b\u0001c\u001Fd\u007Fe\u0085f", "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf"],
    ["noncharacters are replaced", "\uFFFE\uFFFF", "\uFFFD\uFFFD"],
    ["a lone surrogate is replaced", "a\uD800b\uDC00", "a\uFFFDb\uFFFD"],
    ["a text that fits is unchanged", "x".repeat(CELL_CHARACTERS), "x".repeat(CELL_CHARACTERS)],
  ])("%s", (_, text, shown) => {
    expect(cellText(text)).toBe(shown);
  });

  test("a text that is too long is cut, with a note", () => {
    const text = cellText("x".repeat(1_048_576));
    expect(text).toHaveLength(32_767);
    expect(text).toMatch(/^x+ … cut: it has 1048576 characters$/);
    // The limit falls inside a surrogate pair.
    expect(cellText("😀".repeat(20_000)).isWellFormed()).toBe(true);
  });
});

test("a sheet's name and footer may hold characters special to XML and formulas", async () => {
  const { sheets } = await readXlsx(workbook(["a"], "It's <a> & b"));
  expect(sheets.map(({ name }) => name)).toEqual(["It's <a> & b"]);
});
