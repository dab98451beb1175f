import type { Amount } from "../../core/amount.ts";
import { count } from "../../core/text.ts";
import type { Column, Type, Value } from "../tables/table.ts";
import { type Html, type HtmlValue, outside, symbol } from "./html.ts";
import { averagePrice, money, result, signedMoney, units, utc } from "./numbers.ts";
import type { ListColumn } from "./table.ts";

interface Shown<Row> {
  /** Of the amounts in a row. */
  readonly currency?: (row: Row) => string;
  /** Stands where nothing is known. */
  readonly empty?: HtmlValue;
  readonly group?: string;
}

const KINDS: Readonly<Record<Type, NonNullable<ListColumn<unknown>["kind"]>>> = {
  ...{ text: "text", note: "text", time: "text", day: "text" },
  ...{ count: "number", money: "number", rate: "number", quantity: "quantity" },
};

/** Columns of a pack's table as the page shows them: the same heads and cells as in its file. */
export function tableColumns<Row>(
  columns: readonly Column<Row>[],
  keys: readonly string[],
  { currency = () => "", empty = null, group }: Shown<Row> = {},
): ListColumn<Row>[] {
  return keys.map((key) => {
    const own = columns.find((one) => one.key === key);
    if (own === undefined) {
      throw new RangeError(`no column ${key}`);
    }
    const { head, type, of } = own;
    return {
      head: type === "time" ? `${head}, UTC` : head,
      kind: KINDS[type],
      ...(group === undefined ? {} : { group }),
      cell: (row) => {
        const value = of(row) ?? "";
        return value === "" ? empty : cellOf(own, value, currency(row));
      },
    };
  });
}

function cellOf<Row>({ key, type, isSigned }: Column<Row>, value: NonNullable<Value>, currency: string): HtmlValue {
  switch (type) {
    case "time":
      return utc(Number(value));
    case "count":
      return count(Number(value));
    case "money":
      return (isSigned === true ? signedMoney : formatOf(key))(value as Amount, currency);
    case "quantity":
      return (key.startsWith("average_") ? averagePrice : units)(value as Amount);
    default:
      return (/^(market|currency|from)$/.test(key) ? symbol : outside)(String(value));
  }
}

/** What is gained or lost has its sign, and the colour of it. */
const RESULTS = /pnl|gains|losses|^funding$|^net_excl/;
/** What is long or short has its sign. */
const SIGNED = /^open_value_at/;

/** How an amount of a column or figure is written. */
export function formatOf(key: string): (amount: Amount, currency: string) => Html {
  if (RESULTS.test(key)) {
    return result;
  }
  return SIGNED.test(key) ? signedMoney : money;
}
