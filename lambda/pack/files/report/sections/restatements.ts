import { count } from "../../../../core/text.ts";
import { html } from "../html.ts";
import { file, numbers, type Section } from "../parts.ts";
import { table } from "../table.ts";
import type { View } from "../view.ts";

/** What the service said otherwise after its time had been read. */
export function restatementsSection({ context, closing: { proof } }: View): Section {
  const { late, changed, enriched } = proof.restatements;
  return {
    id: "restatements",
    title: "Restatements",
    body: html`
<p>Fills of the period about which the service said more, or something else, after that time had been read to its end. The newer version counts; ${file(context, "restatements.csv")} keeps both.</p>${table(
      {
        id: "restatements-table",
        caption: "Restatements of the period",
        columns: [{ head: "Kind" }, ...numbers("Fills")],
        rows: [
          { key: "late", cells: ["Came late: was not there when its time was read", count(late)] },
          { key: "changed", cells: ["Changed: a value is another than before", count(changed)] },
          { key: "enriched", cells: ["Enriched: a value came that was missing before", count(enriched)] },
        ],
      },
    )}`,
  };
}
