import type { UnknownReason } from "../../../../accounting/booked.ts";
import { type HtmlValue, html } from "../html.ts";
import { BLANK_REASONS, type Section } from "../parts.ts";
import { table } from "../table.ts";

/** What the words and signs of the pack mean. */
export function codesSection(): Section {
  return {
    id: "codes",
    title: "Codes and signs",
    body: table({
      id: "codes-table",
      caption: "Codes and signs of this page and of the files beside it",
      columns: [{ head: "Code" }, { head: "Meaning" }],
      rows: CODES.map(([code, meaning]) => ({ key: code, cells: [html`<code>${code}</code>`, meaning] })),
    }),
  };
}

const CODES: readonly (readonly [string, HtmlValue])[] = [
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
  ...(Object.entries(BLANK_REASONS) as [UnknownReason, string][]).map(
    ([code, reason]) => [code, `No result of this market is known, as ${reason}.`] as const,
  ),
];
