/**
 * note: text that sheets show whole. time: ms UTC. day: `2025-03-01`. money: an amount in the row's currency.
 * quantity: an amount that is no money, as a price. rate: a number as text.
 */
export type Type = "text" | "note" | "time" | "day" | "count" | "money" | "quantity" | "rate";

/** A column as datapackage.json describes it. */
export interface Field {
  /** Its name in files. */
  readonly name: string;
  readonly kind: Type | "decimal";
  readonly description: string;
  /** True: no cell is empty. */
  readonly required?: boolean;
}
