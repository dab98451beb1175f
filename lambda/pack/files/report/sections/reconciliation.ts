import { feesOf, isWhole, type Sum, sumOf, totalOf } from "../../../../accounting/aggregate.ts";
import type { Amount } from "../../../../accounting/amount.ts";
import { METHOD_STATEMENTS, type MethodRole, shownOrder } from "../../../../accounting/method.ts";
import type { MarketStatement } from "../../../../accounting/statement.ts";
import { count } from "../../../../core/text.ts";
import { deferredIn, signedValue } from "../../csv/borders.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { money, result, signedMoney, signedUnits, units } from "../numbers.ts";
import { byCurrency, methodName, NOT_KNOWN, positionOf, type Section } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { marketSums, type Shown } from "./breakdown.ts";

/** The two methods side by side, with the total that both must have. */
export function methodsSection(view: View): Section {
  const { methods } = view.context;
  return {
    id: "methods",
    title: "Methods side by side, with one equal total, excl. funding",
    body: html`
<ul>${shownOrder(methods).map(
      (role) => html`
<li><strong>${methods[role]}</strong>. ${METHOD_STATEMENTS[methods[role]]}</li>`,
    )}
</ul>
<p>A method decides how much of the result is realised and how much is still open, never how much it is together. For each market, realised before fees, less the change of open value, is the same under both, and is what was sold less what was bought. At any price, position × price − open value is what is not realised; so realised and unrealised together differ in nothing.</p>${byCurrency(
      view,
      (currency) => methodTable(view, currency),
    )}`,
  };
}

/** Opening and fills make the closing; fees paid are recognised or carried on. */
export function reconciliationSection(view: View): Section {
  const { proof, statement } = view.closing;
  const { fills, untyped } = sumOf(statement.marketMonths);
  const tallied = fills + untyped;
  return {
    id: "reconciliation",
    title: "Reconciliation",
    body: html`<p>Fills in the totals: ${count(tallied)}. Fills in the completeness proof: ${count(proof.fills)}. ${verdict(tallied - proof.fills, count)}</p>${byCurrency(
      view,
      (currency) => {
        const checks = checksOf(view, currency);
        return [
          quantityTable(currency, checks),
          ...shownOrder(view.context.methods).map((role, at) =>
            feeTable(currency, checks.shown, { role, id: `fee-check-${at}`, name: methodName(view.context, role) }),
          ),
        ];
      },
    )}`,
  };
}

/** What must hold for one market. */
interface MarketCheck {
  readonly market: MarketStatement;
  readonly sum: Sum;
  /** × 10^18; null: a part of the way from one position to the other is not known. */
  readonly moved: { readonly bought: bigint; readonly sold: bigint; readonly difference: bigint } | null;
  /** What was realised and what is open is known all through the period. */
  readonly isKnown: boolean;
}

function checksOf(view: View, currency: CurrencyView): Shown<MarketCheck> {
  const { shown, note } = marketSums(view, currency);
  const checks = shown.flatMap(({ sum, statement }): MarketCheck[] => {
    if (statement === null) {
      return [];
    }
    const moved = sum.breaks > 0 ? null : movedIn(statement, view);
    const isCarried = statement.before.blank === null && statement.after.blank === null;
    return [{ market: statement, sum, moved, isKnown: moved !== null && isWhole(sum) && isCarried }];
  });
  return { shown: checks, note };
}

/** opening + bought − sold = closing */
function movedIn({ market, before, after }: MarketStatement, { kept }: View): MarketCheck["moved"] {
  const { bought, sold, isFollowed } = kept.markets.get(market) ?? { bought: 0n, sold: 0n, isFollowed: true };
  return before.position === null || after.position === null || !isFollowed
    ? null
    : { bought, sold, difference: before.position + bought - sold - after.position };
}

/** Of two figures that must be the same, by their difference. */
function verdict<T extends bigint | number>(difference: T, format: (difference: T) => HtmlValue): HtmlValue {
  return BigInt(difference) === 0n
    ? html`<span class="equal"><span aria-hidden="true">✓</span> equal</span>`
    : html`<strong class="differs"><span aria-hidden="true">✗</span> differs by ${format(difference)}</strong>`;
}

const CANNOT = "cannot be checked";

const MARKET_COLUMN = column<MarketCheck>("Market", ({ market }) => outside(market.market));

function keyOf({ market }: MarketCheck): string {
  return market.market;
}

