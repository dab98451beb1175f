import { describe, expect, test } from "vitest";
import { readArguments } from "../../../lambda/cli/arguments.ts";
import { readPeriod } from "../../../lambda/cli/commands/export.ts";
import { customPeriod, type Period, parsePeriod } from "../../../lambda/core/period.ts";
import { booksOf } from "../../accounting/make.ts";
import { drawFills, pageOf } from "../books.ts";
import { rowsIn, tablesOf, total } from "../tables/make.ts";
import { CASES, type Case } from "./cases.ts";
import { NO_READER, type ReadPage, readPages, rowsOf } from "./read.ts";

const ONE = 10n ** 36n;
const NET = "realised_pnl_net_of_fees_excl_funding";
const NET_WITH_FUNDING = "realised_pnl_net_incl_funding";
const [TRADED, NOTHING, INCOMPLETE, UNKNOWN] = CASES as readonly [Case, Case, Case, Case];

async function read(one: Case): Promise<ReadPage> {
  const [page] = await readPages([pageOf(one.books, one)]);
  return page as ReadPage;
}

/** Fills of each market in summary-days.csv with known PnL, and without, and those that cannot be read. */
function closesOf({ books }: Case) {
  const days = rowsIn(tablesOf(books), "summary-days.csv");
  return [...Map.groupBy(days, ({ market }) => market).values()].map((own) => ({
    known: total(own, "closes"),
    unknown: total(own, "closes_with_unknown_pnl"),
    unreadable: total(own, "unreadable_fills"),
  }));
}

describe.skipIf(NO_READER !== "")(`the claims of the first page${NO_READER}`, () => {
  test("PnL of all markets, if it is known", async () => {
    expect(closesOf(TRADED).filter(({ unknown, unreadable }) => unknown + unreadable > 0n)).toEqual([]);
    const { text } = await read(TRADED);
    expect(text).toContain("✓ Records complete; PnL calculated for 6 markets.");
    expect(text).not.toContain("could not be calculated for");
  });

  test("never more PnL than is known, even if the records are complete", async () => {
    const closes = closesOf(UNKNOWN);
    const unknown = closes.reduce((sum, own) => sum + own.unknown, 0n) / ONE;
    const { text } = await read(UNKNOWN);
    expect(closes.map(({ known }) => known)).toEqual(Array.from({ length: 6 }, () => 0n));
    expect(text).toContain("▲ Records complete; PnL missing for 6 of 6 markets.");
    expect(text).toContain(`PnL could not be calculated for ${unknown} fills; totals exclude them.`);
  });

  test("distinguish partly known markets from unknown ones", async () => {
    const complete = { ...INCOMPLETE, context: {} };
    const lacking = closesOf(complete).filter(({ unknown, unreadable }) => unknown + unreadable > 0n);
    const missing = lacking.filter(({ known }) => known === 0n).length;
    const partial = lacking.length - missing;
    const { text } = await read(complete);
    expect(text).toContain(
      `Records complete; PnL missing for ${missing} and partly missing for ${partial} of 6 markets.`,
    );
  });

  test("nothing for a year without fills, and nothing for an incomplete year", async () => {
    expect((await read(NOTHING)).text).toContain("✓ Records complete; no fills in this period.");
    const { text } = await read(INCOMPLETE);
    expect(text).not.toContain("Records complete");
    expect(text).toMatch(/every figure may change\. PnL could not be calculated for \d+ fills; totals exclude them\./);
  });

  test("exceptions count fills and notes about markets separately", async () => {
    const { text } = await read(INCOMPLETE);
    expect(text).toContain("exceptions: 1,230 rows about single fills, 4 notes about markets");
  });

  test("the first amount is net PnL in the reporting currency, with funding if there is a file of it", async () => {
    for (const [one, name] of [
      [INCOMPLETE, "statement-converted"],
      [{ ...TRADED, converter: INCOMPLETE.converter ?? null }, "statement-converted"],
      [TRADED, "statement-1"],
    ] as const) {
      const [first] = (await read(one)).tables;
      expect(first?.id).toBe(name);
      const net = first?.rows.find(({ key }) => key === (one.books.own.funding === null ? NET : NET_WITH_FUNDING));
      expect(net?.cells[1]?.text).toMatch(/^[+−][\d,]+\.\d\d†?$/);
    }
  });

  test("unknown amounts are not zero in the reporting currency either", async () => {
    const page = await read({ ...UNKNOWN, converter: INCOMPLETE.converter ?? null });
    expect(rowsOf(page, "statement-converted").get(NET)).toEqual(["not known"]);
    const unknown = Array.from({ length: 3 }, () => "not known");
    expect(rowsOf(page, "converted-table").get("2025-01 USD")?.slice(1, 4)).toEqual(unknown);
    expect(rowsOf(page, "converted-table").get("total")?.slice(1, 4)).toEqual(unknown);
  });

  test("tell whether the user chose the method", async () => {
    const chosen = (await read(TRADED)).text;
    const silent = (await read({ ...TRADED, context: { isMethodChosen: false } })).text;
    expect(chosen).toContain("FIFO (chosen)Average cost");
    expect(silent).toContain("FIFO (default)Average cost");
    expect(silent).toContain("No method was chosen, so FIFO was used.");
  });
});

async function commandsOf(period: Period, complete = true): Promise<readonly string[]> {
  const [read] = await readPages([pageOf(booksOf([], { period }), { context: { complete } })]);
  return read?.commands ?? [];
}

describe.skipIf(NO_READER !== "")(`the commands on the page${NO_READER}`, () => {
  test.each([
    parsePeriod("us-2025"),
    parsePeriod("uk-2025-26", "Europe/Berlin"),
    parsePeriod("month-2025-03", "Asia/Tokyo"),
    parsePeriod("year-2025-07-01"),
    customPeriod("2025-01-01", "2025-02-01", "Africa/Cairo"),
    parsePeriod("month-2025-03", "-03:00"),
    customPeriod("2025-01-01T10:00:00Z", "2025-02-01T11:30:00+02:00", "America/New_York"),
  ])("makes the same period again: $name", async (period) => {
    const command = (await commandsOf(period)).at(-1) ?? "";
    const read = await readArguments(command.split(" ").slice(1));
    const given = read.kind === "run" ? read.given : null;
    expect(given && readPeriod(given)).toEqual(period);
    expect(given?.text("method")).toBe("fifo");
  });

  test("use the file names of an incomplete pack", async () => {
    const commands = await commandsOf(parsePeriod("us-2025"), false);
    expect(commands[0]).toBe("sha256sum -c INCOMPLETE-SHA256SUMS");
    expect(commands.at(-1)).toMatch(/ --allow-incomplete$/);
  });
});

test("a hundred years, a thousand markets and a hundred currencies make a page of less than a megabyte: not all are shown", () => {
  const [from, to] = [Date.UTC(1980, 0, 1), Date.UTC(2080, 0, 1)];
  const period = customPeriod("1980-01-01", "2080-01-01");
  const fills = drawFills(5000, from, to).map((fill, at) => ({ ...fill, market: `M${at % 1000}-C${at % 100}` }));
  expect(pageOf(booksOf(fills, { period })).length).toBeLessThan(2 ** 20);
});
