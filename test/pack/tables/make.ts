import type { RateConverter } from "../../../lambda/accounting/rates/converter.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import type { StatedBalance } from "../../../lambda/inputs/tables.ts";
import type { ImportTotal } from "../../../lambda/pack/exports/import-maker.ts";
import { tableMakers } from "../../../lambda/pack/make/contents.ts";
import type { Closing, FileMaker } from "../../../lambda/pack/make/maker.ts";
import { CashTally } from "../../../lambda/pack/tables/cash.ts";
import { FillSums } from "../../../lambda/pack/tables/control.ts";
import { controlsTable } from "../../../lambda/pack/tables/controls.ts";
import { ExceptionsMaker } from "../../../lambda/pack/tables/exceptions.ts";
import { CsvMaker } from "../../../lambda/pack/writers/csv.ts";
import { type Books, inCurrency } from "../../accounting/make.ts";
import { read } from "../../accounting/rational.ts";
import { unitsOf } from "../../support/amounts.ts";
import { recordsOf } from "../../support/rfc4180.ts";
import { closingOf, filesOf } from "../books.ts";

export interface TablesOptions {
  /** Where batches end. */
  readonly cuts?: readonly number[];
  readonly converter?: RateConverter | null;
  readonly imports?: readonly ImportTotal[];
  readonly balances?: readonly StatedBalance[];
  readonly cutOff?: readonly Fill[];
  /** The values that the controls get instead. */
  readonly told?: Partial<Closing>;
}

export type Tables = ReturnType<typeof tablesOf>;

/** All tables of the accounts, as a pack makes them. */
export function tablesOf(own: Books, options: TablesOptions = {}) {
  const { cuts = [], converter = null, imports = [], balances, cutOff = [], told = {} } = options;
  const given = {
    ...own.own,
    ...(balances === undefined ? {} : { balances }),
  };
  const books = inCurrency({ ...own, own: given, context: { ...own.context, accounts: [given] } }, converter);
  const { booked, context } = books;
  const exceptions = new (class extends ExceptionsMaker {
    override begin(): string {
      return super.begin() + this.cutOffFills(context.name, cutOff);
    }
  })(context);
  const sums = new FillSums();
  const cash = new CashTally(context);
  const makers: FileMaker[] = [
    exceptions,
    ...tableMakers(context),
    new CsvMaker(controlsTable(context, { sums, imports: () => imports, form: null, transfers: cash.transfers })),
  ];
  for (const posted of booked) {
    sums.add(posted);
  }
  cash.add(booked);
  const closing = (): Closing => ({
    ...closingOf(books),
    get exceptions() {
      return exceptions.summary;
    },
    cash: cash.end(),
    ...told,
  });
  const files = filesOf(makers, books, closing, cuts);
  return { texts: new Map([...files].map(([path, body]) => [path, body.toString()])), makers, exceptions };
}

export type Row = Readonly<Record<string, string>>;

/** The rows of a table as objects, read by RFC 4180. */
export function rowsIn({ texts }: Pick<Tables, "texts">, path: string): Row[] {
  const text = texts.get(path) ?? "";
  if (!text.startsWith("\uFEFF")) {
    throw new TypeError(`${path} has no byte order mark`);
  }
  return recordsOf(text);
}

/** A plain decimal × 10^36, by its digits. An empty cell is 0. */
export function exact(text = ""): bigint {
  return unitsOf(read(text || "0"));
}

/** Σ of a column, × 10^36. */
export function total(rows: readonly Row[], column: string): bigint {
  return rows.reduce((sum, row) => sum + exact(row[column]), 0n);
}

/** The cells of a row that are not empty, without `account`. */
export function filled({ account: _, ...row }: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ""));
}
