import { type Amount, readAmount, totalOf, ZERO } from "../../core/amount.ts";
import type { AccountStores, PackDetails } from "../packs.ts";
import { fileNamed, isReadable, readPackText } from "./catalogue.ts";
import { addedUp, type Row, rowsOf } from "./csv-rows.ts";

/**
 * Figures of one currency by the pack's chosen method. Null: the pack does not state the figure, because it
 * is not known or does not apply.
 */
export interface CurrencyFigures {
  readonly currency: string;
  /** Realised PnL net of fees, and including funding if the pack has funding. */
  readonly net: Amount | null;
  readonly gross: Amount | null;
  /** Fees of closed positions. */
  readonly fees: Amount | null;
  /** Null if the user gave no funding file. */
  readonly funding: Amount | null;
  readonly volume: Amount | null;
  /** Cost of the positions open at the end; long counts positive, short negative. */
  readonly openValue: Amount | null;
  readonly fills: string;
  /** The number of closes with unknown PnL. No total includes them. */
  readonly unknownCloses: string;
}

/** Totals of all currencies, converted into the reporting currency. Null: as in CurrencyFigures. */
export type ConvertedFigures = Pick<
  CurrencyFigures,
  "currency" | "net" | "gross" | "fees" | "funding" | "unknownCloses"
>;

export interface Totals {
  readonly totals: readonly CurrencyFigures[];
  /** Null: nothing is converted. */
  readonly converted: ConvertedFigures | null;
}

export interface MonthFigures {
  /** `2025-03` */
  readonly month: string;
  /** As `net` of the currency. */
  readonly net: Amount | null;
}

export interface KeyFigures extends Totals {
  /** By currency, in order; currencies without months are absent. */
  readonly months: ReadonlyMap<string, readonly MonthFigures[]>;
  /** By currency; currencies without open positions are absent. Null: the pack does not state it. */
  readonly open: ReadonlyMap<string, OpenFigures> | null;
}

export interface OpenFigures {
  /** Open at the end. */
  readonly positions: number;
  /** The number of markets whose open position is not known. */
  readonly unknownMarkets: number;
}

const TOTALS = "summary.csv";
const MONTHS = "summary-months.csv";
const OPEN = "open-positions.csv";

/**
 * Reads the pack's own files and checks their hashes. Null if it has no totals, or if they are too large.
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
        ...sumsIn(totals),
        months: monthsIn(months ?? ""),
        open: typeof open === "string" ? openIn(open) : null,
      }
    : null;
}

type TotalRow = Row<
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
  | "report_currency"
  | "gross_pnl_converted"
  | "fees_recognised_converted"
  | "net_converted"
  | "funding_converted"
>;

export function sumsIn(text: string): Totals {
  const rows = addedUp(rowsOf<keyof TotalRow>(text), ["currency"]);
  return { totals: totalsIn(rows), converted: convertedIn(rows) };
}

/** As the report's first figures: what is known of each currency, added up; funding counts in the net. */
function convertedIn(rows: readonly TotalRow[]): ConvertedFigures | null {
  const [first] = rows;
  if (first?.report_currency === undefined || first.net_converted === undefined) {
    return null;
  }
  const total = (of: (row: TotalRow) => string | undefined) => knownTotal(rows.map((row) => amountIn(of(row))));
  const [net, funding] = [total((row) => row.net_converted), total((row) => row.funding_converted)];
  const hasFunding = rows.some((row) => row.funding_converted !== undefined);
  return {
    currency: first.report_currency,
    net: net === null ? null : net.plus(funding ?? ZERO),
    gross: total((row) => row.gross_pnl_converted),
    fees: total((row) => row.fees_recognised_converted),
    funding: hasFunding ? (funding ?? ZERO) : null,
    unknownCloses: String(rows.reduce((sum, row) => sum + closesIn(row), 0)),
  };
}

/** The sum of what is known; null if nothing is. */
export function knownTotal(amounts: readonly (Amount | null)[]): Amount | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : totalOf(known, (amount) => amount);
}

function closesIn({ closes_with_unknown_pnl: closes = "" }: TotalRow): number {
  return /^\d{1,15}$/.test(closes) ? Number(closes) : 0;
}

/** The currency with the most fills comes first, as in the report. */
function totalsIn(rows: readonly TotalRow[]): CurrencyFigures[] {
  return rows
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
    }))
    .sort((a, b) => (Number(b.fills) || 0) - (Number(a.fills) || 0));
}

function netOf(row: Pick<TotalRow, "realised_pnl_net_incl_funding" | "realised_pnl_net_of_fees_excl_funding">) {
  return amountIn(row.realised_pnl_net_incl_funding) ?? amountIn(row.realised_pnl_net_of_fees_excl_funding);
}

export function monthsIn(text: string): ReadonlyMap<string, readonly MonthFigures[]> {
  const all = rowsOf<keyof TotalRow | "month">(text).filter(({ month }) => /^\d{4}-\d{2}$/.test(month ?? ""));
  const rows = addedUp<keyof TotalRow | "month">(all, ["currency", "month"]);
  const months = rows.map((row) => ({ currency: row.currency ?? "", month: row.month ?? "", net: netOf(row) }));
  return Map.groupBy(months, ({ currency }) => currency);
}

function openIn(text: string): ReadonlyMap<string, OpenFigures> {
  const byCurrency = Map.groupBy(rowsOf<"currency" | "quantity">(text), ({ currency }) => currency ?? "");
  return new Map(
    [...byCurrency].map(([currency, rows]) => {
      const positions = rows.filter(({ quantity = "" }) => quantity !== "").length;
      return [currency, { positions, unknownMarkets: rows.length - positions }];
    }),
  );
}

function amountIn(text: string | undefined): Amount | null {
  return text === undefined ? null : readAmount(text);
}
