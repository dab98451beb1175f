import { type Amount, formatAmount } from "../../accounting/amount.ts";
import { counted, grouped } from "../../core/text.ts";
import { columnChart } from "../../pack/files/report/charts/bars.ts";
import { monthLabels } from "../../pack/files/report/charts/months.ts";
import { type Html, type HtmlValue, html, symbol, symbolText } from "../../pack/files/report/html.ts";
import { compact, glance, money, result, signedMoney } from "../../pack/files/report/numbers.ts";
import { column, listTable, numberColumn } from "../../pack/files/report/table.ts";
import type { CurrencyFigures, KeyFigures, MonthFigures } from "../data/key-figures.ts";
import { disclosure, type Tile, tiles } from "./components.ts";

/** At most this many currencies have tiles and a chart. */
const MOST_CURRENCIES = 4;
/** At most this many months have a bar. */
const MOST_MONTHS = 60;

const UNKNOWN = html`<span class="unknown">not known</span>`;

/** A pack's totals and the realised PnL of each month, by currency. */
export function moneySection({ totals, months, open }: KeyFigures): Html {
  const some = totals.slice(0, MOST_CURRENCIES);
  const left = totals.length - some.length;
  return html`
<section id="money" aria-label="Key figures">${some.map(
    (figures, at) => html`
<div class="card"><h2>${symbol(figures.currency)}</h2>${tiles(tilesOf(figures, open))}${partialNote(figures)}${monthsFigure(at, figures, months.get(figures.currency) ?? [])}</div>`,
  )}${left > 0 ? html`<p class="note">And ${counted(left, "other currency", "other currencies")}: summary.csv has them all.</p>` : null}
</section>`;
}

function tilesOf(figures: CurrencyFigures, open: KeyFigures["open"]): Tile[] {
  const { currency, gross, fees, funding, volume, fills } = figures;
  return [
    { name: "Net realised PnL", value: shown(figures.net, currency, result), note: fundingWords(figures) },
    { name: "Gross PnL", value: shown(gross, currency, result), note: "before fees" },
    { name: "Fees", value: shown(fees, currency, money), note: "of closed positions" },
    ...(funding === null
      ? []
      : [{ name: "Funding", value: shown(funding, currency, signedMoney), note: "plus: received" }]),
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

/** Says what the net includes besides PnL and fees. */
export function fundingWords({ funding }: Pick<CurrencyFigures, "funding">): string {
  return funding === null ? "after fees, excl. funding" : "after fees, incl. funding";
}

function partialNote({ unknownCloses }: CurrencyFigures): Html | null {
  return /^[1-9]\d*$/.test(unknownCloses)
    ? html`
<p class="note"><span aria-hidden="true">▲</span> Partial totals: the PnL of ${grouped(unknownCloses)} ${unknownCloses === "1" ? "close" : "closes"} could not be calculated. exceptions.csv says why.</p>`
    : null;
}

function shown(amount: Amount | null, currency: string, format: (amount: Amount, currency: string) => Html): HtmlValue {
  return amount === null ? UNKNOWN : format(amount, currency);
}

/** The net of each currency in one line, for lists. */
export function netLine(totals: readonly CurrencyFigures[] | null): Html | null {
  const [first] = totals ?? [];
  return totals === null || first === undefined
    ? null
    : html`
<dl class="nets">${totals.slice(0, MOST_CURRENCIES).map(
        ({ currency, net }) => html`
<div><dt>Net realised PnL, ${symbol(currency)}</dt><dd>${shown(net, currency, result)}</dd></div>`,
      )}
</dl>`;
}

function monthsFigure(at: number, figures: CurrencyFigures, months: readonly MonthFigures[]): Html | null {
  const { currency } = figures;
  if (months.length < 2 || months.length > MOST_MONTHS) {
    return null;
  }
  const labels = monthLabels(months.map(({ month }) => month));
  const title = `Net realised PnL by month, ${symbolText(currency)}, ${fundingWords(figures)}`;
  const count = (isMeant: (net: Amount) => boolean) => months.filter(({ net }) => net !== null && isMeant(net)).length;
  const chart = columnChart({
    id: `months-${at + 1}`,
    title,
    description: `One bar for each month: ${count((net) => net > 0n)} with a gain, blue, above the zero line; ${count((net) => net < 0n)} with a loss, orange with stripes, below it. The table below has the amounts.`,
    axis: symbolText(currency),
    format: (value) => compact(formatAmount(value)),
    columns: months.map(({ net }, month) => ({
      label: "",
      ...labels[month],
      parts: net === null ? [] : [{ value: net, fill: net < 0n ? ("orange" as const) : ("blue" as const) }],
      mark: net === null ? "?" : glance(net),
    })),
  });
  const table = listTable({
    id: `months-table-${at + 1}`,
    caption: title,
    columns: [
      column<MonthFigures>("Month", ({ month }) => month),
      numberColumn<MonthFigures>("Net realised PnL", ({ net }) => shown(net, currency, result)),
    ],
    items: months,
    keyOf: ({ month }) => month,
  });
  return html`
<figure><figcaption>${title}</figcaption>${chart}${disclosure("Amounts by month", table)}</figure>`;
}
