import { type Html, type HtmlValue, html, outside } from "../../pack/report/html.ts";
import type { Offer } from "../offers.ts";
import { buttonLink } from "./components.ts";
import { startForm } from "./jobs.ts";
import { makeLink } from "./links.ts";
import { periodTitle } from "./period-title.ts";

/** Makes the pack of `year` at once, or leads to the form for other periods. `others`: shown after it. */
export function makeActions(
  {
    account,
    year,
    rank,
  }: { readonly account: string; readonly year: Offer | null; readonly rank: "primary" | "secondary" },
  others: HtmlValue = null,
): Html {
  const forAccount = html`<span class="hidden"> for ${outside(account)}</span>`;
  const request = { account, kind: "export", period: year?.period.name ?? "" } as const;
  return year === null
    ? html`
<div class="actions">${buttonLink(rank, makeLink(account), html`Make a pack${forAccount}`)} ${others}</div>`
    : html`
<div class="actions">${startForm(request, html`Make ${periodTitle(year.period.name)}${forAccount}`, { rank })} <a href="${makeLink(account)}">Other period${forAccount}</a> ${others}</div>`;
}
