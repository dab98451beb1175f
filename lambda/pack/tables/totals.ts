import { type Cell, projected } from "../../accounting/cube/cell.ts";
import { comparedOf, type Figure, type FigureKey, figureOf, isComplete } from "../../accounting/cube/figures.ts";
import { lacksOf, type Scope, type ScopeName, scopeOf, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { localDays } from "../../core/local-day.ts";
import type { PackContext } from "../make/maker.ts";
import { account, CSV_ONLY, currency, day, market, method, money, month, note, REQUIRED, text } from "./column.ts";
import { convertedColumns, figureColumns, lacksIn } from "./figure-column.ts";
import type { Column, Rows, SheetTable, Table } from "./table.ts";

const COMMON =
  "PnL is by the chosen method. Amounts exclude funding, except in columns with funding in their name. An amount that is not known is empty, never 0.";
const TOTALS_TO = "The rows add up to summary.csv, so use only one of these files for totals.";

const ACCOUNT = account<Scope>(({ cell }) => cell.account);
const MONTH = month<Scope>(({ cell }) => cell.month);
const DAY = day<Scope>(
  "day",
  "Local day in the period's time zone, for example 2025-03-01.",
  ({ cell }) => cell.day,
  REQUIRED,
);
const MARKET = market<Scope>(({ cell }) => cell.market);
const CURRENCY: Column<Scope> = {
  ...currency<Scope>(({ cell }) => cell.currency),
  description: "Currency of every amount in the row except converted amounts. No row adds amounts of two currencies.",
};

/** summary.csv: the totals of the period, also by the method for comparison. */
export function totalsTable(context: PackContext): Table<Scope> {
  return summaryTable(context, {
    path: "summary.csv",
    description:
      "Totals of the period: one row for each account and settlement currency. The last columns have the results of the comparison method, with its name as a prefix.",
    names: [ACCOUNT, CURRENCY],
    more: comparedColumns(context),
    rows: inOrder("account", "currency"),
  });
}

/** summary-months.csv */
export function monthsTable(context: PackContext): SheetTable<Scope> {
  const table = summaryTable(context, {
    path: "summary-months.csv",
    description: `Totals by calendar month: one row for each account, month and settlement currency. ${TOTALS_TO}`,
    names: [ACCOUNT, MONTH, CURRENCY],
    rows: inOrder("account", "currency", "month"),
    isShown: ({ key }) => key !== "unrealised_pnl_at_end",
  });
  const about = `Calendar months in ${context.period.zone}.`;
  return {
    ...table,
    sheet: { title: "Months", about, nothing: "There was no activity in the period.", lacks: lacksIn },
  };
}

/** summary-days.csv: day × market, as the days end. */
export function daysTable(context: PackContext): Table<Scope> {
  const breaksOn = breaksIn(context);
  const funded = new Set(context.accounts.flatMap(({ account: name, funding }) => (funding === null ? [] : [name])));
  return summaryTable(context, {
    path: "summary-days.csv",
    description: `Totals by local day and market: one row for each account, day, market and settlement currency with fills or funding. ${TOTALS_TO}`,
    names: [ACCOUNT, DAY, MARKET, CURRENCY],
    rows: {
      days: (days) =>
        days.flatMap(({ day: name, cells }) =>
          projected(cells, ["account", "market", "currency"]).map((cell) =>
            scopeOf(
              { ...cell, day: name, breaks: breaksOn(cell, name) },
              funded.has(cell.account ?? "") ? "all" : "none",
            ),
          ),
        ),
    },
    isShown: ({ isCarried }) => isCarried !== true,
  });
}

/** How many declared breaks of a cell's market include part of a day. */
function breaksIn({ accounts, period }: PackContext): (cell: Cell, day: string) => number {
  const dayOf = localDays(period.zone);
  const spans = accounts.flatMap(({ account: whose, breaks }) =>
    breaks.map(({ market: name, from, to }) => ({
      whose,
      name,
      first: dayOf(from),
      last: dayOf(Math.max(from, to - 1)),
    })),
  );
  return (cell, on) =>
    spans.filter(
      ({ whose, name, first, last }) => whose === cell.account && name === cell.market && first <= on && on <= last,
    ).length;
}

interface Summary extends Omit<Table<Scope>, "columns" | "keys"> {
  readonly names: readonly Column<Scope>[];
  readonly more?: readonly Column<Scope>[];
  /** Absent: it shows all figures. */
  readonly isShown?: (figure: Figure<FigureKey>) => boolean;
}

function summaryTable(context: PackContext, { names, more = [], isShown, ...table }: Summary): Table<Scope> {
  return {
    ...table,
    description: `${table.description} ${COMMON}`,
    columns: [
      ...names,
      method(METHOD_NAMES[context.methods.primary]),
      ...figureColumns(isShown),
      IS_COMPLETE,
      LACKS,
      ...convertedColumns(context),
      ...more,
    ],
    keys: names.map(({ name }) => name),
  };
}

function inOrder(...names: readonly ScopeName[]): Rows<Scope> {
  return { atEnd: ({ sums }) => scopesOf(sums, names) };
}

const IS_COMPLETE: Column<Scope> = text(
  ["is_complete", "Complete"],
  "yes, or no: fills are missing (a declared break), or a PnL or an amount carried at the start or the end is not known.",
  (row) => (isComplete(row) ? "yes" : "no"),
  { ...REQUIRED, width: 10 },
);

const LACKS: Column<Scope> = note(
  "incomplete_because",
  "Why is_complete is no, as codes that exceptions.csv explains. unreadable_fills: fills that cannot be read as a trade.",
  whyNot,
  { width: 40 },
);

/** The codes of what a row lacks: `break_declared, opening_unknown`. */
function whyNot({ cell, start, end }: Scope): string {
  const carried = [start, end].flatMap((border) => ("lacks" in border ? border.lacks : []));
  return [...new Set([...lacksOf(cell), ...carried])].sort().join(", ");
}

/** The totals under the method for comparison. Empty where those of the chosen method are. */
function comparedColumns({ methods: { reference } }: PackContext): Column<Scope>[] {
  const prefix = reference === "average" ? "average_cost_" : `${reference}_`;
  const columns: readonly (readonly [FigureKey, meaning: string])[] = [
    ["gross_pnl", "gross_pnl"],
    ["fees_recognised", "fees_recognised"],
    ["realised_pnl_net_of_fees_excl_funding", `${prefix}gross_pnl − ${prefix}fees_recognised`],
  ];
  return columns.map(([key, meaning]) =>
    money(
      [prefix + key, figureOf(key).name],
      `${meaning}. By ${METHOD_NAMES[reference]}, for comparison.`,
      (row) => comparedOf(key, row).amount,
      CSV_ONLY,
    ),
  );
}
