import { sumOf } from "../../../../accounting/aggregate.ts";
import { METHOD_STATEMENTS } from "../../../../accounting/method.ts";
import { count } from "../../../../core/text.ts";
import { assumptionsOf } from "../../../catalogue/assumptions.ts";
import { type HtmlValue, html } from "../html.ts";
import { BLANK_REASONS, file, type Section } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";

type Term = readonly [term: string, text: HtmlValue];

/** How the figures were made: enough to make them again by other means. */
export function methodStatementSection({ context, closing }: View): Section {
  const { period, methods, basis, funding } = context;
  const terms: readonly Term[] = [
    ["Method", `${METHOD_STATEMENTS[methods.primary]} Beside it: ${METHOD_STATEMENTS[methods.reference]}`],
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
<ul>${assumptionsOf(closing.proof).map(
      (assumption) => html`
<li>${assumption}</li>`,
    )}
</ul>`,
  };
}

/** Which opening each close was matched with. */
export function matchesSection({ context, closing: { statement } }: View): Section {
  const { closes, blankCloses: blank } = sumOf(statement.marketMonths);
  return {
    id: "matches",
    title: "Lot matches",
    body: html`
<p>${count(closes)} fills closed a position, or a part of one, with a known result${blank === 0 ? "" : `; of ${count(blank)} the result is not known`}. ${file(context, "realised-pnl.csv")} has a row for each, or for each lot that it was matched with, with the ids of the fills that opened and closed it: every figure of section 3 can be followed to its fills.</p>`,
  };
}

/** What the words and signs of the pack mean. */
export function codesSection(): Section {
  return {
    id: "codes",
    title: "Codes and signs",
    body: listTable<Term>({
      id: "codes-table",
      caption: "Codes and signs of this page and of the files beside it",
      columns: [column("Code", ([code]) => html`<code>${code}</code>`), column("Meaning", ([, meaning]) => meaning)],
      items: CODES,
      keyOf: ([code]) => code,
    }),
  };
}

const CODES: readonly Term[] = [
  [
    "+ −",
    "The sign of a result: a gain, a loss. Of a position: long, short. A fee without a sign was paid; one below zero is a rebate.",
  ],
  [
    "1.23…",
    "Digits are left out of what is shown. The exact amount is in the tooltip and in the CSV files, which are the record.",
  ],
  ["not known", "There is no figure, which is not the same as zero; a reason stands beside or beneath the table."],
  ["†", "Known part: the sum of what is known, where more belongs to it that is not."],
  ["maker, taker", "As the service says: an order that waited, or one that took what was there."],
  ["bp", "Basis points: ten-thousandths."],
  ["assumed_flat", "The market is taken to begin without a position."],
  ["declared", "The market begins with a position from the user's opening-positions.csv."],
  ...Object.entries(BLANK_REASONS).map(
    ([code, reason]): Term => [code, `No result of this market is known, as ${reason}.`],
  ),
];

/** What the service said otherwise after its time had been read. */
export function restatementsSection({ context, closing: { proof } }: View): Section {
  const { late, changed, enriched } = proof.restatements;
  const kinds = [
    ["late", "Came late: was not there when its time was read", late],
    ["changed", "Changed: a value is another than before", changed],
    ["enriched", "Enriched: a value came that was missing before", enriched],
  ] as const;
  return {
    id: "restatements",
    title: "Restatements",
    body: html`
<p>Fills of the period about which the service said more, or something else, after that time had been read to its end. The newer version counts; ${file(context, "restatements.csv")} keeps both.</p>${listTable<
      (typeof kinds)[number]
    >({
      id: "restatements-table",
      caption: "Restatements of the period",
      columns: [column("Kind", ([, meaning]) => meaning), numberColumn("Fills", ([, , fills]) => count(fills))],
      items: kinds,
      keyOf: ([kind]) => kind,
    })}`,
  };
}
