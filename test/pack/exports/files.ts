import { strFromU8, unzipSync } from "fflate";
import { ZERO } from "../../../lambda/core/amount.ts";
import { localTime } from "../../../lambda/core/period.ts";
import type { ImportTotal } from "../../../lambda/pack/exports/import-maker.ts";
import { importMakers } from "../../../lambda/pack/exports/imports.ts";
import { DailyCash } from "../../../lambda/pack/exports/movements.ts";
import { CashTally } from "../../../lambda/pack/tables/cash.ts";
import { type Books, cubeOf } from "../../accounting/make.ts";
import { scaled } from "../../support/amounts.ts";

export interface MadeImports {
  /** By name within imports/. */
  readonly texts: ReadonlyMap<string, string>;
  readonly rows: ReadonlyMap<string, number>;
  readonly totals: readonly ImportTotal[];
}

/**
 * The files of imports/, blockpit.xlsx as the text of its rows. The fills come in batches that begin at 0 and
 * at each of `cuts`.
 */
export function importsOf(books: Books, cuts: readonly number[] = []): MadeImports {
  const { context } = books;
  const makers = importMakers(context, new DailyCash(context, new CashTally(context).transfers));
  const begun = makers.map((maker) => maker.begin());
  // Batch by batch, as in a pack.
  const added = cubeOf(books, cuts).batches.map((days) => makers.map((maker) => maker.addDays(days)));
  const texts = makers.map((maker, at) => {
    const end = maker.end();
    return typeof end === "string" ? begun[at] + added.map((own) => own[at]).join("") + end : cellsOf(end);
  });
  const nameOf = ({ path }: { readonly path: string }) => path.replace("imports/", "");
  return {
    texts: new Map(makers.map((maker, at) => [nameOf(maker), texts[at] ?? ""])),
    rows: new Map(makers.map((maker) => [nameOf(maker), maker.rows])),
    totals: makers.flatMap(({ totals }) => totals),
  };
}

/** The first sheet of a workbook of texts, as CSV. */
function cellsOf(workbook: Uint8Array): string {
  const sheet = strFromU8(unzipSync(workbook)["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
  return [...sheet.matchAll(/<row .*?<\/row>/g)].map(([row]) => rowText(row)).join("");
}

function rowText(row: string): string {
  const cells = Array.from({ length: COLUMNS }, () => "");
  for (const { groups } of row.matchAll(/<c r="(?<column>[A-Z])\d+"[^>]*>.*?<t[^>]*>(?<text>[^<]*)<\/t>/g)) {
    cells[(groups?.["column"] ?? "A").charCodeAt(0) - 65] = groups?.["text"] ?? "";
  }
  return `${cells.join(",")}\r\n`;
}

/** Of Blockpit's template. */
const COLUMNS = 11;

/** What cash must move by on each local day in each currency, received less sent; without zeros. */
export function cashByDay({ booked, context, own }: Books): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  const add = (time: number, currency: string, amount: bigint) => {
    const key = `${localTime(time, context.period.zone).slice(0, 10)} ${currency}`;
    sums[key] = (sums[key] ?? 0n) + amount;
  };
  for (const { time, trade, realised } of booked) {
    add(time, trade?.currency ?? "", scaled((realised?.gross ?? ZERO).minus(trade?.fee ?? ZERO)));
  }
  for (const { time, currency, amount } of [...(own.funding ?? []), ...(own.transfers ?? [])]) {
    add(time, currency, scaled(amount));
  }
  return withoutZeros(sums);
}

export function withoutZeros(sums: Readonly<Record<string, bigint>>): Record<string, bigint> {
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));
}
