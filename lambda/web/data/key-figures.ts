import { type Amount, parseAmount } from "../../accounting/amount.ts";
import type { AccountStores, PackDetails, PackEntry } from "../packs.ts";
import { fileNamed, isReadable, readPackText, readUnchecked } from "./catalogue.ts";
import { type Row, rowsOf } from "./csv-rows.ts";

/**
 * Figures of one currency by the pack's chosen method. Null: the pack does not say, because it is not known
 * or there is none.
 */
export interface CurrencyFigures {
  readonly currency: string;
  /** Realised PnL net of fees; with funding where there is some. */
  readonly net: Amount | null;
  readonly gross: Amount | null;
  /** Of what was closed. */
  readonly fees: Amount | null;
  /** Null: the user gave no file of it. */
  readonly funding: Amount | null;
  readonly volume: Amount | null;
  /** Cost of what is open at the end: a long counts positive, a short negative. */
  readonly openValue: Amount | null;
  readonly fills: string;
  /** Closes whose PnL is not known: no total has them. */
  readonly unknownCloses: string;
}

export interface MonthFigures {
  /** `2025-03` */
  readonly month: string;
  /** As that of the currency. */
  readonly net: Amount | null;
}

export interface KeyFigures {
  readonly totals: readonly CurrencyFigures[];
  /** By currency, in order; of a currency without months, none. */
  readonly months: ReadonlyMap<string, readonly MonthFigures[]>;
  /** By currency; of a currency without any, none. Null: the pack does not say. */
  readonly open: ReadonlyMap<string, OpenFigures> | null;
}

export interface OpenFigures {
  /** Open at the end. */
  readonly positions: number;
  /** Markets in which it is not known what is open. */
  readonly unknownMarkets: number;
}

const TOTALS = "summary.csv";
const MONTHS = "summary-months.csv";
const OPEN = "open-positions.csv";

/**
 * From the pack's own files, each compared with its hash; null: it has no totals, or they are too large.
 * Throws `untrusted`.
 */
export async function readKeyFigures(stores: AccountStores, pack: PackDetails): Promise<KeyFigures | null> {
  const [totals, months, open] = await Promise.all(
    [TOTALS, MONTHS, OPEN].map(async (name) => {
      const file = fileNamed(pack, name);
      return file !== undefined && isReadable(file) ? await readPackText(stores, pack, name) : null;
    }),
  );
  return typeof totals === "string"
    ? {
        totals: totalsIn(totals),
        months: monthsIn(months ?? ""),
        open: typeof open === "string" ? openIn(open) : null,
      }
    : null;
}

/**
 * The totals alone, the file's hash not compared, as for a list; null: there is no such file, or it is too
 * large.
 */
export async function readTotals(stores: AccountStores, pack: PackEntry): Promise<readonly CurrencyFigures[] | null> {
  const text = await readUnchecked(stores, pack, TOTALS);
  return text === null ? null : totalsIn(text);
}

type TotalRow = Row<
  | "scope"
  | "chosen"
  | "currency"
  | "fills"
  | "volume"
  | "closes_with_unknown_pnl"
  | "gross_pnl"
  | "fees_recognised"
  | "realised_pnl_net_of_fees_excl_funding"
  | "funding"
  | "realised_pnl_net_incl_funding"
  | "open_value_at_end"
>;

export function totalsIn(text: string): CurrencyFigures[] {
  return rowsOf<keyof TotalRow>(text)
    .filter(({ scope, chosen }) => scope === undefined || (scope === "total" && chosen === "yes"))
    .map((row) => ({
      currency: row.currency ?? "",
      net: netOf(row),
      gross: amountIn(row.gross_pnl),
      fees: amountIn(row.fees_recognised),
      funding: amountIn(row.funding),
      volume: amountIn(row.volume),
      openValue: amountIn(row.open_value_at_end),
      fills: row.fills ?? "",
      unknownCloses: row.closes_with_unknown_pnl ?? "0",
    }));
}

function netOf(row: Pick<TotalRow, "realised_pnl_net_incl_funding" | "realised_pnl_net_of_fees_excl_funding">) {
  return amountIn(row.realised_pnl_net_incl_funding) ?? amountIn(row.realised_pnl_net_of_fees_excl_funding);
}

export function monthsIn(text: string): ReadonlyMap<string, readonly MonthFigures[]> {
  const rows = rowsOf<keyof TotalRow | "month">(text).filter(({ month }) => /^\d{4}-\d{2}$/.test(month ?? ""));
  const months = rows.map((row) => ({ currency: row.currency ?? "", month: row.month ?? "", net: netOf(row) }));
  return Map.groupBy(months, ({ currency }) => currency);
}

export function openIn(text: string): ReadonlyMap<string, OpenFigures> {
  const byCurrency = Map.groupBy(rowsOf<"currency" | "quantity">(text), ({ currency }) => currency ?? "");
  return new Map(
    [...byCurrency].map(([currency, rows]) => {
      const positions = rows.filter(({ quantity = "" }) => quantity !== "").length;
      return [currency, { positions, unknownMarkets: rows.length - positions }];
    }),
  );
}

function amountIn(text: string | undefined): Amount | null {
  return text === undefined ? null : parseAmount(text);
}
