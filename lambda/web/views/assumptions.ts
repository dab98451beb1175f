import { counted } from "../../core/text.ts";
import { type Html, html } from "../../pack/files/report/html.ts";
import type { LeadingPack } from "../data/newest-pack.ts";
import type { Assumptions } from "../packs.ts";
import { reportLink } from "./links.ts";

/** The address of the leading pack's report, if it names all of these assumptions. */
export function reportNaming(
  account: string,
  leading: LeadingPack | null,
  { assumed, isUndated }: Assumptions,
): string | null {
  const claim = leading?.claim ?? null;
  const isNamed = claim !== null && claim.assumed >= assumed && claim.isUndated === isUndated;
  return leading !== null && isNamed ? reportLink(account, leading.pack) : null;
}

/**
 * What "complete" rests on beside the venue's answers, in the report's words; null if on nothing else.
 * `report`: the address of a report that names the assumptions.
 */
export function assumptionLine({ assumed, isUndated }: Assumptions, report: string | null): Html | null {
  const said = [
    ...(assumed === 0
      ? []
      : [`That no fill is missing rests on an assumption for ${counted(assumed, "stretch", "stretches")} of time.`]),
    ...(isUndated
      ? ["The venue does not answer by the dates of fills, so that the records rest on one answer without dates."]
      : []),
  ];
  const named = report === null ? null : html` <a href="${report}#basis">The report says which</a>.`;
  return said.length === 0
    ? null
    : html`
<p><span aria-hidden="true">▲</span> ${said.join(" ")}${named}</p>`;
}
