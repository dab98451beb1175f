import { totalCell } from "../../../accounting/cube/cell.ts";
import { METHOD_STATEMENTS } from "../../../accounting/method.ts";
import { REASONS } from "../../../accounting/reasons.ts";
import { counted } from "../../../core/text.ts";
import { assumptionsOf } from "../../catalogue/assumptions.ts";
import { isGiven } from "../../make/given.ts";
import { type Html, type HtmlValue, html } from "../html.ts";
import { file, type Section } from "../parts.ts";
import { column, listTable } from "../table.ts";
import type { View } from "../view.ts";

type Term = readonly [term: string, text: HtmlValue];

/** How the figures were made: enough to calculate them again in another way. */
export function basisSection({ context, closing }: View): Section {
  const { period, methods, basis } = context;
  const [hasFunding, hasMarks] = [isGiven(context, "funding"), isGiven(context, "marks")];
  const { closes } = totalCell(closing.sums.cells);
  const terms: readonly Term[] = [
    ["Method", `${METHOD_STATEMENTS[methods.primary]} For comparison: ${METHOD_STATEMENTS[methods.reference]}`],
    [
      "Matching",
      html`${counted(closes, "fill")} closed a position or part of one, with known PnL. ${file(context, "realised-pnl.csv")} lists each closing fill with the fills that opened the position.`,
    ],
    [
      "Order",
      `Fills are sorted by ${basis === "fill" ? "filled_at (or tx_created if the venue gave no filled_at)" : "tx_created"}, then by tx_created, match_id and order_id. A fill that closes a position and opens the opposite one counts as two parts, and its fee is divided by quantity.`,
    ],
    [
      "Time zone",
      `The period, its months and its days are in ${period.zone}. Other times are UTC unless a time zone is given.`,
    ],
    [
      "Rounding",
      html`On this page, amounts are rounded half even to the smallest unit of their currency. The tooltip has the exact amount, and the CSV files are the record. Quantities and prices have all their digits, average prices 8 places. The calculation itself is exact, with one exception: the share of a cost or fee at a partial close, or of the fee of a fill that closes one position and opens another, is rounded half even to 18 places. The remainder is calculated by subtraction, so shares add up to the whole.`,
    ],
    [
      "Sources",
      html`The venue's completed orders, as archived, and the user's own files, which are under <code>inputs/</code> in the pack.${hasMarks ? html` Market prices are those of the user and are used in ${file(context, "open-positions.csv")} only.` : " No market prices are used."}`,
    ],
    [
      "Not included",
      `${hasFunding ? "Funding, unless a figure says incl. funding. " : "Funding (the venue's fill data has none). "}Deposits, withdrawals, interest, and liquidation charges beyond the fee of a fill. ${hasMarks ? "" : "Unrealised PnL. "}No tax treatment is chosen.`,
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
    caption: "Codes and signs on this page and in the files of the pack",
    columns: [column("Code", ([code]) => html`<code>${code}</code>`), column("Meaning", ([, meaning]) => meaning)],
    items: CODES,
    keyOf: ([code]) => code,
  });
}

const CODES: readonly (readonly [code: string, meaning: string])[] = [
  [
    "+ −",
    "PnL: + is a gain, − is a loss. Position: + is long, − is short. A fee without a sign was paid; a negative fee is a rebate.",
  ],
  ["not known", "The figure could not be calculated. It is not zero. The reason is given beside or below the table."],
  ["†", "Partial total: excludes fills whose PnL is not known."],
  [
    "maker, taker",
    "As reported by the venue. maker: the order waited in the order book. taker: the order was filled against orders in the book.",
  ],
  ["assumed_flat", "The opening position is assumed to be nil."],
  ["declared", "The opening position is declared in the user's opening-positions.csv."],
  ...Object.entries(REASONS).map(
    ([code, { clause }]) => [code, `PnL of this market could not be calculated, because ${clause}.`] as const,
  ),
];
