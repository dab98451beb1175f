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
import { disposalsMaker } from "../../../lambda/pack/files/csv/disposals.ts";
import { feesMaker } from "../../../lambda/pack/files/csv/fees.ts";
import { openLotsMaker } from "../../../lambda/pack/files/csv/open-lots.ts";
import { openPositionsMaker } from "../../../lambda/pack/files/csv/open-positions.ts";
import { realisedPnlMaker } from "../../../lambda/pack/files/csv/realised-pnl.ts";
import { summaryMakers } from "../../../lambda/pack/files/csv/summary.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { installPython } from "../../support/python-tool.ts";
import { drawnBooks, textOf } from "../files/journals/draw.ts";

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
  { name: "what", kind: "text", description: "A text." },
];

test("index.xml lists the tables with columns, and the period's days", () => {
  const index = gdpduText(context, [
    described({ columns: COLUMNS }, "INCOMPLETE-a.csv"),
    described({ path: "imports/koinly.csv" }),
    described({ path: "fills.parquet", mediatype: "application/vnd.apache.parquet", columns: COLUMNS }),
  ]);
  const [media = "", ...tables] = index.split("<Table>");
  expect(media).toContain('<!DOCTYPE DataSet SYSTEM "gdpdu-01-08-2002.dtd">');
  expect(media).toContain("<Name>main calendar-2025</Name>");
  expect(tables.map((table) => /<URL>(.*)<\/URL>\s*<Name>(.*)<\/Name>/.exec(table)?.slice(1))).toEqual([
    ["INCOMPLETE-a.csv", "a"],
  ]);
  expect(tables[0]).toMatch(/<Validity>\s*<Range>\s*<From>2025-01-01<\/From>\s*<To>2025-12-31<\/To>/);
  expect(tables[0]?.match(/<Description>.*<\/Description>/g)).toEqual(
    ["A table.", ...COLUMNS.map(({ description }) => description)].map((text) => `<Description>${text}</Description>`),
  );
  expect(
    tables[0]?.match(/<(?:Accuracy|DecimalSymbol|DigitGroupingSymbol|Format|MaxLength|RecordDelimiter)>[^<]*/g),
  ).toEqual([
    ...["<Format>YYYY-MM-DD", "<DecimalSymbol>.", "<DigitGroupingSymbol>,", "<RecordDelimiter>&#13;&#10;"],
    ...["<MaxLength>27", "<Accuracy>36", "<Accuracy>0", "<Format>YYYY-MM-DD"],
  ]);
  expect(GDPDU.path).toBe("index.xml");
});

describe("a folder that is read through its index.xml", () => {
  let folder = "";
  let lxml: Awaited<ReturnType<typeof installPython>> = { missing: "" };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fillbook-gdpdu-"));
    lxml = await installPython(join(import.meta.dirname, "requirements.txt"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function problems(python: string): Promise<string[]> {
    const args = [join(import.meta.dirname, "read_gdpdu.py"), folder, join(import.meta.dirname, "gdpdu-grammar.dtd")];
    return JSON.parse((await run(python, args, { maxBuffer: 1e8 })).stdout);
  }

  test("has a valid index.xml that describes each table correctly", async ({ skip }) => {
    const { python } = "missing" in lxml ? skip(lxml.missing) : lxml;
    const hostile = fillsFrom("B1@100/0.10 S3@110/0.33 B1@1", { market: `${HOSTILE}-USDT` }).map((fill) => ({
      ...fill,
      orderId: HOSTILE,
    }));
    for (const books of [booksOf(hostile), booksOf([]), ...sample(drawnBooks(), { seed: 8, numRuns: 8 })]) {
      const makers = [
        disposalsMaker(books.context, null),
        realisedPnlMaker(books.context, null),
        ...summaryMakers(books.context, null),
        openPositionsMaker(books.context, null),
        openLotsMaker(books.context),
        closedTradesMaker(books.context, null),
        feesMaker(null),
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
      expect(await problems(python)).toEqual([]);
    }
  });

  test("has a valid index.xml for any names", async ({ skip }) => {
    const { python } = "missing" in lxml ? skip(lxml.missing) : lxml;
    const columns = [{ name: HOSTILE, kind: "text", description: HOSTILE }] as const;
    const index = gdpduText({ ...context, account: HOSTILE }, [described({ description: HOSTILE, columns })]);
    await writeFile(join(folder, "index.xml"), index);
    await writeFile(join(folder, "a.csv"), "\uFEFFb\r\n1\r\n");
    // A header cannot hold characters that XML cannot hold.
    expect(await problems(python)).toEqual([expect.stringContaining("a.csv: other columns")]);
  });
});
