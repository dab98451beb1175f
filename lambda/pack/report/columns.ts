import { convertedOf, type FigureKey, figureOf, ownOf } from "../../accounting/cube/figures.ts";
import type { Scope } from "../../accounting/cube/scopes.ts";
import type { Amount } from "../../core/amount.ts";
import { count } from "../../core/text.ts";
import { isGiven } from "../make/given.ts";
import type { PackContext } from "../make/maker.ts";
import type { Type } from "../tables/field.ts";
import { mainFigure } from "../tables/figure-column.ts";
import type { Column, Value } from "../tables/table.ts";
import { type HtmlValue, outside, symbol } from "./html.ts";
import { averagePrice, money, result, signedMoney, units, utc } from "./numbers.ts";
import { LONGEST, NOT_KNOWN, partial } from "./parts.ts";
import { type ListColumn, numberColumn } from "./table.ts";

interface Shown<Row> {
  /** Of the amounts in a row. */
  readonly currency?: (row: Row) => string;
  /** Stands where nothing is known. */
  readonly empty?: HtmlValue;
}

const KINDS: Readonly<Record<Type, NonNullable<ListColumn<unknown>["kind"]>>> = {
  ...{ text: "text", note: "text", time: "text", day: "text" },
  ...{ count: "number", money: "number", rate: "quantity", quantity: "quantity" },
};

/**
 * Columns of a pack's table as the page shows them: the same heads and cells as in its file, in the order of `keys`.
 */
export function tableColumns<Row>(
  columns: readonly Column<Row>[],
  keys: readonly string[],
  { currency = () => "", empty = null }: Shown<Row> = {},
): ListColumn<Row>[] {
  return keys.flatMap((key) =>
    columns
      .filter((own) => own.name === key)
      .map((own) => ({
        head: own.kind === "time" ? `${own.head}, UTC` : own.head,
        kind: KINDS[own.kind],
        cell: (row) => {
          const value = own.of(row) ?? "";
          return value === "" ? empty : cellOf(own, value, currency(row));
        },
      })),
  );
}

/** The keys that say whose a row is, and of which market. */
export function whose({ accounts }: PackContext): readonly string[] {
  return accounts.length === 1 ? ["market"] : ["market", "account"];
}

function cellOf<Row>({ name, kind, isSigned }: Column<Row>, value: NonNullable<Value>, currency: string): HtmlValue {
  switch (kind) {
    case "time":
      return utc(Number(value));
    case "count":
      return count(Number(value));
    case "money":
      return (isSigned === true ? signedMoney : money)(value as Amount, currency);
    case "quantity":
      return name.startsWith("average_")
        ? averagePrice(value as Amount)
        : units(value as Amount, isSigned === true ? "sign" : "none");
    case "rate":
      return /^-?\d+(\.\d+)?$/.test(String(value)) ? units(String(value)) : outside(String(value));
    case "note":
      return outside(String(value), LONGEST);
    default:
      return (/^(market|currency|from)$/.test(name) ? symbol : outside)(String(value));
  }
}

const FORMATS = { gain: result, position: signedMoney, cost: money, none: money } as const;

/** A figure in its own currency or, if one is given, in the reporting currency. */
export type Of = typeof ownOf;

export const inReport: Of = (key, scope) => convertedOf(key, scope) ?? { amount: null, lacks: [] };

/** A figure of a row. Empty: the user gave no file for it. */
export function figureCell(key: FigureKey, scope: Scope, currency: string, of: Of = ownOf): HtmlValue {
  const { amount, lacks } = of(key, scope);
  if (amount === null) {
    return lacks.includes("not_given") ? null : NOT_KNOWN;
  }
  const { unit, sign } = figureOf(key);
  const shown = unit === "count" ? count(Number(String(amount))) : FORMATS[sign](amount, currency);
  return lacks.length > 0 ? partial(shown) : shown;
}

export function figureColumns(keys: readonly FigureKey[], currency: string, of?: Of): ListColumn<Scope>[] {
  return keys.map((key) => numberColumn(figureOf(key).name, (scope) => figureCell(key, scope, currency, of)));
}

/** What fills cost, and what closes gave, of a row. */
export function breakdownKeys(context: PackContext): FigureKey[] {
  const funding: FigureKey[] = isGiven(context, "funding") ? ["funding"] : [];
  return ["fills", "volume", "net_fees", ...funding, "gross_pnl", "fees_recognised", mainFigure(context)];
}
