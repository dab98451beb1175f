import { sumOf } from "../../../../accounting/aggregate.ts";
import { count } from "../../../../core/text.ts";
import { addFeeChecks, type FeeCheck, type MarketCheck } from "../checks.ts";
import { METHOD_INDICES, type MethodIndex } from "../figures.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { money, signedUnits, units } from "../numbers.ts";
import { byCurrency, methodName, NOT_KNOWN, numbers, type Section, verdict } from "../parts.ts";
import { table } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { marketChecks } from "./sums.ts";

/** Opening and fills make the closing; fees paid are recognised or carried on. */
export function reconciliationSection(view: View): Section {
  return {
    id: "reconciliation",
    title: "Reconciliation",
    body: html`${fillCount(view)}${byCurrency(view, (currency) => {
      const { shown, note } = marketChecks(view, currency);
      return [
        quantityTable(currency, shown, note),
        ...METHOD_INDICES.map((method) => feeTable(view, currency, { checks: shown, method })),
      ];
    })}`,
  };
}

/** What the tables count is what the completeness proof counts. */
function fillCount({ closing: { proof, statement } }: View): Html {
  const { fills, untyped } = sumOf(statement.cells);
  const tallied = fills + untyped;
  return html`<p>Fills in the totals: ${count(tallied)}. Fills in the completeness proof: ${count(proof.fills)}. ${verdict(tallied === proof.fills, count(tallied - proof.fills))}</p>`;
}

function quantityTable(currency: CurrencyView, checks: readonly MarketCheck[], note: HtmlValue): Html {
  return table({
    id: `quantities-${currency.number}`,
    caption: html`Position at the beginning + bought − sold = position at the end, settled in ${outside(currency.name)}`,
    columns: [{ head: "Market" }, ...numbers("Beginning", "Bought", "Sold", "End"), { head: "Check" }],
    rows: checks.map((check) => ({
      key: check.market.market,
      cells: [outside(check.market.market), ...quantityCells(check)],
    })),
    note,
  });
}

function quantityCells({ market: { before, after }, quantity }: MarketCheck): HtmlValue[] {
  const [opening, closing] = [position(before.position), position(after.position)];
  return quantity === null
    ? [opening, NOT_KNOWN, NOT_KNOWN, closing, "cannot be checked"]
    : [
        opening,
        units(quantity.bought),
        units(quantity.sold),
        closing,
        verdict(quantity.difference === 0n, signedUnits(quantity.difference)),
      ];
}

function position(value: bigint | null): Html {
  return value === null ? NOT_KNOWN : signedUnits(value);
}

function feeTable(
  { context }: View,
  currency: CurrencyView,
  { checks, method }: { readonly checks: readonly MarketCheck[]; readonly method: MethodIndex },
): Html {
  const cells = ({ start, paid, recognised, end, difference }: FeeCheck): HtmlValue[] => [
    money(start),
    money(paid),
    money(recognised),
    money(end),
    verdict(difference === 0n, money(difference)),
  ];
  const unknown = [NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, "cannot be checked"];
  return table({
    id: `fee-check-${method}-${currency.number}`,
    caption: html`Fees carried at the beginning + paid = recognised + carried at the end, ${methodName(context, method)}, ${outside(currency.name)}`,
    columns: [
      { head: "Market" },
      ...numbers("Carried at the beginning", "Paid less rebates", "Recognised", "Carried at the end"),
      { head: "Check" },
    ],
    rows: [
      ...checks.map(({ market, fees }) => ({
        key: market.market,
        cells: [outside(market.market), ...(fees === null ? unknown : cells(fees[method]))],
      })),
      { key: "total", cells: ["Total of these", ...cells(addFeeChecks(checks, method))], isTotal: true },
    ],
  });
}
