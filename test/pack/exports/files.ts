import { strFromU8, unzipSync } from "fflate";
import type { Funding } from "../../../lambda/accounting/booked.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import { localTime } from "../../../lambda/core/period.ts";
import { ImportMaker } from "../../../lambda/pack/exports/import-maker.ts";
import { DailyCash } from "../../../lambda/pack/exports/movements.ts";
import { TOOLS } from "../../../lambda/pack/exports/tools.ts";
import { CashTally } from "../../../lambda/pack/tables/cash.ts";
import type { Books } from "../../accounting/make.ts";
import { scaled } from "../../support/amounts.ts";
import { filesOf } from "../books.ts";
import type { Kind } from "./tools.ts";

/** The files of imports/, blockpit.xlsx as the text of its rows. `cuts`: where batches of fills end. */
export function importsOf(books: Books, cuts: readonly number[] = []) {
  const { context } = books;
  const cash = new DailyCash(context, new CashTally(context).transfers);
  const makers = TOOLS.map((tool) => new ImportMaker(tool, context, cash));
  const files = filesOf(makers, books, undefined, cuts);
  const nameOf = (path: string) => path.replace("imports/", "");
  return {
    /** By name within imports/. */
    texts: new Map(
      [...files].map(([path, body]) => [nameOf(path), path.endsWith(".xlsx") ? cellsOf(body) : body.toString()]),
    ),
    rows: new Map(makers.map(({ path, rows }) => [nameOf(path), rows])),
    totals: makers.flatMap(({ totals }) => totals),
  };
}

/** The first sheet of a workbook of texts, as CSV. */
function cellsOf(workbook: Uint8Array): string {
  const sheet = strFromU8(unzipSync(workbook)["xl/worksheets/sheet1.xml"] ?? new Uint8Array());
  const rows = [...sheet.matchAll(/<row .*?<\/row>/g)].map(([row]) => row);
  const [head = ""] = rows; // no cell of it is empty
  return rows.map((row) => rowText(row, head.split("<c ").length - 1)).join("");
}

function rowText(row: string, width: number): string {
  const cells = Array.from({ length: width }, () => "");
  for (const { groups } of row.matchAll(/<c r="(?<column>[A-Z])\d+"[^>]*>.*?<t[^>]*>(?<text>[^<]*)<\/t>/g)) {
    cells[(groups?.["column"] ?? "A").charCodeAt(0) - 65] = groups?.["text"] ?? "";
  }
  return `${cells.join(",")}\r\n`;
}

/** A movement that every import file must have, by the cash convention. */
export interface Expected {
  /** Of a deposit or withdrawal its own, else 10:00 UTC of the local day. ms UTC */
  readonly time: number;
  readonly kind: Kind;
  /** Null for a deposit or withdrawal. */
  readonly market: string | null;
  readonly currency: string;
  /** × 10^36, above zero */
  readonly amount: bigint;
}

/** Net fees, gains, losses and funding of each local day and market, and each transfer. */
export function movementsOf({ booked, context, own: { funding, transfers } }: Books): Expected[] {
  const sums = new Map<string, Expected & { readonly paid: Kind }>();
  const add = (group: string, [kind, paid]: readonly [Kind, Kind], own: Omit<Funding, "amount">, amount: bigint) => {
    const { market, currency } = own;
    const day = localTime(own.time, context.period.zone).slice(0, 10);
    const key = [group, market, currency, day].join();
    const time = Date.parse(`${day}T10:00:00Z`);
    sums.set(key, { time, kind, paid, market, currency, amount: (sums.get(key)?.amount ?? 0n) + amount });
  };
  for (const { trade, realised } of booked) {
    if (trade !== null) {
      const gross = scaled(realised?.gross ?? ZERO);
      add(gross > 0n ? "profit" : "loss", ["profit", "loss"], trade, gross);
      add("fees", ["rebate", "fee"], trade, -scaled(trade.fee));
    }
  }
  for (const payment of funding ?? []) {
    add("funding", ["fundingReceived", "fundingPaid"], payment, scaled(payment.amount));
  }
  const traded = [...sums.values()].map(({ paid, ...sum }) => ({ ...sum, kind: sum.amount > 0n ? sum.kind : paid }));
  const transferred = (transfers ?? []).map(({ time, currency, amount }): Expected => {
    const kind = amount.gt(ZERO) ? "deposit" : "withdrawal";
    return { time, kind, market: null, currency, amount: scaled(amount) };
  });
  return [...traded, ...transferred]
    .filter(({ amount }) => amount !== 0n)
    .map((one) => ({ ...one, amount: one.amount < 0n ? -one.amount : one.amount }));
}

export function isReceived(kind: Kind): boolean {
  return ["profit", "rebate", "fundingReceived", "deposit"].includes(kind);
}

/** What cash must move by, received less sent, by what `keyOf` takes; without zeros. */
export function cashBy(books: Books, keyOf: (of: Expected) => string): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const one of movementsOf(books)) {
    const key = keyOf(one);
    sums[key] = (sums[key] ?? 0n) + (isReceived(one.kind) ? one.amount : -one.amount);
  }
  return withoutZeros(sums);
}

export function withoutZeros(sums: Readonly<Record<string, bigint>>): Record<string, bigint> {
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0n));
}
