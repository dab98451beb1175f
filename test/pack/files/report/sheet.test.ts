import { PDFDocument, type PDFFont, StandardFonts } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../../../lambda/core/period.ts";
import { type Books, booksOf } from "../../../accounting/make.ts";
import { drawFills, type FileOptions, pageOf, sheetOf } from "../books.ts";
import { CASES, type Case } from "./cases.ts";
import { readSheet, sheetText, squeezed, statementText } from "./read-sheet.ts";

const [TRADED, NOTHING, INCOMPLETE] = CASES as readonly [Case, Case, Case];
const US = parsePeriod("us-2025");
const [A4_WIDTH, MARGIN, SLACK] = [595.28, 42, 0.1];

/** Fills of `count` markets, each with its own currency. */
function booksOfCurrencies(count: number, nameOf = (at: number) => `C${at}`): Books {
  const fills = drawFills(count * 20, US.from, US.to).map((fill, at) => ({
    ...fill,
    market: `M-${nameOf(at % count)}`,
  }));
  return booksOf(fills, { period: US });
}

describe("report.pdf", () => {
  test.each(CASES)("has the same words as the page's statement: $name", async (one) => {
    const [page, sheet] = await Promise.all([pageOf(one.books, one), sheetOf(one.books, one)]);
    const [statement, printed] = [statementText(page), sheetText(sheet)].map(squeezed) as [string, string];
    const end = one.context?.complete === false ? "" : "PreparedbyClientDate";
    expect(statement.endsWith(end)).toBe(true);
    expect(printed.slice(0, statement.length)).toBe(statement);
    await expectOnPage(sheet);
    expect(printed.slice(statement.length)).toMatch(/^Accountmain,20..-..-..to20..-..-..,/);
  });

  test("has the same bytes each time, dated to the end of its period", async () => {
    const sheet = await sheetOf(TRADED.books);
    expect((await sheetOf(TRADED.books, { size: 7 })).equals(sheet)).toBe(true);
    const source = sheet.toString("latin1");
    // ISO 32000-1, 7.9.4: D:YYYYMMDDHHmmSS and the zone. In New York the year ends at 05:00 UTC.
    expect(source).toContain("/CreationDate (D:20260101050000Z)");
    expect(source).toContain("/ModDate (D:20260101050000Z)");
    expect(source).not.toContain("pdf-lib");
  });

  test("says that an incomplete pack must not be filed, and has no signature line", async () => {
    const sheet = await sheetOf(INCOMPLETE.books, INCOMPLETE);
    const text = sheetText(sheet);
    expect(text).toMatch(/INCOMPLETE\. Do not file from this statement\./);
    expect(text).toContain("INCOMPLETE-control-totals.csv");
    expect(text).not.toContain("Prepared by");
    expect((await PDFDocument.load(sheet)).getTitle()).toMatch(/^INCOMPLETE: Trading statement/);
  });

  test("tells which funding its figures leave out", async () => {
    const context = { accounts: ["hedge", "main"], funding: [], withoutFunding: ["main"] };
    const text = sheetText(await sheetOf(TRADED.books, { context }));
    expect(text).toContain("Funding is not included of main, for want of a funding.csv");
    expect(text).toContain("0 payments from the user's funding.csv, in the totals above; none of main");
  });

  test("says so if the period is empty", async () => {
    expect(sheetText(await sheetOf(NOTHING.books))).toContain("There is nothing in this period");
  });
});