/** For each method, realised before fees − change of open value is the same, and the cash flow of the fills. */
function methodTable(view: View, currency: CurrencyView): Html {
  const { shown, note } = checksOf(view, currency);
  const order = shownOrder(view.context.methods);
  const [first, second] = order;
  const changeOf = ({ market }: MarketCheck, role: MethodRole) =>
    signedValue(market.after, role) - signedValue(market.before, role);
  const totalBy = (check: MarketCheck, role: MethodRole) => check.sum.gross[role] - changeOf(check, role);
  const known = (of: (check: MarketCheck) => HtmlValue) => (check: MarketCheck) =>
    check.isKnown ? of(check) : NOT_KNOWN;
  const differenceOf = (check: MarketCheck): Amount => {
    const [left, right] = [totalBy(check, first), totalBy(check, second)];
    return left === right ? left - check.sum.cashFlow : left - right;
  };
  return listTable<MarketCheck>({
    id: `methods-${currency.number}`,
    caption: html`Realised before fees and open value by market, ${outside(currency.name)}, excl. funding`,
    columns: [
      MARKET_COLUMN,
      numberColumn("Position at the end", ({ market }) => positionOf(market.after.position)),
      ...order.flatMap((role) => {
        const name = methodName(view.context, role);
        return [
          numberColumn(
            "Realised",
            known(({ sum }) => result(sum.gross[role])),
            name,
          ),
          numberColumn(
            "Change of open value",
            known((check) => money(changeOf(check, role))),
            name,
          ),
        ];
      }),
      numberColumn(
        "Total, both",
        known((check) => signedMoney(totalBy(check, first))),
      ),
      numberColumn(
        "Sold less bought",
        known(({ sum }) => signedMoney(sum.cashFlow)),
      ),
      column("Check", (check) => (check.isKnown ? verdict(differenceOf(check), money) : CANNOT)),
    ],
    items: shown,
    keyOf,
    note,
  });
}

function quantityTable(currency: CurrencyView, { shown, note }: Shown<MarketCheck>): Html {
  return listTable<MarketCheck>({
    id: `quantities-${currency.number}`,
    caption: html`Position at the beginning + bought − sold = position at the end, settled in ${outside(currency.name)}`,
    columns: [
      MARKET_COLUMN,
      numberColumn("Beginning", ({ market }) => positionOf(market.before.position)),
      numberColumn("Bought", ({ moved }) => (moved === null ? NOT_KNOWN : units(moved.bought))),
      numberColumn("Sold", ({ moved }) => (moved === null ? NOT_KNOWN : units(moved.sold))),
      numberColumn("End", ({ market }) => positionOf(market.after.position)),
      column("Check", ({ moved }) => (moved === null ? CANNOT : verdict(moved.difference, signedUnits))),
    ],
    items: shown,
    keyOf,
    note,
  });
}

/** carried at the beginning + paid = recognised + carried at the end */
interface FeeRow {
  readonly key: string;
  readonly head: HtmlValue;
  readonly fees: {
    readonly start: Amount;
    readonly paid: Amount;
    readonly recognised: Amount;
    readonly end: Amount;
  } | null;
}

function feeTable(
  currency: CurrencyView,
  checks: readonly MarketCheck[],
  { role, id, name }: { readonly role: MethodRole; readonly id: string; readonly name: string },
): Html {
  const rows = checks.map(({ market, sum, isKnown }): FeeRow => {
    const [start, end] = [deferredIn(market.before, role), deferredIn(market.after, role)];
    const fees = { start, paid: feesOf(sum), recognised: sum.fees[role], end };
    return { key: market.market, head: outside(market.market), fees: isKnown ? fees : null };
  });
  const known = rows.flatMap(({ fees }) => (fees === null ? [] : [fees]));
  const total = {
    start: totalOf(known, ({ start }) => start),
    paid: totalOf(known, ({ paid }) => paid),
    recognised: totalOf(known, ({ recognised }) => recognised),
    end: totalOf(known, ({ end }) => end),
  };
  const amount = (head: string, figure: keyof typeof total) =>
    numberColumn<FeeRow>(head, ({ fees }) => (fees === null ? NOT_KNOWN : money(fees[figure])));
  return listTable<FeeRow>({
    id: `${id}-${currency.number}`,
    caption: html`Fees carried at the beginning + paid = recognised + carried at the end, ${name}, ${outside(currency.name)}`,
    columns: [
      column("Market", ({ head }) => head),
      amount("Carried at the beginning", "start"),
      amount("Paid less rebates", "paid"),
      amount("Recognised", "recognised"),
      amount("Carried at the end", "end"),
      column("Check", ({ fees }) =>
        fees === null ? CANNOT : verdict(fees.start + fees.paid - fees.recognised - fees.end, money),
      ),
    ],
    items: rows,
    keyOf: ({ key }) => key,
    total: { key: "total", head: "Total of these", fees: total },
  });
}
