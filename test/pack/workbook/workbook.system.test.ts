import { describe, expect, test } from "vitest";
import { FIGURES, type Figure } from "../../../lambda/accounting/cube/figures.ts";
import { METHOD_NAMES } from "../../../lambda/accounting/method.ts";
import { localTime } from "../../../lambda/core/period.ts";
import { counted } from "../../../lambda/core/text.ts";
import { closesTable } from "../../../lambda/pack/tables/closes.ts";
import { feesTable } from "../../../lambda/pack/tables/fees.ts";
import { lotsTable } from "../../../lambda/pack/tables/lots.ts";
import { positionsTable } from "../../../lambda/pack/tables/positions.ts";
import type { Column, SheetTable } from "../../../lambda/pack/tables/table.ts";
import { monthsTable } from "../../../lambda/pack/tables/totals.ts";
import { tradesTable } from "../../../lambda/pack/tables/trades.ts";
import { inCurrency } from "../../accounting/make.ts";
import { recordsOf } from "../../support/rfc4180.ts";
import { workbookOf } from "../books.ts";
import { CASES } from "../report/cases.ts";
import { Exact, plain, total } from "../sums.ts";
import { tablesOf } from "../tables/make.ts";
import { NO_READER, type ReadWorkbook, type Row, readWorkbook, rowsOf, sheetOf, shown } from "./grid.ts";

/** With and without fills, unknown figures, funding and a converter, by several methods. */
const BOOKS = CASES.slice(0, 6);

function split(rows: readonly Row[]): { readonly rows: readonly Row[]; readonly totals: readonly Row[] } {
  const isTotal = (row: Row) => /^(Partial t|T)otal$/.test(Object.values(row)[0] ?? "");
  return { rows: rows.filter((row) => !isTotal(row)), totals: rows.filter(isTotal) };
}

function headOf({ head, kind }: Column<unknown>, zone: string): string {
  return kind === "time" ? `${head} (${zone})` : head;
}

/** What a cell shows of the text in the CSV file. */
function cellOf({ name, kind, empty }: Column<unknown>, row: Row, zone: string): string | null {
  const text = row[name] ?? "";
  if (text === "") {
    return empty ?? null;
  }
  if (kind === "time") {
    return localTime(Date.parse(text), zone).slice(0, 23);
  }
  return kind === "money" || kind === "quantity" ? shown(new Exact(text)) : text;
}

/**
 * The sum of each column that is added up, of the rows in each currency: in one row where all is known, in another
 * where some is not: a cell, or what the sheet of the summary says.
 */
function totalsOf(
  { columns, sheet }: SheetTable<unknown>,
  summary: readonly Row[],
  rows: readonly Readonly<Record<string, string>>[],
): Row[] {
  const summed = columns.filter(({ isSummed, isCsvOnly }) => isSummed === true && isCsvOnly === undefined);
  return [...Map.groupBy(rows, ({ currency }) => currency || "not known")].flatMap(([currency, own]) => {
    const isLacking = ({ name, head }: Column<unknown>) => {
      const figure = FIGURE_OF[sheet.title] ?? head.replace(/, in GBP$/, "");
      const said = summary.find((row) => row["Currency"] === currency && row["Figure"]?.split(":")[0] === figure);
      return own.some((row) => row[name] === "") || Boolean(said?.["Note"]);
    };
    return [false, true].flatMap((isPartial) => {
      const sums = summed
        .filter((column) => isLacking(column) === isPartial)
        .flatMap(({ name, head }) => {
          const known = own.flatMap((row) => row[name] || []).map((text) => new Exact(text));
          return known.length === 0 ? [] : [[head, shown(total(known))] as const];
        });
      const label = isPartial ? "Partial total" : "Total";
      return sums.length === 0 ? [] : [{ ...Object.fromEntries(sums), Currency: currency, label }];
    });
  });
}

/** The label of a figure on the sheet Summary: gains and losses have the number of their rows. */
function labelOf({ key, name }: Pick<Figure, "key" | "name">, rows: readonly Row[], suffix = ""): string {
  const column = { gains: "gain_rows", losses: "loss_rows" }[key];
  const number = rows.reduce((sum, row) => sum + Number(row[`${column}${suffix}`]), 0);
  return column === undefined ? name : `${name}: ${counted(number, "row")} of realised-pnl.csv`;
}

/** The figure that says whether rows of a sheet are missing. */
const FIGURE_OF: Readonly<Record<string, string>> = {
  ...{ Realised: "Gross realised PnL", "Closed trades": "Gross realised PnL" },
  ...{ "Open positions": "none", "Open lots": "Open positions at cost, end" },
};

/** By currency and label, without cells that are empty. */
function inOrder(rows: readonly Row[]): Row[] {
  const keyOf = ({ Currency, label }: Row) => `${Currency} ${label}`;
  return rows
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell)) as Row)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

