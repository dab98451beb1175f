import { type FigureKey, figureOf, ownOf } from "../../accounting/cube/figures.ts";
import type { Scope } from "../../accounting/cube/scopes.ts";
import { count as countText } from "../../core/text.ts";
import { isGiven } from "../make/given.ts";
import type { PackContext } from "../make/maker.ts";
import { mainFigure } from "../tables/figure-column.ts";
import { formatOf } from "./columns.ts";
import type { HtmlValue } from "./html.ts";
import { NOT_KNOWN, partial } from "./parts.ts";
import { type ListColumn, numberColumn } from "./table.ts";

/** A figure of a row. Empty: the user gave no file for it. */
export function figureCell(key: FigureKey, scope: Scope, currency: string, of: typeof ownOf = ownOf): HtmlValue {
  const { amount, lacks } = of(key, scope) ?? { amount: null, lacks: [] };
  if (amount === null) {
    return lacks.includes("not_given") ? null : NOT_KNOWN;
  }
  const shown = figureOf(key).unit === "count" ? countText(Number(String(amount))) : formatOf(key)(amount, currency);
  return lacks.some((why) => why !== "not_given") ? partial(shown) : shown;
}

/** Short heads for tables whose caption says what is net. */
const HEADS: Readonly<Partial<Record<FigureKey, string>>> = {
  funding: "Funding",
  gross_pnl: "Gross PnL",
  realised_pnl_net_of_fees_excl_funding: "Net PnL",
  realised_pnl_net_incl_funding: "Net PnL",
};

/** The figures of a row in its settlement currency. `own`: the head of those by the chosen method. */
export function figureColumns(context: PackContext, currency: string, own: string): ListColumn<Scope>[] {
  const column = (key: FigureKey, group?: string) =>
    numberColumn<Scope>(HEADS[key] ?? figureOf(key).name, (scope) => figureCell(key, scope, currency), group);
  return [
    column("fills"),
    column("volume"),
    column("net_fees"),
    ...(isGiven(context, "funding") ? [column("funding")] : []),
    column("gross_pnl", own),
    column("fees_recognised", own),
    column(mainFigure(context), own),
  ];
}
