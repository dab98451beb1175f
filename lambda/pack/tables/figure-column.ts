import type { Money } from "../../accounting/cube/cell.ts";
import { convertedOf, FIGURES, type Figure, type FigureKey, figureOf, ownOf } from "../../accounting/cube/figures.ts";
import type { Scope, Why } from "../../accounting/cube/scopes.ts";
import type { Amount } from "../../core/amount.ts";
import { counted } from "../../core/text.ts";
import { isGiven } from "../make/given.ts";
import type { PackContext } from "../make/maker.ts";
import { CSV_ONLY, count, money, REQUIRED, reportCurrency, SUMMED } from "./column.ts";
import type { Column } from "./table.ts";

/** The figure with which every view begins. */
export function mainFigure(context: Pick<PackContext, "accounts">): FigureKey {
  return isGiven(context, "funding") ? "realised_pnl_net_incl_funding" : "realised_pnl_net_of_fees_excl_funding";
}

/** All figures, or some of them, without those that need a file that was not given. */
export function shownFigures(
  context: Pick<PackContext, "accounts">,
  keys: readonly FigureKey[] = FIGURES.map(({ key }) => key),
): FigureKey[] {
  const [hasFunding, hasMarks] = [isGiven(context, "funding"), isGiven(context, "marks")];
  return keys.filter((key) =>
    key.startsWith("unrealised") ? hasMarks : hasFunding || !/^funding|incl_funding/.test(key),
  );
}

/** The name of a figure, with the number of rows that gains and losses add up. */
export function figureLabel(key: FigureKey, { gainRows, lossRows }: Money): string {
  const rows: Partial<Record<FigureKey, Amount>> = { gains: gainRows, losses: lossRows };
  const number = rows[key];
  return (
    figureOf(key).name + (number === undefined ? "" : `: ${counted(Number(String(number)), "row")} of realised-pnl.csv`)
  );
}

/** A figure as a column. */
export function figureColumn(key: FigureKey): Column<Scope> {
  const { meaning, unit, isCarried } = figureOf(key);
  const of = (row: Scope) => ownOf(key, row).amount;
  const more = isAdded(key) ? SUMMED : {};
  return unit === "count"
    ? count(key, meaning, of, { ...more, ...REQUIRED })
    : money(key, meaning, of, { ...more, ...(isCarried === true ? CSV_ONLY : {}) });
}

/**
 * Whether the rows of a table add up to the figure. One that adds up two others lacks a row where one of them is
 * not known, so its rows may not.
 */
export function isAdded(key: FigureKey): boolean {
  return !(figureOf(key).isCarried || UNEVEN.includes(key));
}

/** What the figure of a column lacks in a row; nothing if the column is not of a figure. */
export function lacksIn(scope: Scope, column: string): readonly Why[] {
  const figure = FIGURES.find(({ key, converted }) => key === column || converted === column);
  return figure?.of(scope, scope.cell).lacks ?? [];
}

const UNEVEN: readonly FigureKey[] = ["realised_pnl_fees_expensed_excl_funding", "realised_pnl_net_incl_funding"];

/** A figure in the reporting currency. None if it is not converted. */
export function convertedColumn(key: FigureKey, currency: string, only: Partial<Column<Scope>> = {}): Column<Scope>[] {
  const { name, unit, converted } = figureOf(key);
  const of = (row: Scope) => convertedOf(key, row)?.amount;
  const meaning = `${key}, with each amount converted at the rate of its day.`;
  const more = { ...(isAdded(key) ? SUMMED : {}), ...only };
  const make = unit === "count" ? count : money;
  return converted === undefined ? [] : [make([converted, `${name}, in ${currency}`], meaning, of, more)];
}

/** The columns of all figures in the settlement currency. */
export function figureColumns(isShown: (figure: Figure<FigureKey>) => boolean = () => true): Column<Scope>[] {
  return FIGURES.filter(isShown).map(({ key }) => figureColumn(key));
}

/** The same in the reporting currency. Sheets show only net PnL. */
export function convertedColumns(context: PackContext): Column<Scope>[] {
  const { converter } = context;
  if (converter === null) {
    return [];
  }
  const { to } = converter;
  return [
    reportCurrency<Scope>(to),
    ...shownFigures(context).flatMap((key) =>
      convertedColumn(key, to, key === "realised_pnl_net_of_fees_excl_funding" ? {} : CSV_ONLY),
    ),
  ];
}
