import { totalCell } from "../../../accounting/cube/cell.ts";
import { isComplete } from "../../../accounting/cube/figures.ts";
import type { Scope } from "../../../accounting/cube/scopes.ts";
import { deferredIn, type Holding, openValueIn } from "../../../accounting/holdings.ts";
import { type Amount, totalOf, ZERO } from "../../../core/amount.ts";
import { compareText, count, counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { type Html, type HtmlValue, html, symbol } from "../html.ts";
import { firstOf } from "../limits.ts";
import { money, result, signedMoney, signedUnits, units } from "../numbers.ts";
import { byCurrency, file, methodHead, NOT_KNOWN, positionOf, type Section } from "../parts.ts";
import { column, listTable, numberColumn, quantityColumn } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { MOST_MARKETS } from "./breakdown.ts";
import { cashLine, statementTable } from "./cash.ts";

/** Fills, positions, cash and fees that must agree, and cash against the user's statements. */
export function reconciliationSection(view: View): Section {
  const { context, closing } = view;
  const { fills, untyped } = totalCell(closing.sums.cells);
  const tallied = fills + untyped - closing.proof.declaredTrades;
  return {
    id: "reconciliation",
    body: html`
<p>Fills in the totals: ${count(tallied)}. Fills in the completeness proof: ${count(closing.proof.fills)}. ${verdict(tallied === closing.proof.fills, count(tallied - closing.proof.fills))}</p>
<p>Gross PnL less the change in open positions at cost equals proceeds of sales less cost of purchases. ${file(context, "control-totals.csv")} has both sides of every control, market by market.</p>${byCurrency(
      view,
      (currency) => {
        const checks = checksOf(view, currency);
        return [methodTable(view, currency, checks), quantityTable(view, currency, checks)];
      },
    )}
<h3>Cash</h3>
<p>${cashLine(view)}</p>${statementTable(view)}`,
  };
}

/** What must hold for one market. */
interface MarketCheck {
  readonly name: string;
  readonly holding: Holding;
  readonly cell: Scope["cell"];
  /** Null: the way from one position to the other is not fully known. */
  readonly moved: { readonly bought: Amount; readonly sold: Amount; readonly difference: Amount } | null;
  /** True: PnL and open positions are known through the whole period. */
  readonly isKnown: boolean;
}

/** By name of the market. */
function checksOf(view: View, { markets }: CurrencyView): readonly MarketCheck[] {
  return markets
    .flatMap((scope): MarketCheck[] => {
      const { cell, holdings } = scope;
      const [holding] = holdings;
      if (holding === undefined) {
        return [];
      }
      const moved = cell.breaks > 0 ? null : movedIn(holding, view);
      const name = nameOf(view.context, holding);
      return [{ name, holding, cell, moved, isKnown: moved !== null && isComplete(scope) }];
    })
    .sort((a, b) => compareText(a.name, b.name));
}

/** opening + bought − sold = closing */
function movedIn(holding: Holding, { fills }: View): MarketCheck["moved"] {
  const { bought, sold, isFollowed } = fills.market(holding) ?? { bought: ZERO, sold: ZERO, isFollowed: true };
  const [start, end] = [holding.before.position, holding.after.position];
  return start === null || end === null || !isFollowed
    ? null
    : { bought, sold, difference: start.plus(bought).minus(sold).minus(end) };
}

/** Whether two figures that must be equal are, and their difference. */
function verdict(isEqual: boolean, difference: HtmlValue): Html {
  return isEqual
    ? html`<span class="equal"><span aria-hidden="true">✓</span> equal</span>`
    : html`<strong class="differs"><span aria-hidden="true">✗</span> differs by ${difference}</strong>`;
}

/** A figure of one market, or of all known markets together. */
type FigureOf = (check: MarketCheck) => Amount;

const GROSS: FigureOf = ({ cell }) => cell.gross;
const COST_START: FigureOf = ({ holding }) => openValueIn(holding.before);
const COST_END: FigureOf = ({ holding }) => openValueIn(holding.after);
const CASH_BY_METHOD: FigureOf = (check) => GROSS(check).plus(COST_START(check)).minus(COST_END(check));
const CASH: FigureOf = ({ cell }) => cell.cashFlow;
const FEES_START: FigureOf = ({ holding }) => deferredIn(holding.before);
const FEES_CHARGED: FigureOf = ({ cell }) => cell.feesPaid.plus(cell.rebates);
const FEES_CLOSED: FigureOf = ({ cell }) => cell.fees;
const FEES_BY_METHOD: FigureOf = (check) => FEES_START(check).plus(FEES_CHARGED(check)).minus(FEES_CLOSED(check));
const FEES_END: FigureOf = ({ holding }) => deferredIn(holding.after);

type Line = readonly [key: string, label: string, cell: HtmlValue];

/** From PnL to cash, and from fees charged to fees carried. */
function methodTable({ context }: View, { name, number }: CurrencyView, checks: readonly MarketCheck[]): Html {
  const known = checks.filter(({ isKnown }) => isKnown);
  const line = (key: string, label: string, of: FigureOf, format = signedMoney): Line => [
    key,
    label,
    format(totalOf(known, of), name),
  ];
  const checkLine = (key: string, of: FigureOf, other: FigureOf): Line => [
    key,
    "Check, market by market",
    differencesOf(known, (one) => of(one).minus(other(one)), name),
  ];
  const left = checks.length - known.length;
  return listTable<Line>({
    id: `methods-${number}`,
    caption: html`Reconciliation of PnL and fees, ${symbol(name)}, excl. funding`,
    columns: [column("Figure", ([, label]) => label), numberColumn(methodHead(context), ([, , cell]) => cell)],
    items: [
      line("gross", "Gross realised PnL", GROSS, result),
      line("cost-start", "+ open positions at cost, start", COST_START),
      line("cost-end", "− open positions at cost, end", COST_END),
      line("cash-by-method", "= proceeds of sales less cost of purchases", CASH_BY_METHOD),
      line("cash", "Proceeds less cost, calculated from the fills", CASH),
      checkLine("cash-check", CASH_BY_METHOD, CASH),
      line("fees-start", "Fees carried, start", FEES_START, money),
      line("fees-charged", "+ fees charged less rebates", FEES_CHARGED, money),
      line("fees-closed", "− fees on closed positions", FEES_CLOSED, money),
      line("fees-by-method", "= fees carried, end", FEES_BY_METHOD, money),
      line("fees-end", "Fees carried, end, calculated from the open positions", FEES_END, money),
      checkLine("fees-check", FEES_BY_METHOD, FEES_END),
    ],
    keyOf: ([key]) => key,
    note: `${counted(known.length, "market")}${left === 0 ? "" : `; excludes ${counted(left, "market")} whose PnL is not fully known`}. Each figure is rounded separately, so a sum of figures can be a cent off. The checks are exact.`,
  });
}

function differencesOf(known: readonly MarketCheck[], of: (check: MarketCheck) => Amount, currency: string): HtmlValue {
  const differing = known.filter((check) => !of(check).isZero());
  return differing.length === 0
    ? verdict(true, null)
    : differing.map((check) => html`${symbol(check.name)} ${verdict(false, money(of(check), currency))} `);
}

function quantityTable({ context }: View, { name, number }: CurrencyView, checks: readonly MarketCheck[]): Html {
  const sorted = checks.toSorted((a, b) => orderOf(a) - orderOf(b) || b.cell.fills - a.cell.fills);
  const { shown, left } = firstOf(sorted, MOST_MARKETS);
  const allAgree = sorted.slice(MOST_MARKETS).every((check) => orderOf(check) === AGREES);
  const agreeing = left === 1 ? " agrees" : " agree";
  return listTable<MarketCheck>({
    id: `quantities-${number}`,
    caption: html`Positions: start + bought − sold = end, settled in ${symbol(name)}`,
    columns: [
      column("Market", ({ name: market }) => symbol(market)),
      quantityColumn("Start", ({ holding }) => positionOf(holding.before.position)),
      quantityColumn("Bought", ({ moved }) => (moved === null ? NOT_KNOWN : units(moved.bought))),
      quantityColumn("Sold", ({ moved }) => (moved === null ? NOT_KNOWN : units(moved.sold))),
      quantityColumn("End", ({ holding }) => positionOf(holding.after.position)),
      column("Check", ({ moved }) =>
        moved === null ? "cannot be checked" : verdict(moved.difference.isZero(), signedUnits(moved.difference)),
      ),
    ],
    items: shown,
    keyOf: ({ name: market }) => market,
    note:
      left > 0
        ? html`${counted(left, "other market")}${allAgree ? agreeing : ""}: ${file(context, "control-totals.csv")} has all markets.`
        : null,
  });
}

/** Differences first, then what cannot be checked. */
function orderOf({ moved }: MarketCheck): number {
  if (moved === null) {
    return 1;
  }
  return moved.difference.isZero() ? AGREES : 0;
}

const AGREES = 2;
