import { sumOf } from "../../../../accounting/aggregate.ts";
import { count } from "../../../../core/text.ts";
import { html } from "../html.ts";
import { file, type Section } from "../parts.ts";
import type { View } from "../view.ts";

/** Which opening each close was matched with. */
export function matchesSection({ context, closing: { statement } }: View): Section {
  const { closes, blankCloses: blank } = sumOf(statement.cells);
  return {
    id: "matches",
    title: "Lot matches",
    body: html`
<p>${count(closes)} fills closed a position, or a part of one, with a known result${blank === 0 ? "" : `; of ${count(blank)} the result is not known`}. ${file(context, "realised-pnl.csv")} has a row for each, or for each lot that it was matched with, with the ids of the fills that opened and closed it: every figure of section 3 can be followed to its fills.</p>`,
  };
}
