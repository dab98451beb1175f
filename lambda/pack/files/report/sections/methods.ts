import { METHOD_STATEMENTS } from "../../../../accounting/method.ts";
import type { MarketCheck } from "../checks.ts";
import { METHOD_INDICES } from "../figures.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { money, result, signedMoney, signedUnits } from "../numbers.ts";
import { byCurrency, methodColumns, NOT_KNOWN, numbers, type Section, verdict } from "../parts.ts";
import { table } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { marketChecks } from "./sums.ts";

/** The two methods side by side, with the total that both must have. */
export function methodsSection(view: View): Section {
  const { methods } = view.context;
  return {
    id: "methods",
    title: "Methods side by side, with one equal total, excl. funding",
    body: html`
<ul>${METHOD_INDICES.map(
      (method) => html`
<li><strong>${methods[method]}</strong>. ${METHOD_STATEMENTS[methods[method]]}</li>`,
    )}
</ul>
<p>A method decides how much of the result is realised and how much is still open, never how much it is together. For each market, realised before fees, less the change of open value, is the same under both, and is what was sold less what was bought. At any price, position × price − open value is what is not realised; so realised and unrealised together differ in nothing.</p>${byCurrency(
      view,
      (currency) => methodTable(view, currency),
    )}`,
  };
}

function methodTable(view: View, currency: CurrencyView): Html {
  const { shown, note } = marketChecks(view, currency);
  return table({
    id: `methods-${currency.number}`,
    caption: html`Realised before fees and open value by market, ${outside(currency.name)}, excl. funding`,
    columns: [
      { head: "Market" },
      ...numbers("Position at the end"),
      ...METHOD_INDICES.flatMap((method) => methodColumns(view.context, method, ["Realised", "Change of open value"])),
      ...numbers("Total, both", "Sold less bought"),
      { head: "Check" },
    ],
    rows: shown.map((check) => ({
      key: check.market.market,
      cells: [outside(check.market.market), ...checkCells(check)],
    })),
    note,
  });
}

function checkCells({ market, sum, value }: MarketCheck): HtmlValue[] {
  const { position } = market.after;
  const end = position === null ? NOT_KNOWN : signedUnits(position);
  if (value === null) {
    return [end, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, "cannot be checked"];
  }
  const { changes, totals } = value;
  const difference = totals[0] === totals[1] ? totals[0] - sum.cashFlow : totals[0] - totals[1];
  return [
    end,
    ...METHOD_INDICES.flatMap((method) => [result(sum.gross[method]), money(changes[method])]),
    signedMoney(totals[0]),
    signedMoney(sum.cashFlow),
    verdict(difference === 0n, money(difference)),
  ];
}
