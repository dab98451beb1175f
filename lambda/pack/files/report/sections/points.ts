import { countOf } from "../../../../accounting/aggregate.ts";
import { counted } from "../../../../core/text.ts";
import { MAX_TEXT } from "../../../../inputs/cells.ts";
import { breakText } from "../../../build/break-text.ts";
import { firstOf, unknownIn } from "../figures.ts";
import { type Html, html, outside } from "../html.ts";
import { file } from "../parts.ts";
import type { View } from "../view.ts";

/** What a reader should look at before the figures, each with its place. */
export function pointsOf(view: View): Html {
  const points = [...breakPoints(view), ...unknownPoints(view), ...openingPoints(view), ...rowPoints(view)];
  return points.length === 0
    ? html`<p class="note">Nothing in this period asks for a second look.</p>`
    : html`
<div class="points">
<h3>Look at this first</h3>
<ul>${points.map(
        (point) => html`
<li>${point}</li>`,
      )}
</ul>
</div>`;
}

const MOST_BREAKS = 20;

function breakPoints({ context }: View): Html[] {
  const { shown, left } = firstOf(context.breaks, MOST_BREAKS);
  return [
    ...shown.map(
      (one) =>
        html`<strong>A break in ${outside(one.market)}</strong>: ${breakText(one)} Evidence: ${outside(one.evidence, MAX_TEXT)}`,
    ),
    ...when(left, html`${counted(left, "more break")}: all are in ${file(context, "completeness.json")}.`),
  ];
}

function unknownPoints({ currencies, withoutCurrency }: View): Html[] {
  const unknown = countOf(currencies, ({ sum }) => unknownIn(sum)) + withoutCurrency;
  const untyped = countOf(currencies, ({ sum }) => sum.untyped) + withoutCurrency;
  return [
    ...when(
      unknown,
      html`Result not known: ${counted(unknown, "fill")}, in no total. <a href="#results">Section 3</a> names the markets and the reason.`,
    ),
    ...when(
      untyped,
      html`Cannot be read as a trade, so not in volume or fees either: ${counted(untyped, "fill")}. <a href="#exceptions">Section 10</a> lists them.`,
    ),
  ];
}

function openingPoints({ closing: { statement } }: View): Html[] {
  const of = (wanted: string) => statement.markets.filter(({ origin }) => origin === wanted).length;
  const assumed = of("assumed_flat");
  const declared = of("declared");
  const untold = statement.markets.filter(({ contractType }) => contractType === null).length;
  return [
    ...when(
      assumed,
      html`Taken to begin without a position, as the archive reaches back to the beginning of the account: ${counted(assumed, "market")}.`,
    ),
    ...when(declared, html`Begins with a position that the user declared: ${counted(declared, "market")}.`),
    ...when(
      untold,
      html`The service does not say the kind of contract, and what has a result is reckoned as linear: ${counted(untold, "market")}.`,
    ),
  ];
}

function rowPoints({ context, closing, kept }: View): Html[] {
  const { late, changed, enriched } = closing.proof.restatements;
  const restated = late + changed + enriched;
  const { count } = closing.exceptions;
  const { ties } = closing.statement;
  return [
    ...when(
      count,
      html`Rows in ${file(context, "exceptions.csv")}: ${counted(count, "exception")}. <a href="#exceptions">Section 10</a>.`,
    ),
    ...when(
      kept.acrossBorder,
      html`One of their two times lies outside of the period: ${counted(kept.acrossBorder, "fill")}. <a href="#exceptions">Section 10</a>.`,
    ),
    ...when(
      ties,
      html`Same time as another fill of the market, so that their order is not known: ${counted(ties, "fill")}. <a href="#method">Section 14</a>.`,
    ),
    ...when(
      restated,
      html`Came late or changed after their time had been read: ${counted(restated, "fill")}. <a href="#restatements">Section 16</a>.`,
    ),
  ];
}

function when(number: number, point: Html): Html[] {
  return number === 0 ? [] : [point];
}
