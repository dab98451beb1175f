import { figureOf, PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { formatMinor } from "../../core/currency.ts";
import { counted, grouped } from "../../core/text.ts";
import { columnChart, timeColumns } from "../../pack/report/charts/bars.ts";
import { type Html, type HtmlValue, html, symbol, symbolText } from "../../pack/report/html.ts";
import { compact, glance, money, result, signedMoney } from "../../pack/report/numbers.ts";
import { column, listTable, numberColumn } from "../../pack/report/table.ts";
import {
  type ConvertedFigures,
  type CurrencyFigures,
  type KeyFigures,
  knownTotal,
  type MonthFigures,
} from "../data/key-figures.ts";
import type { NetFigure } from "../packs.ts";
import { disclosure, type Tile, tiles } from "./components.ts";

/** At most this many currencies have tiles and a chart. */
const MOST_CURRENCIES = 4;

const UNKNOWN = html`<span class="unknown">not known</span>`;

/**
 * A pack's totals, as its report has them at its top: converted, or else by currency; and the realised PnL of
 * each month, by currency.
 */
export function moneySection({ totals, converted, months, open }: KeyFigures): Html {
  const some = totals.slice(0, MOST_CURRENCIES);
  const left = totals.length - some.length;
  const own = (figures: CurrencyFigures): Html => {
    const amounts = html`${tiles(tilesOf(figures, open))}${partialNote(figures)}`;
    return converted === null ? amounts : disclosure(html`Amounts in ${symbol(figures.currency)}`, amounts);
  };
  return html`
<section id="money" aria-label="Key figures">${convertedCard(converted)}${some.map(
    (figures, at) => html`
<div class="card"><h2>${symbol(figures.currency)}</h2>${own(figures)}${monthsFigure(at, figures, months.get(figures.currency) ?? [])}</div>`,
  )}${left > 0 ? html`<p class="note">And ${counted(left, "other currency", "other currencies")}: summary.csv has them all.</p>` : null}
</section>`;
}

function convertedCard(figures: ConvertedFigures | null): Html | null {
  return figures === null
    ? null
    : html`
<div class="card"><h2>${symbol(figures.currency)}, converted</h2>${tiles(pnlTiles(figures))}${partialNote(figures)}</div>`;
}

function pnlTiles(figures: ConvertedFigures): Tile[] {
  const { currency, gross, fees, funding } = figures;
  return [
    { name: netName(funding !== null), value: shown(figures.net, currency, result), note: "after fees" },
    { name: "Gross PnL", value: shown(gross, currency, result), note: "before fees" },
    { name: "Fees", value: shown(fees, currency, money), note: "of closed positions" },
    ...(funding === null
      ? []
      : [{ name: "Funding", value: shown(funding, currency, signedMoney), note: "plus: received" }]),
  ];
}

function tilesOf(figures: CurrencyFigures, open: KeyFigures["open"]): Tile[] {
  const { currency, volume, fills } = figures;
  return [
    ...pnlTiles(figures),
    {
      name: "Volume",
      value: shown(volume, currency, money),
      note: /^\d+$/.test(fills) ? `${grouped(fills)} ${fills === "1" ? "fill" : "fills"}` : null,
    },
    openTile(figures, open),
  ];
}

function openTile({ currency, openValue }: CurrencyFigures, open: KeyFigures["open"]): Tile {
  const name = "Open at the end";
  const cost = html`${shown(openValue, currency, signedMoney)}`;
  if (open === null) {
    return { name, value: cost, note: "at cost" };
  }
  const { positions, unknownMarkets } = open.get(currency) ?? { positions: 0, unknownMarkets: 0 };
  const note = unknownMarkets === 0 ? html`at cost ${cost}` : `and ${counted(unknownMarkets, "market")} not known`;
  return { name, value: counted(positions, "position"), note };
}

/** Net realised PnL by the name that files and the report have for it. */
function netName(isFundingIncluded: boolean): string {
  return figureOf(isFundingIncluded ? "realised_pnl_net_incl_funding" : "realised_pnl_net_of_fees_excl_funding").name;
}

function partialNote({ unknownCloses }: ConvertedFigures): Html | null {
  return /^[1-9]\d*$/.test(unknownCloses)
    ? html`
<p class="note"><span aria-hidden="true">▲</span> Partial total: the PnL of ${grouped(unknownCloses)} ${unknownCloses === "1" ? "close" : "closes"} could not be calculated. exceptions.csv says why.</p>`
    : null;
}

function shown(amount: Amount | null, currency: string, format: (amount: Amount, currency: string) => Html): HtmlValue {
  return amount === null ? UNKNOWN : format(amount, currency);
}

/** Beside a total to which more belongs that is not known. */
function partialMark({ isPartial }: Pick<NetFigure, "isPartial">): Html | null {
  return isPartial ? html` <span class="tag warn"><span aria-hidden="true">▲</span> ${PARTIAL_TOTAL}</span>` : null;
}

/** The net of each currency on a card. */
export function netLine(nets: readonly NetFigure[] | null): Html | null {
  return nets === null || nets.length === 0
    ? null
    : html`
<dl class="nets">${nets.slice(0, MOST_CURRENCIES).map(
        (one) => html`
<div><dt>${netName(one.isFundingIncluded)}, ${symbol(one.currency)}</dt><dd>${shown(one.net, one.currency, result)}${partialMark(one)}</dd></div>`,
      )}
</dl>`;
}

/** The same in one line of a list. */
export function netText(nets: readonly NetFigure[] | null): Html | null {
  const [first, ...others] = (nets ?? []).slice(0, MOST_CURRENCIES);
  const one = (net: NetFigure): Html =>
    html`<span class="size">${shown(net.net, net.currency, result)}</span> ${symbol(net.currency)}${partialMark(net)}`;
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

function monthsFigure(at: number, figures: CurrencyFigures, months: readonly MonthFigures[]): Html | null {
  const { currency } = figures;
  if (months.length < 2) {
    return null;
  }
  const nets = new Map(months.map(({ month, net }) => [month, net]));
  const { unit, columns } = timeColumns([...nets.keys()]);
  const bars = columns.map((one) => ({ ...one, net: knownTotal(one.months.map((month) => nets.get(month) ?? null)) }));
  const name = netName(figures.funding !== null);
  const titleBy = (by: string) => `${name}, by ${by}, ${symbolText(currency)}`;
  const count = (isMeant: (net: Amount) => boolean) => bars.filter(({ net }) => net !== null && isMeant(net)).length;
  const title = titleBy(unit);
  const chart = columnChart({
    id: `months-${at + 1}`,
    title,
    description: `One bar for each ${unit}: ${count((net) => net.gt(ZERO))} with a gain, blue, above the zero line; ${count((net) => net.lt(ZERO))} with a loss, orange with stripes, below it. The table below has the amounts.`,
    axis: symbolText(currency),
    format: (value) => compact(String(value)),
    columns: bars.map(({ net, label, second }) => ({
      label,
      ...(second === undefined ? {} : { second }),
      value: net ?? ZERO,
      mark: net === null ? "?" : glance(net),
    })),
  });
  const table = listTable({
    id: `months-table-${at + 1}`,
    caption: titleBy("month"),
    columns: [
      column<MonthFigures>("Month", ({ month }) => month),
      numberColumn<MonthFigures>(name, ({ net }) => shown(net, currency, result)),
    ],
    items: months,
    keyOf: ({ month }) => month,
  });
  return html`
<figure><figcaption>${title}</figcaption>${chart}${disclosure("Amounts by month", table)}</figure>`;
}
