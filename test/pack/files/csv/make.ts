import type { DeclaredPosition } from "../../../../lambda/accounting/booked.ts";
import type { Converter } from "../../../../lambda/accounting/rates/converter.ts";
import type { Fill } from "../../../../lambda/core/fill.ts";
import type { StatedBalance } from "../../../../lambda/inputs/balances.ts";
import { balanceMaker } from "../../../../lambda/pack/files/csv/balance.ts";
import { closedTradesMaker } from "../../../../lambda/pack/files/csv/closed-trades.ts";
import { controlTotalsMaker } from "../../../../lambda/pack/files/csv/control-totals.ts";
import { disposalsMaker } from "../../../../lambda/pack/files/csv/disposals.ts";
import { ExceptionsMaker } from "../../../../lambda/pack/files/csv/exceptions.ts";
import { openLotsMaker } from "../../../../lambda/pack/files/csv/open-lots.ts";
import { type EndConverter, openPositionsMaker } from "../../../../lambda/pack/files/csv/open-positions.ts";
import { realisedPnlMaker } from "../../../../lambda/pack/files/csv/realised-pnl.ts";
import { summaryMakers } from "../../../../lambda/pack/files/csv/summary.ts";
import type { ImportTotal } from "../../../../lambda/pack/files/imports/import-maker.ts";
import type { Closing, FileMaker } from "../../../../lambda/pack/make/maker.ts";
import { feesTable } from "../../../../lambda/pack/tables/fees.ts";
import { csvOf } from "../../../../lambda/pack/writers/csv.ts";
import { type Books, sumsOf } from "../../../accounting/make.ts";
import { readCsv } from "../../../support/rfc4180.ts";

export interface TablesOptions {
  /** Where each batch but the last ends. */
  readonly cuts?: readonly number[];
  readonly converter?: Converter | null;
  readonly endConverter?: EndConverter | null;
  readonly imports?: readonly ImportTotal[];
  readonly declared?: readonly DeclaredPosition[];
  readonly balances?: readonly StatedBalance[];
  readonly cutOff?: readonly Fill[];
  /** The values that the controls get instead. */
  readonly told?: Partial<Closing>;
}

export interface Tables {
  /** By path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly makers: readonly FileMaker[];
  readonly exceptions: ExceptionsMaker;
}

/** All tables of the accounts, as a pack makes them. */
export function tablesOf(books: Books, options: TablesOptions = {}): Tables {
  const {
    cuts = [],
    converter = null,
    endConverter = null,
    imports = [],
    declared = [],
    balances = [],
    cutOff = [],
    told = {},
  } = options;
  const { booked, statement, context } = books;
  const exceptions = new ExceptionsMaker(context);
  const realised = realisedPnlMaker(context, converter);
  const makers: FileMaker[] = [
    exceptions,
    realised,
    ...summaryMakers(context, converter?.to ?? null),
    csvOf(feesTable(context, converter?.to ?? null)),
    closedTradesMaker(context, converter),
    openPositionsMaker(context, endConverter),
    openLotsMaker(context),
    balanceMaker(context, balances).file,
    disposalsMaker(context, converter),
    controlTotalsMaker({ realised, imports: () => imports, transfers: context.transfers, declared }),
  ];
  const texts = new Map(makers.map((maker) => [maker.path, maker.begin()]));
  const append = (maker: FileMaker, text: string) => texts.set(maker.path, (texts.get(maker.path) ?? "") + text);
  append(exceptions, exceptions.cutOffFills(cutOff));
  const ends = [...new Set([...cuts.filter((cut) => cut > 0 && cut < booked.length), booked.length])];
  for (const [at, end] of ends.sort((a, b) => a - b).entries()) {
    for (const maker of makers) {
      append(maker, maker.add(booked.slice(ends[at - 1] ?? 0, end)));
    }
  }
  const proof = {
    complete: true,
    coverage: [],
    gaps: [],
    assumed: { silenceDays: null, vanished: 0 },
    declared: [],
    fills: booked.length,
    sha256: "",
    months: [],
    restatements: { late: 0, changed: 0, enriched: 0 },
  };
  const closing: Closing = {
    statement,
    sums: sumsOf(books, converter),
    proof,
    get exceptions() {
      return exceptions.summary;
    },
    cash: [],
    converted: null,
    ...told,
  };
  for (const maker of makers) {
    append(maker, String(maker.end(closing)));
  }
  return { texts, makers, exceptions };
}

export type Row = Readonly<Record<string, string>>;

/** The rows of a table as objects, read by RFC 4180. */
export function rowsIn({ texts }: Pick<Tables, "texts">, path: string): Row[] {
  const text = texts.get(path) ?? "";
  if (!text.startsWith("\uFEFF")) {
    throw new TypeError(`${path} has no byte order mark`);
  }
  const [header = [], ...records] = readCsv(text.slice(1));
  return records.map((record) => {
    if (record.length !== header.length) {
      throw new TypeError(`${path}: a record of ${record.length} fields under ${header.length} names`);
    }
    return Object.fromEntries(header.map((name, at) => [name, record[at] ?? ""]));
  });
}

/** A plain decimal × 10^36, by its digits. An empty cell is 0. */
export function exact(text = ""): bigint {
  const {
    sign = "",
    whole = "0",
    fraction = "",
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d{1,36}))?$/.exec(text === "" ? "0" : text)?.groups ?? fail(text);
  return BigInt(`${sign}${whole}${fraction.padEnd(36, "0")}`);
}

function fail(text: string): never {
  throw new TypeError(`not a plain decimal: ${text}`);
}

/** Σ of a column, × 10^36. */
export function total(rows: readonly Row[], column: string): bigint {
  return rows.reduce((sum, row) => sum + exact(row[column]), 0n);
}

/** The cells of a row that are not empty, without `account`. */
export function filled({ account: _, ...row }: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== ""));
}
