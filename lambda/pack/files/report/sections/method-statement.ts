import { METHOD_STATEMENTS } from "../../../../accounting/method.ts";
import { assumptionsOf } from "../../../catalogue/assumptions.ts";
import { html } from "../html.ts";
import { file, type Section } from "../parts.ts";
import type { View } from "../view.ts";

/** How the figures were made: enough to make them again by other means. */
export function methodStatementSection({ context, closing }: View): Section {
  const { period, methods, chosen, basis, funding } = context;
  const terms: readonly (readonly [string, string | ReturnType<typeof html>])[] = [
    ["Method", `${METHOD_STATEMENTS[methods[chosen]]} Beside it: ${METHOD_STATEMENTS[methods[chosen === 0 ? 1 : 0]]}`],
    [
      "Order",
      `By ${basis === "fill" ? "filled_at, or else tx_created" : "tx_created"}; then tx_created, match_id and order_id. Fills of one time have no known order beyond that.`,
    ],
    [
      "Zone",
      `The period, its months and its days are those of ${period.zone}. Times are UTC where nothing else is said.`,
    ],
    [
      "Rounding",
      "Quantities, prices, fees and values are exact. Only a share is divided: of the cost and fees of a pool or lot at a partial close, and of the fee of a fill that closes and opens. A share is rounded half to even at 18 places after the point, and what is left is taken by subtraction, so that shares add up to the whole.",
    ],
    [
      "A fill through zero",
      "One that closes a position and opens the opposite one counts as two parts; its fee goes by quantity.",
    ],
    [
      "Shown digits",
      html`Amounts are cut after 2 places on this page, never rounded, and … says so; a first digit further back is shown. Quantities and prices have every digit, average entries 8 places. The CSV files are the record.`,
    ],
    [
      "Sources",
      html`The service's completed orders, as archived; what the user gave stands under <code>inputs/</code> in the pack. Nothing else: no market prices.`,
    ],
    [
      "Exclusions",
      `${funding === null ? "Funding, which the fills do not hold. " : "Funding, but for the user's file where a figure says so. "}Deposits, withdrawals, interest and liquidation charges beyond the fee of a fill. Unrealised results. No treatment for tax is chosen.`,
    ],
    [
      "Fees",
      html`In two ways, both in section 2: recognised with what is closed (the opening fee is carried until then), and as paid. ${file(context, "fees.csv")} has what was paid.`,
    ],
  ];
  return {
    id: "method",
    title: "Method statement",
    body: html`
<dl class="terms">${terms.map(
      ([term, text]) => html`
<div><dt>${term}</dt><dd>${text}</dd></div>`,
    )}
</dl>
<h3>Taken for granted</h3>
<ul>${assumptionsOf(closing.proof.assumed).map(
      (assumption) => html`
<li>${assumption}</li>`,
    )}
</ul>`,
  };
}
