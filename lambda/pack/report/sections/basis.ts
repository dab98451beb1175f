import { assumptionsOf } from "../../catalogue/assumptions.ts";
import { basisFacts, CODES } from "../../catalogue/facts.ts";
import { type Html, html, outside } from "../html.ts";
import { facts, LONGEST, lines, type View } from "../parts.ts";

/** How the figures were made: enough to calculate them again in another way. */
export function basisSection({ context, closing }: View): Html {
  return html`${facts(basisFacts(context, closing), "terms")}
<h3>Assumptions</h3>${lines(
    assumptionsOf(closing.proof).map((text) => outside(text, LONGEST)),
    "assumptions",
  )}
<h3>Codes and signs on this page and in the files of the pack</h3>${facts(CODES, "terms")}`;
}
