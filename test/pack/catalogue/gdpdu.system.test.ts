import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sample } from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Column, FileFacts } from "../../../lambda/pack/build/maker.ts";
import { GDPDU, gdpduText } from "../../../lambda/pack/catalogue/gdpdu.ts";
import { closedTradesMaker } from "../../../lambda/pack/files/csv/closed-trades.ts";
import { feesMaker } from "../../../lambda/pack/files/csv/fees.ts";
import { form8949Maker } from "../../../lambda/pack/files/csv/form-8949.ts";
import { openPositionsMaker } from "../../../lambda/pack/files/csv/open-positions.ts";
import { realisedPnlMaker } from "../../../lambda/pack/files/csv/realised-pnl.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { drawnBooks, textOf } from "../files/journals/draw.ts";
import { type Installed, installPython } from "../programs.ts";

const run = promisify(execFile);

const HOSTILE = "=cmd|' /C calc'!A0 \",\r\n\u202E<script>&amp;]]>\uD800\u0000";
const { context } = booksOf([]);

function described(facts: Partial<FileFacts>, path = facts.path ?? "a.csv") {
  return {
    file: { path, bytes: 1, sha256: "" },
    facts: { path: "a.csv", description: "A table.", mediatype: "text/csv", ...facts },
  };
}

const COLUMNS: readonly Column[] = [
  { name: "at", kind: "time", description: "A time." },
  { name: "amount", kind: "decimal", description: "An amount." },
  { name: "count", kind: "integer", description: "A count." },
  { name: "day", kind: "date", description: "A day." },
  { name: "what", kind: "text", description: 'A "text" & more.' },
];

describe("index.xml", () => {
  test("says of a table what the reference wants said", () => {
    const index = gdpduText(context, [
      described({ columns: COLUMNS }, "INCOMPLETE-a.csv"),
      described({ path: "imports/koinly.csv" }),
      described({ path: "fills.parquet", mediatype: "application/vnd.apache.parquet", columns: COLUMNS }),
    ]);
    expect(index).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE DataSet SYSTEM "gdpdu-01-08-2002.dtd">
<DataSet>
  <Version>1.0</Version>
  <Media>
    <Name>main calendar-2025</Name>
    <Table>
      <URL>INCOMPLETE-a.csv</URL>
      <Name>a</Name>
      <Description>A table.</Description>
      <Validity>
        <Range>
          <From>2025-01-01</From>
          <To>2025-12-31</To>
        </Range>
        <Format>YYYY-MM-DD</Format>
      </Validity>
      <UTF8/>
      <DecimalSymbol>.</DecimalSymbol>
      <DigitGroupingSymbol>,</DigitGroupingSymbol>
      <Range>
        <From>2</From>
      </Range>
      <VariableLength>
        <ColumnDelimiter>,</ColumnDelimiter>
        <RecordDelimiter>&#13;&#10;</RecordDelimiter>
        <TextEncapsulator>&#34;</TextEncapsulator>
        <VariableColumn>
          <Name>at</Name>
          <Description>A time.</Description>
          <AlphaNumeric/>
          <MaxLength>27</MaxLength>
        </VariableColumn>
        <VariableColumn>
          <Name>amount</Name>
          <Description>An amount.</Description>
          <Numeric>
            <Accuracy>36</Accuracy>
          </Numeric>
        </VariableColumn>
        <VariableColumn>
          <Name>count</Name>
          <Description>A count.</Description>
          <Numeric>
            <Accuracy>0</Accuracy>
          </Numeric>
        </VariableColumn>
        <VariableColumn>
          <Name>day</Name>
          <Description>A day.</Description>
          <Date>
            <Format>YYYY-MM-DD</Format>
          </Date>
        </VariableColumn>
        <VariableColumn>
          <Name>what</Name>
          <Description>A &#34;text&#34; &#38; more.</Description>
          <AlphaNumeric/>
        </VariableColumn>
      </VariableLength>
    </Table>
  </Media>
</DataSet>
`);
    expect(GDPDU.path).toBe("index.xml");
  });
});

describe("a folder with index.xml, read by it", () => {
  let folder = "";
  let lxml: Installed = { missing: "" };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fillbook-gdpdu-"));
    lxml = await installPython("lxml");
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function problems(program: string): Promise<string[]> {
    const args = [join(import.meta.dirname, "read_gdpdu.py"), folder, join(import.meta.dirname, "gdpdu-grammar.dtd")];
    return JSON.parse((await run(program, args, { maxBuffer: 1e8 })).stdout);
  }

  test("is of the grammar, and each table is as it says", async ({ skip }) => {
    const { program } = "missing" in lxml ? skip(lxml.missing) : lxml;
    const hostile = fillsFrom("B1@100/0.10 S3@110/0.33 B1@1", { market: `${HOSTILE}-USDT` }).map((fill) => ({
      ...fill,
      orderId: HOSTILE,
    }));
    for (const books of [booksOf(hostile), booksOf([]), ...sample(drawnBooks(), { seed: 8, numRuns: 8 })]) {
      const makers = [
        form8949Maker(books.context),
        realisedPnlMaker(books.context, null),
        openPositionsMaker(books.context),
        closedTradesMaker(books.context),
        feesMaker(),
      ];
      for (const maker of makers) {
        await writeFile(join(folder, maker.path), textOf(maker, books));
      }
      await writeFile(
        join(folder, "index.xml"),
        gdpduText(
          books.context,
          makers.map((facts) => ({ file: described(facts).file, facts })),
        ),
      );
      expect(await problems(program)).toEqual([]);
    }
  });

  test("is well-formed whatever the names, and what does not fit is found", async ({ skip }) => {
    const { program } = "missing" in lxml ? skip(lxml.missing) : lxml;
    const columns = [{ name: HOSTILE, kind: "decimal", description: HOSTILE }] as const;
    const index = gdpduText({ ...context, account: HOSTILE }, [described({ description: HOSTILE, columns })]);
    await writeFile(join(folder, "index.xml"), index);
    await writeFile(join(folder, "a.csv"), "\uFEFFb\r\n1\r\n1.5,2\r\nx");
    expect(await problems(program)).toEqual([
      "a.csv: no record delimiter at the end",
      expect.stringContaining("a.csv: other columns"),
      "a.csv: row 1 has 2 cells",
      expect.stringContaining("a.csv: row 2, "),
    ]);
    await writeFile(join(folder, "index.xml"), index.replace("<UTF8/>", "").replace("<Range>", "<UTF8/><Range>"));
    expect((await problems(program)).join("\n")).toMatch(/Table|Validity/);
  });
});
