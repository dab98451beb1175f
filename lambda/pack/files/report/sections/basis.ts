import { sumOf } from "../../../../accounting/aggregate.ts";
import { METHOD_STATEMENTS } from "../../../../accounting/method.ts";
import { count } from "../../../../core/text.ts";
import { assumptionsOf } from "../../../catalogue/assumptions.ts";
import { type Html, type HtmlValue, html } from "../html.ts";
import { file, type Section, UNKNOWN_REASONS } from "../parts.ts";
import { column, listTable } from "../table.ts";
import type { View } from "../view.ts";

type Term = readonly [term: string, text: HtmlValue];

/** How the figures were made: enough to calculate them again in another way. */
export function basisSection({ context, closing }: View): Section {
  const { period, methods, basis, funding, marks } = context;
  const { closes } = sumOf(closing.statement.marketMonths);
  const terms: readonly Term[] = [
    ["Method", `${METHOD_STATEMENTS[methods.primary]} For comparison: ${METHOD_STATEMENTS[methods.reference]}`],
    [
      "Matching",
      html`${count(closes)} fills closed a position, or a part of one, with known PnL. ${file(context, "realised-pnl.csv")} has each of them with the fills that opened it.`,
    ],
    [
      "Order",
      `By ${basis === "fill" ? "filled_at, or else tx_created" : "tx_created"}; then tx_created, match_id and order_id. A fill that closes a position and opens the opposite one counts as two parts, and its fee is divided by quantity.`,
    ],
    [
      "Time zone",
      `The period, its months and its days are those of ${period.zone}. Times are UTC where nothing else is said.`,
    ],
    [
      "Rounding",
      html`On this page each amount is rounded to the smallest unit of its currency, half to even; the tooltip has the exact amount, and the CSV files are the record. Quantities and prices have every digit, average entries 8 places. In the accounts, only a share is divided (of the cost and fees of a pool or lot at a partial close, and of the fee of a fill that closes and opens): half to even at 18 places, and what is left is taken by subtraction, so that shares add up to the whole.`,
    ],
    [
      "Sources",
      html`The venue's completed orders, as archived, and the user's own files, which are under <code>inputs/</code> in the pack.${marks === null ? " No market prices." : html` Market prices are those of the user, in ${file(context, "open-positions.csv")} alone.`}`,
    ],
    [
      "Not included",
      `${funding === null ? "Funding: the venue's fill data has none. " : "Funding, except where a figure says incl. funding. "}Deposits, withdrawals, interest, and liquidation charges beyond the fee of a fill. ${marks === null ? "Unrealised PnL. " : ""}No tax treatment is chosen.`,
    ],
  ];
  return {
    id: "basis",
    body: html`
<dl class="terms">${terms.map(
      ([term, text]) => html`
<div><dt>${term}</dt><dd>${text}</dd></div>`,
    )}
</dl>
<h3>Assumptions</h3>
<ul class="assumptions">${assumptionsOf(closing.proof).map(
      (assumption) => html`
<li>${assumption}</li>`,
    )}
</ul>${codesTable()}`,
  };
}

function codesTable(): Html {
  return listTable<Term>({
    id: "codes-table",
    caption: "Codes and signs of this page and of the files beside it",
    columns: [column("Code", ([code]) => html`<code>${code}</code>`), column("Meaning", ([, meaning]) => meaning)],
    items: CODES,
    keyOf: ([code]) => code,
  });
}

const CODES: readonly (readonly [code: string, meaning: string])[] = [
  [
    "+ −",
    "PnL: a gain, a loss. A position: long, short. A fee without a sign was charged; one below zero is a rebate.",
  ],
  ["not known", "There is no figure, which is not the same as zero; the reason is given beside or beneath the table."],
  ["†", "Partial total: excludes fills whose PnL is not known."],
  ["maker, taker", "As the venue reports: an order that waited in the book, or one that took what was there."],
  ["assumed_flat", "The opening position is assumed to be nil."],
  ["declared", "The opening position is declared in the user's opening-positions.csv."],
  ...Object.entries(UNKNOWN_REASONS).map(
    ([code, reason]) => [code, `PnL of this market could not be calculated, as ${reason}.`] as const,
  ),
];