describe("one page has room for", () => {
  test("twenty currencies: the first ones, and how many are in summary.csv", async () => {
    const sheet = await sheetOf(booksOfCurrencies(20));
    await expectOnPage(sheet);
    const text = sheetText(sheet);
    const tables = text.match(/Settled in C\d+: /g)?.length ?? 0;
    const [, left] = /(\d+) more settlement currencies are in summary\.csv\./.exec(text) ?? [];
    expect(tables).toBeGreaterThan(1);
    expect(tables + Number(left)).toBe(20);
    const [, named = "", more] = /settled in ((?:C\d+, )*C\d+) and (\d+) more currencies;/.exec(text) ?? [];
    expect(named.split(", ").length + Number(more)).toBe(20);
  });

  test("many long points to note: the first ones, and how many are on the page", async () => {
    const breaks = Array.from({ length: 25 }, (_, at) => ({
      market: `M${at}-USD`,
      from: US.from,
      to: US.from + 1,
      quantity: 0n,
      price: null,
      evidence: "a letter of the venue ".repeat(20),
    }));
    const sheet = await sheetOf(TRADED.books, { context: { breaks } });
    await expectOnPage(sheet);
    expect(sheetText(sheet)).toMatch(/\d+ more: see report\.html\./);
  });

  test.each([
    ["the widest letters", "W".repeat(120)],
    ["words", "a name of words ".repeat(8)],
    ["a megabyte", "<x>".repeat(2 ** 20 / 3)],
    ["letters that the fonts do not have", "שלום 取引 ∑ 🂡"],
    ["characters that no font has", "a\0b\u0007c\u0085d\uFFFEe\uD800f\u{1FFFF}g\uDC00"],
    ["direction marks", "\u202Eevil\u2066\u200F\u061Cabc"],
    ["the syntax of a PDF", ") Tj ET (\\) <</JS (app.alert(1))>> endstream endobj %"],
    ["line breaks", "a\r\nb\rc\n"],
  ])("an account and currencies that are named with %s", async (_, name) => {
    const options: FileOptions = { context: { account: name, accounts: [name] } };
    const sheet = await sheetOf(
      booksOfCurrencies(9, (at) => `${at}${name}`),
      options,
    );
    await expectOnPage(sheet);
    expect(sheet.toString("latin1")).not.toMatch(/\/(?:JS|JavaScript|OpenAction|AA|URI)\b/);
  });

  test("letters that the fonts lack, as question marks", async () => {
    const text = sheetText(await sheetOf(NOTHING.books, { context: { accounts: ["Zoë 取引 €"] } }));
    expect(text).toContain("Trading statement: account Zoë ?? €");
  });
});

/** No text crosses a margin or another text, and none lies in the sheet's foot. */
async function expectOnPage(sheet: Buffer): Promise<void> {
  const document = await PDFDocument.load(sheet);
  expect(document.getPageCount()).toBe(1);
  const fonts: Readonly<Record<string, PDFFont | undefined>> = {
    Helvetica: await document.embedFont(StandardFonts.Helvetica),
    "Helvetica-Bold": await document.embedFont(StandardFonts.HelveticaBold),
  };
  const runs = readSheet(sheet).map((run) => ({
    ...run,
    right: run.x + (fonts[run.font]?.widthOfTextAtSize(run.text, run.size) ?? Number.POSITIVE_INFINITY),
  }));
  for (const { x, y, right } of runs) {
    expect(x).toBeGreaterThan(MARGIN - SLACK);
    expect(right).toBeLessThan(A4_WIDTH - MARGIN + SLACK);
    expect(y).toBeGreaterThan(MARGIN);
  }
  const meet = runs.flatMap((one, at) =>
    runs
      .slice(at + 1)
      .filter((other) => {
        const isBeside = Math.abs(one.y - other.y) < Math.max(one.size, other.size) * 0.7;
        return isBeside && one.x < other.right - SLACK && other.x < one.right - SLACK;
      })
      .map((other) => [one.text, other.text]),
  );
  expect(meet).toEqual([]);
  const foot = runs.findIndex(({ text }) => /^(?:Prepared by$|Account main, \d)/.test(text));
  expect(foot).toBeGreaterThan(0);
  const lowest = Math.min(...runs.slice(0, foot).map(({ y }) => y));
  expect(lowest).toBeGreaterThan(runs[foot]?.y ?? 0);
}
