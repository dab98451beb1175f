import { figureOf, PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { counted } from "../../core/text.ts";
import { type Html, html, symbol } from "../../pack/report/html.ts";
import { result } from "../../pack/report/numbers.ts";
import { NOT_KNOWN } from "../../pack/report/parts.ts";
import type { NetFigure, PackStatement } from "../packs.ts";
import { tag } from "./components.ts";

// The figures with which a pack's report begins, as its completeness.json states them.

/** At most this many currencies are shown. */
const MOST_CURRENCIES = 4;

/** Net realised PnL by the name that files and the report have for it. */
function netName({ isFundingIncluded }: NetFigure): string {
  return figureOf(isFundingIncluded ? "realised_pnl_net_incl_funding" : "realised_pnl_net_of_fees_excl_funding").name;
}

function shown({ net, currency }: NetFigure): Html {
  return net === null ? NOT_KNOWN : result(net, currency);
}

/** Beside a total to which more belongs that is not known. */
function partialMark({ isPartial }: NetFigure): Html | null {
  return isPartial ? html` ${tag("warn", PARTIAL_TOTAL)}` : null;
}

/** The net of each currency on a card. */
export function netLine(claim: Pick<PackStatement, "nets"> | null): Html | null {
  const nets = claim?.nets ?? [];
  const left = nets.length - MOST_CURRENCIES;
  const tile = (one: NetFigure) =>
    html`<div><dt>${netName(one)}, ${symbol(one.currency)}</dt><dd>${shown(one)}${partialMark(one)}</dd></div>`;
  const more = `And ${counted(left, "other currency", "other currencies")}: summary.csv has all.`;
  return nets.length === 0
    ? null
    : html`<dl class="nets">${nets.slice(0, MOST_CURRENCIES).map(tile)}</dl>${left > 0 ? html`<p class="note">${more}</p>` : null}`;
}

/** The same in one line of a list. */
export function netText(claim: Pick<PackStatement, "nets"> | null): Html | null {
  const [first, ...others] = (claim?.nets ?? []).slice(0, MOST_CURRENCIES);
  const one = (net: NetFigure): Html =>
    html`<span class="size">${shown(net)}</span> ${symbol(net.currency)}${partialMark(net)}`;
  return first === undefined
    ? null
    : html`<p>${netName(first)}: ${one(first)}${others.map((net) => html`, ${one(net)}`)}</p>`;
}
