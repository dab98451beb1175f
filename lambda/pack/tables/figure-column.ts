import { convertedOf, type FigureKey, figureOf, ownOf } from "../../accounting/cube/figures.ts";
import type { Scope } from "../../accounting/cube/scopes.ts";
import type { Column } from "./table.ts";

/** A figure as a column. */
export function figureColumn(key: FigureKey): Column<Scope> {
  const { name, meaning, unit } = figureOf(key);
  const common = { key, head: name, meaning, of: (row: Scope) => ownOf(key, row).amount, isSummed: true } as const;
  return unit === "count" ? { ...common, type: "count", isRequired: true } : { ...common, type: "money" };
}

/** A figure in the reporting currency. None if it is not converted. */
export function convertedColumn(key: FigureKey, currency: string): readonly Column<Scope>[] {
  const { name, converted } = figureOf(key);
  return converted === undefined
    ? []
    : [
        {
          ...{ key: converted[0], head: `${name}, in ${currency}`, meaning: converted[1], type: "money" },
          ...{ of: (row) => convertedOf(key, row)?.amount, isSummed: true },
        },
      ];
}
