import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import {
  comparedOf,
  convertedOf,
  FIGURES,
  type FigureKey,
  isComplete,
  type Known,
  ownOf,
} from "../../../lambda/accounting/cube/figures.ts";
import { type Scope, scopesOf } from "../../../lambda/accounting/cube/scopes.ts";
import { methodsOf } from "../../../lambda/accounting/method.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { methodPrefix } from "../../../lambda/pack/files/csv/columns.ts";
import { type Row, rowsIn, tablesOf } from "../../pack/files/csv/make.ts";
import { type Drawn, drawn } from "../draw-books.ts";
import { booksOf, convertedOf as statementIn } from "../make.ts";
import { cubeOf, sumsOf, TO_EUROS } from "./make.ts";

const FILES = [
  { path: "summary.csv", names: ["currency"] },
  { path: "summary-months.csv", names: ["currency", "month"] },
  { path: "summary-markets.csv", names: ["market", "currency"] },
  { path: "summary-market-months.csv", names: ["market", "month", "currency"] },
] as const;

/** The converted figures that the files have. */
const CONVERTED: readonly (readonly [key: FigureKey, column: string])[] = [
  ["gross_pnl", "gross_pnl_converted"],
  ["fees_recognised", "fees_recognised_converted"],
  ["realised_pnl_net_of_fees_excl_funding", "net_converted"],
  ["fees_paid", "fees_paid_converted"],
  ["rebates", "rebates_converted"],
  ["funding", "funding_converted"],
];

const KEYS = FIGURES.map(({ key }) => key);

function made({ fills, options, cuts }: Drawn) {
  const account = "main";
  const books = { account, ...booksOf(fills, options) };
  const told = { converted: statementIn(books, TO_EUROS) };
  const tables = tablesOf(books, { cuts, declared: options.declared ?? [], converter: TO_EUROS, told });
  return { books, tables, sums: sumsOf([books], cubeOf([books], TO_EUROS, cuts)) };
}

const text = (known: Known | null): string => known?.amount?.toString() ?? "";

function expectRow(row: Row, scope: Scope, prefix: string): void {
  for (const key of KEYS.filter((one) => one in row)) {
    expect(text(ownOf(key, scope)), key).toBe(row[key]);
  }
  for (const key of KEYS.filter((one) => `${prefix}${one}` in row)) {
    expect(text(comparedOf(key, scope)), key).toBe(row[`${prefix}${key}`]);
  }
  for (const [key, column] of CONVERTED.filter(([, name]) => name in row)) {
    expect(text(convertedOf(key, scope)), column).toBe(row[column]);
  }
  expect(isComplete(scope) ? "yes" : "no").toBe(row["is_complete"]);
}

describe("figures", () => {
  test.prop([drawn], { numRuns: 150 })("are those of the summary files, row by row", (book) => {
    const { books, tables, sums } = made(book);
    const prefix = methodPrefix(books.context.methods.reference);
    for (const { path, names } of FILES) {
      const rows = rowsIn(tables, path);
      const scopes = scopesOf(sums, names);
      const titles = (of: Row | Scope["cell"]) => names.map((name) => of[name]).join(" ");
      expect(scopes.map(({ cell }) => titles(cell))).toEqual(rows.map(titles));
      for (const [at, row] of rows.entries()) {
        expectRow(row, scopes[at] as Scope, prefix);
      }
    }
  });

  test.prop([drawn], { numRuns: 150 })("that are not known, or not wholly, say why", (book) => {
    const { sums } = made(book);
    for (const scope of FILES.flatMap(({ names }) => scopesOf(sums, names))) {
      const known = KEYS.flatMap((key) => [ownOf(key, scope), comparedOf(key, scope), convertedOf(key, scope)]);
      expect(known.filter((one) => one?.amount === null && one.lacks.length === 0)).toEqual([]);
      if (isComplete(scope)) {
        expect(known.filter((one) => one?.lacks.some((why) => why !== "not_given"))).toEqual([]);
      }
    }
  });

  test("have a name, a meaning and a key of their own", () => {
    for (const of of [KEYS, FIGURES.map(({ name }) => name), FIGURES.map(({ meaning }) => meaning)]) {
      expect(new Set(of).size).toBe(FIGURES.length);
    }
  });

  test.prop([drawn, fc.constantFrom("month-2025-02", "uk-2024-25")], { numRuns: 50 })(
    "of months are also those of a period that cuts them",
    ({ fills, options, cuts }, name) => {
      const account = "main";
      const books = { account, ...booksOf(fills, { ...options, funding: null, period: parsePeriod(name) }) };
      const tables = tablesOf(books, { cuts, declared: options.declared ?? [] });
      const sums = sumsOf([books], cubeOf([books], null, cuts));
      const prefix = methodPrefix(methodsOf(options.method ?? "average").reference);
      for (const [at, row] of rowsIn(tables, "summary-months.csv").entries()) {
        expectRow(row, scopesOf(sums, ["currency", "month"])[at] as Scope, prefix);
      }
    },
  );
});
