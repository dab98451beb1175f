import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { InputFile } from "../../lambda/inputs/files.ts";
import { understandAll, understandInput } from "../../lambda/web/data/check-inputs.ts";
import { exampleOf, INPUT_KINDS } from "../../lambda/web/input-kinds.ts";
import { samplesOf } from "./views/samples.ts";

const DOCS = readFileSync(join(import.meta.dirname, "../../docs/inputs.md"), "utf8");

function fileOf(name: string, text: string): InputFile {
  const bytes = Buffer.from(text);
  return { name, bytes, sha256: hash("sha256", bytes, "hex") };
}

describe("the example of each kind of file", () => {
  test.each(INPUT_KINDS)("$title is read by an export's own reader, and stands in docs/inputs.md", (kind) => {
    const example = exampleOf(kind);
    expect(understandInput(fileOf(kind.name ?? "rates/own.csv", example), "UTC")).not.toBe("");
    for (const line of kind.columns === null ? [kind.example] : example.split("\n")) {
      expect(DOCS).toContain(line);
    }
    expect(DOCS).toContain(kind.optional?.join(",") ?? "");
  });

  test("is on the page of the files", () => {
    const page = samplesOf().find(({ name }) => name === "files")?.page ?? "";
    const shown = [...page.matchAll(/<pre class="hashes">(?<text>[^<]*)</g)].map(({ groups }) =>
      (groups?.["text"] ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    );
    expect(shown).toEqual(INPUT_KINDS.map(exampleOf));
  });
});

describe("a file with several bad lines", () => {
  const HEADER = "time,market,amount,currency,source";
  const GOOD = "2025-03-01,BTC-USD,-1.25,USD,ours";
  const bad = (amount: string) => `2025-03-02,BTC-USD,${amount},USD,ours`;
  const messageOf = (lines: readonly string[]) => {
    try {
      return understandAll(fileOf("funding.csv", lines.join("\n")), "UTC");
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  const linesIn = (message: string) => [...message.matchAll(/line (?<line>\d+)/g)].map(([, line]) => Number(line));

  test("names each of them, up to five, by its line in the file", () => {
    expect(linesIn(messageOf([HEADER, bad("x"), GOOD, bad("y"), "", bad("z")]))).toEqual([2, 4, 6]);
    const many = Array.from({ length: 20 }, (_, at) => bad(`x${at}`));
    expect(linesIn(messageOf([HEADER, ...many]))).toEqual([2, 3, 4, 5, 6]);
  });

  test("whose header is wrong says only that", () => {
    expect(linesIn(messageOf(["time,market", bad("x")]))).toEqual([1]);
  });

  test("with a record over two lines stops there", () => {
    const open = ['2025-03-02,BTC-USD,x,USD,"a', 'b"'];
    expect(linesIn(messageOf([HEADER, bad("w"), ...open, bad("z")]))).toEqual([2, 3]);
  });

  test("without one is understood", () => {
    expect(messageOf([HEADER, GOOD])).toBe("1 funding payment, 2025-03-01 to 2025-03-01");
  });
});
