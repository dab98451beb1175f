import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { InputFile } from "../../lambda/inputs/files.ts";
import { understandInput } from "../../lambda/web/data/check-inputs.ts";
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
    expect(DOCS).toContain(kind.optional.join(","));
  });

  test("is on the page of the files", () => {
    const page = samplesOf().find(({ name }) => name === "files")?.page ?? "";
    const shown = [...page.matchAll(/<pre class="hashes">(?<text>[^<]*)</g)].map(({ groups }) =>
      (groups?.["text"] ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    );
    expect(shown).toEqual(INPUT_KINDS.map(exampleOf));
  });
});
