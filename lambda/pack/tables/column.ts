import type { Opener } from "../../accounting/booked.ts";
import { figureOf } from "../../accounting/cube/figures.ts";
import type { ConvertedResult } from "../../accounting/posted.ts";
import type { Converted } from "../../accounting/rates/converter.ts";
import type { Type } from "./field.ts";
import type { Column, Value } from "./table.ts";

type Of<Row> = (row: Row) => Value;
type More<Row> = Partial<Pick<Column<Row>, "required" | "isSigned" | "isSummed" | "empty" | "width" | "isCsvOnly">>;

/**
 * Makes columns of a kind: their name, description and cell. The head is the figure's of that name, else the name in
 * words, or stands beside it.
 */
function columnsOf(kind: Type) {
  return <Row>(
    named: string | readonly [name: string, head: string],
    description: string,
    of: Of<Row>,
    more: More<Row> = {},
  ) => {
    const [name, head] = typeof named === "string" ? [named, figureOf(named)?.name ?? inWords(named)] : named;
    return { name, head, description, kind, of, ...more } as Column<Row>;
  };
}

/** `Close price` of `close_price` */
function inWords(name: string): string {
  const words = name.replaceAll("_", " ").replace("pnl", "PnL");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const text = columnsOf("text");
export const note = columnsOf("note");
export const time = columnsOf("time");
export const day = columnsOf("day");
export const count = columnsOf("count");
export const money = columnsOf("money");
export const quantity = columnsOf("quantity");
export const rate = columnsOf("rate");

/** No cell of the column is empty. */
export const REQUIRED = { required: true } as const;
/** Only the CSV file has it. */
export const CSV_ONLY = { isCsvOnly: true } as const;
export const SUMMED = { isSummed: true } as const;
/** Long and short, or in and out. */
export const SIGNED = { isSigned: true } as const;

/** Widths of columns that show ids whole, and of short texts. */
export const MATCH_ID = { width: 38 } as const;
export const ORDER_ID = { width: 30 } as const;
const SHORT = { width: 10 } as const;

// Columns that many tables share.

export function account<Row>(of: Of<Row>): Column<Row> {
  return text("account", "Name of the account in fillbook.", of, { ...REQUIRED, ...SHORT });
}

export function month<Row>(of: Of<Row>): Column<Row> {
  return text(
    "month",
    "Calendar month in the period's time zone, for example 2025-03. The first and last month may be partial.",
    of,
    { ...REQUIRED, ...SHORT },
  );
}

export function market<Row>(of: Of<Row>, more: More<Row> = {}): Column<Row> {
  return text("market", "Market name, <BASE>-<QUOTE>.", of, { empty: "no market", ...more });
}

/** The column by which sheets add up. */
export function currency<Row>(of: Of<Row>, more: More<Row> = {}): Column<Row> {
  return text(
    "currency",
    "Settlement currency of the market, and currency of every amount in the row except converted amounts.",
    of,
    { empty: "not known", ...SHORT, ...more },
  );
}

export function method<Row>(name: string): Column<Row> {
  return text("method", "The chosen cost method.", () => name, { ...REQUIRED, ...CSV_ONLY });
}

/** The ids of a fill: `open_match_id` and `open_order_id`. `meanings`: of both. */
export function idColumns<Row>(
  [name, head]: readonly [name: string, head: string],
  meanings: readonly [matchId: string, orderId: string],
  of: (row: Row) => { readonly matchId: string | null; readonly orderId: string | null } | undefined,
  more: More<Row> = {},
): Column<Row>[] {
  const names = (id: string) => [`${name}_${id}`, `${head} ${id}`] as const;
  return [
    text(names("match_id"), meanings[0], (row) => of(row)?.matchId, { ...more, ...MATCH_ID }),
    text(names("order_id"), meanings[1], (row) => of(row)?.orderId, { ...more, ...ORDER_ID }),
  ];
}

/** Of what opened a lot. */
export function openerColumns<Row>(of: (row: Row) => Opener | undefined): Column<Row>[] {
  const match =
    "match_id of the fill that opened the lot (for a pool: of its first fill). Empty for a declared position.";
  return idColumns(["open", "Opening"], [match, "order_id of that fill."], of);
}

/** Before converted amounts. `isIn`: whether the row has some. */
export function reportCurrency<Row>(to: string, isIn: ((row: Row) => boolean) | null = null): Column<Row> {
  const names = ["report_currency", "Report currency"] as const;
  const meaning = "Currency of the converted amounts in the columns that follow.";
  return text(names, meaning, (row) => (isIn === null || isIn(row) ? to : null), {
    ...(isIn === null ? REQUIRED : {}),
    ...CSV_ONLY,
  });
}

/** The rate of a row, and its day. `when`: `on the day of the close`. */
export function rateColumns<Row>(of: (row: Row) => Pick<Converted, "rate" | "rateDate"> | null, when: string) {
  return [
    rate<Row>("rate", `Units of report_currency for 1 unit of currency, ${when}.`, (row) => of(row)?.rate, CSV_ONLY),
    day<Row>(
      ["rate_date", "Date of the rate"],
      "Date of the rate. Empty for a declared par.",
      (row) => of(row)?.rateDate,
      CSV_ONLY,
    ),
  ];
}

/** What a result is in the reporting currency: the rate, and the amounts. Empty if the result is not known. */
export function convertedColumns<Row>(
  to: string,
  of: (row: Row) => ConvertedResult | null,
  { when, fees }: { readonly when: string; readonly fees: string },
): Column<Row>[] {
  return [
    reportCurrency(to, (row) => of(row) !== null),
    ...rateColumns(of, `on the day of ${when}`),
    text(
      ["rate_source", "Source of the rate"],
      "File and series of the rate, or the declared par.",
      (row) => of(row)?.source,
      CSV_ONLY,
    ),
    money(
      ["gross_pnl_converted", `${figureOf("gross_pnl").name}, in ${to}`],
      "gross_pnl converted at the rate, rounded half even.",
      (row) => of(row)?.gross,
      CSV_ONLY,
    ),
    money(
      ["fees_converted", `Fees, in ${to}`],
      `${fees}, converted at the same rate, rounded half even.`,
      (row) => of(row)?.fees,
      CSV_ONLY,
    ),
    money(
      ["net_converted", `${figureOf("realised_pnl_net_of_fees_excl_funding").name}, in ${to}`],
      "gross_pnl_converted − fees_converted. Excludes funding.",
      (row) => of(row)?.net,
      SUMMED,
    ),
  ];
}
