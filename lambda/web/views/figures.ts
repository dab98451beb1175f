import { figureOf, PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { readAmount } from "../../core/amount.ts";
import type { Completeness } from "../../pack/catalogue/completeness.ts";
import { type Html, html, symbol } from "../../pack/report/html.ts";
import { result } from "../../pack/report/numbers.ts";
import { NOT_KNOWN } from "../../pack/report/parts.ts";
import { tag } from "./components.ts";

/** The figures with which a pack's report begins: net realised PnL of each currency, by its name in files. */
export function netTiles(
  claim: { readonly accounts: Pick<Completeness["accounts"], "net_realised_pnl"> } | null,
): Html | null {
  const nets = claim?.accounts.net_realised_pnl ?? [];
  const tile = ({ currency, amount, funding, partial }: (typeof nets)[number]) => {
    const { name } = figureOf(
      funding === "included" ? "realised_pnl_net_incl_funding" : "realised_pnl_net_of_fees_excl_funding",
    );
    const net = amount === null ? null : readAmount(amount);
    const mark = partial ? html` ${tag("warn", PARTIAL_TOTAL)}` : null;
    return html`<div><dt>${name}, ${symbol(currency)}</dt><dd>${net === null ? NOT_KNOWN : result(net, currency)}${mark}</dd></div>`;
  };
  return nets.length === 0 ? null : html`<dl class="nets">${nets.map(tile)}</dl>`;
}
