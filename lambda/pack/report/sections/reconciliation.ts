import { addFeeChecks, checkMarket, type FeeCheck, type MarketCheck } from "../checks.ts";
import { counts, METHOD_INDICES, type MethodIndex } from "../figures.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { count, money, signedUnits, units } from "../numbers.ts";
import { byCurrency, methodName, NOT_KNOWN, numbers, type Section, verdict } from "../parts.ts";
import { table } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { marketSums } from "./sums.ts";

/** Opening and fills make the closing; fees paid are recognised or carried on. */
export function reconciliationSection(view: View): Section {
  return {
    id: "reconciliation",
    title: "Reconciliation",
    body: html`${fillCount(view)}${byCurrency(view, (currency) => {
      const { shown, note } = marketSums(view, currency);
      const checks = shown.flatMap(({ name, statement }) =>
        statement === null
          ? []
          : [
              checkMarket(
                statement,
                currency.cells.filter(({ market }) => market === name),
                view.kept,
              ),
            ],
      );
      return [
        quantityTable(currency, checks, note),
        ...METHOD_INDICES.map((method) => feeTable(view, currency, { checks, method })),
      ];
    })}`,
  };
}

/** What the tables count is what the completeness proof counts. */
function fillCount({ closing: { proof, statement } }: View): Html {
  const tallied = counts(
    statement.cells.map(
      ({ activity, untyped }) => activity.maker.fills + activity.taker.fills + activity.other.fills + untyped,
    ),
  );
  return html`<p>Fills in the totals: ${count(tallied)}. Fills in the completeness proof: ${count(proof.fills)}. ${verdict(tallied === proof.fills, count(tallied - proof.fills))}</p>`;
}

function quantityTable(currency: CurrencyView, checks: readonly MarketCheck[], note: HtmlValue): Html {
  const isDeclared = checks.some(({ quantity }) => (quantity?.declared ?? 0n) !== 0n);
  return table({
    id: `quantities-${currency.number}`,
    caption: html`Position at the beginning + bought − sold = position at the end, settled in ${outside(currency.name)}`,
    columns: [
      { head: "Market" },
      ...numbers("Beginning", ...(isDeclared ? ["Declared"] : []), "Bought", "Sold", "End"),
      { head: "Check" },
    ],
    rows: checks.map(({ market, quantity }) => ({
      key: market.market,
      cells: [
        outside(market.market),
        ...(quantity === null
          ? [
              position(market.before.position),
              ...(isDeclared ? [NOT_KNOWN] : []),
              NOT_KNOWN,
              NOT_KNOWN,
              position(market.after.position),
              "cannot be checked",
            ]
          : [
              signedUnits(quantity.opening),
              ...(isDeclared ? [signedUnits(quantity.declared)] : []),
              units(quantity.bought),
              units(quantity.sold),
              signedUnits(quantity.closing),
              verdict(quantity.difference === 0n, signedUnits(quantity.difference)),
            ]),
      ],
    })),
    note,
  });
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
