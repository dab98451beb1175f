import { figureOf, PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { formatMinor } from "../../core/currency.ts";
import { counted, grouped } from "../../core/text.ts";
import { type Html, type HtmlValue, html, symbol, symbolText } from "../../pack/report/html.ts";
import { result } from "../../pack/report/numbers.ts";
import type { NetFigure } from "../packs.ts";

// The figures with which a pack's report begins, as completeness.json and latest.json state them.

/** At most this many currencies are shown. */
const MOST_CURRENCIES = 4;

/** Net realised PnL by the name that files and the report have for it. */
function netName(isFundingIncluded: boolean): string {
  return figureOf(isFundingIncluded ? "realised_pnl_net_incl_funding" : "realised_pnl_net_of_fees_excl_funding").name;
}

function shown({ net, currency }: NetFigure): HtmlValue {
  return net === null ? html`<span class="unknown">not known</span>` : result(net, currency);
}

/** Beside a total to which more belongs that is not known. */
function partialMark({ isPartial }: Pick<NetFigure, "isPartial">): Html | null {
  return isPartial ? html` <span class="tag warn"><span aria-hidden="true">▲</span> ${PARTIAL_TOTAL}</span>` : null;
}

/** The net of each currency on a card. */
export function netLine(nets: readonly NetFigure[] | null): Html | null {
  const left = (nets?.length ?? 0) - MOST_CURRENCIES;
  return nets === null || nets.length === 0
    ? null
    : html`
<dl class="nets">${nets.slice(0, MOST_CURRENCIES).map(
        (one) => html`
<div><dt>${netName(one.isFundingIncluded)}, ${symbol(one.currency)}</dt><dd>${shown(one)}${partialMark(one)}</dd></div>`,
      )}
</dl>${left > 0 ? html`<p class="note">And ${counted(left, "other currency", "other currencies")}: summary.csv has all.</p>` : null}`;
}

/** The same in one line of a list. */
export function netText(nets: readonly NetFigure[] | null): Html | null {
  const [first, ...others] = (nets ?? []).slice(0, MOST_CURRENCIES);
  const one = (net: NetFigure): Html =>
    html`<span class="size">${shown(net)}</span> ${symbol(net.currency)}${partialMark(net)}`;
  return first === undefined
    ? null
    : html` <p>${netName(first.isFundingIncluded)}: ${one(first)}${others.map((net) => html`, ${one(net)}`)}</p>`;
}

/** The same as plain text, of the first two currencies: `+1,324.50 USD, excl. funding`; empty if none is known. */
export function netPlain(nets: readonly NetFigure[]): string {
  const known = nets
    .slice(0, 2)
    .flatMap(({ currency, net, isPartial }) =>
      net === null
        ? []
        : [`${signedText(net, currency)} ${symbolText(currency)}${isPartial ? ` (${PARTIAL_TOTAL})` : ""}`],
    );
  const funding = nets.some((one) => one.isFundingIncluded) ? "incl. funding" : "excl. funding";
  return known.length === 0 ? "" : [...known, funding].join(", ");
}

/** As `result` shows it, where no element is allowed. */
function signedText(amount: Amount, currency: string): string {
  const [whole = "", ...cents] = formatMinor(amount, currency).replace("-", "").split(".");
  const text = [grouped(whole), ...cents].join(".");
  if (!/[1-9]/.test(text)) {
    return text;
  }
  return `${amount.lt(ZERO) ? "−" : "+"}${text}`;
}
