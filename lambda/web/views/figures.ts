import { figureOf, PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { type Html, html, symbol } from "../../pack/report/html.ts";
import { result } from "../../pack/report/numbers.ts";
import { NOT_KNOWN } from "../../pack/report/parts.ts";
import type { NetFigure, PackStatement } from "../packs.ts";
import { tag } from "./components.ts";

// The figures with which a pack's report begins, as its completeness.json states them.

/** Net realised PnL by the name that files and the report have for it. */
function netName({ isFundingIncluded }: NetFigure): string {
  return figureOf(isFundingIncluded ? "realised_pnl_net_incl_funding" : "realised_pnl_net_of_fees_excl_funding").name;
}

function shown({ net, currency }: NetFigure): Html {
  return net === null ? NOT_KNOWN : result(net, currency);
}

/** The net of each currency. */
export function netTiles(claim: Pick<PackStatement, "nets"> | null): Html | null {
  const nets = claim?.nets ?? [];
  const tile = (one: NetFigure) => {
    const partial = one.isPartial ? html` ${tag("warn", PARTIAL_TOTAL)}` : null;
    return html`<div><dt>${netName(one)}, ${symbol(one.currency)}</dt><dd>${shown(one)}${partial}</dd></div>`;
  };
  return nets.length === 0 ? null : html`<dl class="nets">${nets.map(tile)}</dl>`;
}
