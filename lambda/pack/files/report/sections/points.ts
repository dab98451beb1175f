import { countOf } from "../../../../accounting/aggregate.ts";
import type { MarketStatement } from "../../../../accounting/statement.ts";
import { counted } from "../../../../core/text.ts";
import { MAX_TEXT } from "../../../../inputs/cells.ts";
import { breakText } from "../../../build/break-text.ts";
import { firstOf, unknownIn } from "../figures.ts";
import { type Html, html, outside } from "../html.ts";
import { file } from "../parts.ts";
import type { View } from "../view.ts";

const MOST_BREAKS = 20;

/** What a reader should look at before the figures, each with its place. */
export function pointsOf(view: View): Html {
  const { context, closing, kept, currencies, withoutCurrency } = view;
  const { statement, exceptions, proof } = closing;
  const breaks = firstOf(context.breaks, MOST_BREAKS);
  const marketsThat = (isMeant: (market: MarketStatement) => boolean) => statement.markets.filter(isMeant).length;
  const unknown = countOf(currencies, ({ sum }) => unknownIn(sum)) + withoutCurrency;
  const untyped = countOf(currencies, ({ sum }) => sum.untyped) + withoutCurrency;
  const assumed = marketsThat(({ origin }) => origin === "assumed_flat");
  const declared = marketsThat(({ origin }) => origin === "declared");
  const untold = marketsThat(({ contractType }) => contractType === null);
  const { late, changed, enriched } = proof.restatements;
  const restated = late + changed + enriched;
  const points: readonly (readonly [number: number, point: Html])[] = [
    ...breaks.shown.map(
      (one) =>
        [
          1,
          html`<strong>A break in ${outside(one.market)}</strong>: ${breakText(one)} Evidence: ${outside(one.evidence, MAX_TEXT)}`,
        ] as const,
    ),
    [breaks.left, html`${counted(breaks.left, "more break")}: all are in ${file(context, "completeness.json")}.`],
    [
      unknown,
      html`Result not known: ${counted(unknown, "fill")}, in no total. <a href="#results">Section 3</a> names the markets and the reason.`,
    ],
    [
      untyped,
      html`Cannot be read as a trade, so not in volume or fees either: ${counted(untyped, "fill")}. <a href="#exceptions">Section 10</a> lists them.`,
    ],
    [
      assumed,
      html`Taken to begin without a position, as the archive reaches back to the beginning of the account: ${counted(assumed, "market")}.`,
    ],
    [declared, html`Begins with a position that the user declared: ${counted(declared, "market")}.`],
    [
      untold,
      html`The service does not say the kind of contract, and what has a result is reckoned as linear: ${counted(untold, "market")}.`,
    ],
    [
      exceptions.count,
      html`Rows in ${file(context, "exceptions.csv")}: ${counted(exceptions.count, "exception")}. <a href="#exceptions">Section 10</a>.`,
    ],
    [
      kept.acrossBorder,
      html`One of their two times lies outside of the period: ${counted(kept.acrossBorder, "fill")}. <a href="#exceptions">Section 10</a>.`,
    ],
    [
      statement.ties,
      html`Same time as another fill of the market, so that their order is not known: ${counted(statement.ties, "fill")}. <a href="#method">Section 14</a>.`,
    ],
    [
      restated,
      html`Came late or changed after their time had been read: ${counted(restated, "fill")}. <a href="#restatements">Section 16</a>.`,
    ],
  ];
  const shown = points.filter(([number]) => number > 0);
  return shown.length === 0
    ? html`<p class="note">Nothing in this period asks for a second look.</p>`
    : html`
<div class="points">
<h3>Look at this first</h3>
<ul>${shown.map(
        ([, point]) => html`
<li>${point}</li>`,
      )}
</ul>
</div>`;
}
