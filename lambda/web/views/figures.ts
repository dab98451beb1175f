import { PARTIAL_TOTAL } from "../../accounting/aggregate.ts";
import { type Amount, formatAmount, formatMinor } from "../../accounting/amount.ts";
import { counted, grouped } from "../../core/text.ts";
import { columnChart } from "../../pack/files/report/charts/bars.ts";
import { monthLabels } from "../../pack/files/report/charts/months.ts";
import { type Html, type HtmlValue, html, symbol, symbolText } from "../../pack/files/report/html.ts";
import { compact, glance, money, result, signedMoney } from "../../pack/files/report/numbers.ts";
import { column, listTable, numberColumn } from "../../pack/files/report/table.ts";
import type { CurrencyFigures, KeyFigures, MonthFigures } from "../data/key-figures.ts";
import type { NetFigure } from "../packs.ts";
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

function includes({ isFundingIncluded }: Pick<NetFigure, "isFundingIncluded">): string {
  return isFundingIncluded ? "incl. funding" : "excl. funding";
}

/** The net of each currency on a card. */
export function netLine(nets: readonly NetFigure[] | null): Html | null {
  return nets === null || nets.length === 0
    ? null
    : html`
<dl class="nets">${nets.slice(0, MOST_CURRENCIES).map(
        (one) => html`
<div><dt>Net realised PnL, ${symbol(one.currency)}, ${includes(one)}</dt><dd>${shown(one.net, one.currency, result)}${partialMark(one)}</dd></div>`,
      )}
</dl>`;
}

/** The same in one line of a list. */
export function netText(nets: readonly NetFigure[] | null): Html | null {
  const [first, ...others] = (nets ?? []).slice(0, MOST_CURRENCIES);
  const one = (net: NetFigure): Html =>
    html`<span class="size">${shown(net.net, net.currency, result)} ${symbol(net.currency)}</span>${partialMark(net)}`;
  return first === undefined
    ? null
    : html` <p>Net realised PnL, ${includes(first)}: ${one(first)}${others.map((net) => html`, ${one(net)}`)}</p>`;
}

/** The same as plain text, of the first two currencies: `+1,324.50 USD`; empty if none is known. */
export function netPlain(nets: readonly NetFigure[]): string {
  return nets
    .slice(0, 2)
    .flatMap(({ currency, net, isPartial }) =>
      net === null
        ? []
        : [`${signedText(net, currency)} ${symbolText(currency)}${isPartial ? ` (${PARTIAL_TOTAL})` : ""}`],
    )
    .join(", ");
}

/** As `result` shows it, where no element is allowed. */
function signedText(amount: Amount, currency: string): string {
  const [whole = "", ...cents] = formatMinor(amount, currency).replace("-", "").split(".");
  const text = [grouped(whole), ...cents].join(".");
  if (!/[1-9]/.test(text)) {
    return text;
  }
  return `${amount < 0n ? "−" : "+"}${text}`;
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
    description: `One bar a month: ${count((net) => net > 0n)} with a gain, blue and above the line; ${count((net) => net < 0n)} with a loss, orange with stripes and below it. The table beneath has the amounts.`,
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