describe.skipIf(NO_READER !== "").each(BOOKS)(`$name, read by openpyxl${NO_READER}`, (one) => {
  const { converter = null } = one;
  const books = inCurrency(one.books, converter);
  const { name: period, to, zone } = books.context.period;
  let workbook: ReadWorkbook;

  test("opens, and every sheet has its print and scroll settings", async () => {
    workbook = await readWorkbook(workbookOf(books, one));
    expect(workbook.broken).toBeNull();
    const names = [
      ...["Cover", "Summary", "Months", "Realised", "Closed trades"],
      ...["Open positions", "Open lots", "Fees", ...(converter === null ? [] : ["Rates"]), "Exceptions"],
    ];
    expect(workbook.sheets.map(({ name }) => name)).toEqual(names);
    for (const { name, frozen, titles, landscape, fit } of workbook.sheets) {
      expect([landscape, fit], name).toEqual([true, [true, 1, 0]]);
      expect([frozen, titles], name).toEqual(["A3", "$1:$2"]);
    }
  });

  test("holds no time of its making, only the period's end", () => {
    const { created, modified, title, creator, entries } = workbook;
    expect([created, modified, title, creator]).toEqual([
      new Date(to).toISOString().slice(0, 19),
      new Date(to).toISOString().slice(0, 19),
      `main, ${period}`,
      "fillbook",
    ]);
    expect(new Set(entries.map(({ time }) => JSON.stringify(time)))).toEqual(new Set(["[1980,1,1,0,0,0]"]));
  });

  const files = tablesOf(books, { converter }).texts;
  const rowsIn = (path: string) => recordsOf((files.get(path) ?? "").slice(1));
  const tables = [closesTable, monthsTable, feesTable, tradesTable, positionsTable, lotsTable].map((of) =>
    of(books.context),
  ) as SheetTable<unknown>[];

  test("each sheet has the rows and the figures of its CSV file, and a total for each currency", () => {
    for (const { path, columns, sheet } of tables) {
      const shownIn = columns.filter(({ isCsvOnly }) => isCsvOnly === undefined);
      const { rows, totals } = split(rowsOf(sheetOf(workbook, sheet.title)));
      const inFile = rowsIn(path);
      if (inFile.length === 0) {
        expect(rows.map((row) => Object.values(row).filter(Boolean))).toEqual([[sheet.nothing]]);
        continue;
      }
      const cells = inFile.map((row) =>
        Object.fromEntries(shownIn.map((one) => [headOf(one, zone), cellOf(one, row, zone)])),
      );
      expect(rows, sheet.title).toMatchObject(cells);
      const [first = ""] = shownIn.map((one) => headOf(one, zone));
      const labelled = totals.map(({ [first]: label, ...row }): Row => ({ ...row, label: label ?? null }));
      const summary = rowsOf(sheetOf(workbook, "Summary"));
      const table = { columns, sheet } as SheetTable<unknown>;
      expect(inOrder(labelled), sheet.title).toEqual(inOrder(totalsOf(table, summary, inFile)));
    }
  });

  const isFunded = books.own.funding !== null;
  const { primary, reference } = books.context.methods;

  test("Summary has the figures of summary.csv, exact and rounded, by both methods", () => {
    const prefix = reference === "average" ? "average_cost_" : `${reference}_`;
    const rows = rowsOf(sheetOf(workbook, "Summary"));
    const given = FIGURES.filter(
      ({ key, unit }) =>
        unit === "amount" && !/^unrealised/.test(key) && (isFunded || !/^funding$|incl_funding/.test(key)),
    );
    for (const figures of rowsIn("summary.csv")) {
      for (const { key, name } of given) {
        const label = labelOf({ key, name }, [figures]);
        const row = rows.find((held) => held["Currency"] === figures["currency"] && held["Figure"] === label);
        const own = figures[key] || null;
        expect([key, row?.[`Exact: ${METHOD_NAMES[primary]}`]]).toEqual([key, own]);
        expect(row?.[METHOD_NAMES[primary]]).toBe(own && shown(new Exact(own)));
        expect(row?.["Note"]?.startsWith("Not known") === true, name).toBe(own === null);
        if (figures[prefix + key] !== undefined) {
          expect([key, row?.[`Exact: ${METHOD_NAMES[reference]}`]]).toEqual([key, figures[prefix + key] || null]);
        }
      }
    }
  });

  test.skipIf(converter === null)("Summary has the converted totals of all currencies", () => {
    const rows = rowsOf(sheetOf(workbook, "Summary")).filter((row) => row["Currency"] === "GBP");
    const figures = FIGURES.filter(({ unit, converted }) => unit === "amount" && converted !== undefined);
    const sums = figures.map(({ key: own, name, converted: key = "" }) => [
      `${labelOf({ key: own, name }, rowsIn("summary.csv"), "_converted")}, converted`,
      plain(total(rowsIn("summary.csv").map((row) => new Exact(row[key] || 0)))),
    ]);
    expect(rows.map((row) => [row["Figure"], row[`Exact: ${METHOD_NAMES[primary]}`]])).toEqual(sums);
  });

  test("no cell is a formula, text that should be a number, or a number that should be text", () => {
    for (const { name, cells } of workbook.sheets) {
      for (const { at, type, format } of cells) {
        expect(["s", "n", "d"], `${name} ${at}`).toContain(type);
        expect(type === "s", `${name} ${at}`).toBe(format === "@");
      }
    }
  });
});
