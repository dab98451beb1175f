import { totalCell } from "../../../accounting/cube/cell.ts";
import type { Holding } from "../../../accounting/holdings.ts";
import { count, counted } from "../../../core/text.ts";
import { MAX_TEXT } from "../../../inputs/cells.ts";
import { breakText } from "../../make/break-text.ts";
import { breaksOf, lacking, nameOf } from "../../make/given.ts";
import { cashDifferences } from "../../tables/cash-text.ts";
import { type Html, html, outside, symbol } from "../html.ts";
import { firstOf } from "../limits.ts";
import { file, names } from "../parts.ts";
import { see } from "../titles.ts";
import type { View } from "../view.ts";

const MOST_BREAKS = 20;

/** What a reader should know before using the figures, each with its place. */
export function pointsOf(view: View): readonly Html[] {
  const { context, closing, kept, untyped, standing } = view;
  const { sums, exceptions, proof } = closing;
  const breaks = firstOf(breaksOf(context), MOST_BREAKS);
  const marketsThat = (isMeant: (holding: Holding) => boolean) =>
    new Set(sums.holdings.filter(isMeant).map(({ market }) => market)).size;
  const { unknownFills } = standing;
  const withoutFunding = lacking(context, "funding");
  const assumed = marketsThat(({ origin }) => origin === "assumed_flat");
  const declared = marketsThat(({ origin }) => origin === "declared");
  const untold = marketsThat(({ contractType }) => contractType === null);
  const { ties } = totalCell(sums.cells);
  const { late, changed, enriched } = proof.restatements;
  const restated = late + changed + enriched;
  const points: readonly (readonly [number: number, point: Html])[] = [
    ...proof.noted.map((text) => [1, html`${outside(text, MAX_TEXT)}.`] as const),
    ...cashDifferences(closing.cash, context).map(
      (text) => [1, html`Cash ${text}. See ${see("reconciliation")}.`] as const,
    ),
    ...breaks.shown.map(
      (one) =>
        [
          1,
          html`<strong>A break in ${symbol(nameOf(context, one))}</strong>: ${breakText(one)} Evidence: ${outside(one.evidence, MAX_TEXT)}`,
        ] as const,
    ),
    [
      breaks.left,
      html`${counted(breaks.left, "more break")}: all breaks are in ${file(context, "completeness.json")}.`,
    ],
    [
      unknownFills,
      html`PnL could not be calculated for ${counted(unknownFills, "fill")}; totals exclude ${unknownFills === 1 ? "it" : "them"}. See ${see("results")}.`,
    ],
    [
      untyped,
      html`${counted(untyped, "fill")} cannot be read as a trade; volume and fees exclude ${untyped === 1 ? "it" : "them"} too. See ${see("exceptions")}.`,
    ],
    [
      withoutFunding.length,
      html`No funding.csv was given for ${names(withoutFunding)}: figures including funding have only the funding of the other ${context.accounts.length - withoutFunding.length === 1 ? "account" : "accounts"}.`,
    ],
    [
      proof.assumed.vanished,
      html`Fills of the account that the venue no longer reports: ${count(proof.assumed.vanished)}. See ${see("basis")}.`,
    ],
    [
      assumed,
      html`Opening position assumed to be nil (records start with the account): ${counted(assumed, "market")}.`,
    ],
    [declared, html`Opening position declared by the user: ${counted(declared, "market")}.`],
    [untold, html`Contract type not stated by the venue (treated as linear contracts): ${counted(untold, "market")}.`],
    [exceptions.ofFills, html`Exceptions about single fills: ${count(exceptions.ofFills)}. See ${see("exceptions")}.`],
    [
      kept.acrossBorder,
      html`Fills with one of their two times outside the period: ${counted(kept.acrossBorder, "fill")}. See ${see("exceptions")}.`,
    ],
    [
      ties,
      html`Fills that share their time with a fill of the other side (order uncertain): ${counted(ties, "fill")}. See ${see("exceptions")}.`,
    ],
    [
      restated,
      html`Fills that arrived late or changed after their time had been read: ${counted(restated, "fill")}. See ${see("proof")}.`,
    ],
  ];
  return points.filter(([number]) => number > 0).map(([, point]) => point);
}
