import { PARTIAL_TOTAL } from "../../../lambda/accounting/cube/figures.ts";
import { table } from "../../../lambda/cli/terminal-text.ts";
import type { Amount } from "../../../lambda/core/amount.ts";
import { formatMinor } from "../../../lambda/core/currency.ts";
import { compareText, counted, grouped } from "../../../lambda/core/text.ts";
import type { Figures, PackFigures } from "./pack-figures.ts";

const HEADER = ["month", "", "fills", "volume", "gross PnL", "fees", "funding", "net PnL"];
const WIDTHS = [7, 4, 5, 13, 12, 10, 10, 12];

/**
 * The pack's months and then the whole period, for each currency: USD and USDT are never added. Amounts are
 * rounded once, half to even.
 */
export function monthlyTable(figures: PackFigures): readonly string[] {
  const rows = [...figures].map(([key, own]) => {
    const [month = "", currency = ""] = key.split(" ");
    return { month, currency, own };
  });
  const order = currenciesIn(figures);
  rows.sort((a, b) => order.indexOf(a.currency) - order.indexOf(b.currency) || compareText(a.month, b.month));
  return table(
    HEADER.map(rightAligned),
    rows.map(({ month, currency, own }) => cells(month, currency, own).map(rightAligned)),
  );
}

/** As the report has them: by fills, the most first. */
function currenciesIn(figures: PackFigures): readonly string[] {
  return totalsIn(figures).map(({ currency }) => currency);
}

function totalsIn(figures: PackFigures): readonly { readonly currency: string; readonly own: Figures }[] {
  return [...figures]
    .flatMap(([key, own]) => (key.startsWith("all ") ? [{ currency: key.slice("all ".length), own }] : []))
    .toSorted((a, b) => b.own.fills.cmp(a.own.fills) || compareText(a.currency, b.currency));
}

/**
 * What the whole period came to, a row a currency. `unknownCloses`: by currency, how many fills closed
 * something and have no PnL, so that the totals do not have it.
 */
export function resultLines(figures: PackFigures, unknownCloses: ReadonlyMap<string, number>): readonly string[] {
  const rows = totalsIn(figures);
  const header = ["", "fills", "gross realised", "fees", "funding", "net realised"];
  const cellsOf = ({ currency, own }: (typeof rows)[number]) => {
    const amounts = [own.gross, own.fees, own.funding, own.net].map((amount) => money(amount, currency));
    return [currency, fillsText(own.fills), ...amounts];
  };
  const all = [header, ...rows.map(cellsOf)];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  const lines = all.map((row) => row.map((text, column) => text.padStart(widths[column] ?? 0)).join("  "));
  return lines.map((line, at) => line + partialText(unknownCloses.get(rows[at - 1]?.currency ?? "") ?? 0));
}

function partialText(unknown: number): string {
  return unknown === 0 ? "" : `  (${PARTIAL_TOTAL}: the PnL of ${counted(unknown, "close")} could not be calculated)`;
}

function cells(month: string, currency: string, { fills, volume, gross, fees, funding, net }: Figures): string[] {
  const amounts = [volume, gross, fees, funding, net].map((amount) => money(amount, currency));
  return [month, currency, fillsText(fills), ...amounts];
}

function fillsText(fills: Amount): string {
  return grouped(String(fills));
}

/** An amount in minor units, e.g. `-1,234.50`. */
function money(amount: Amount, currency: string): string {
  const [whole = "", ...cents] = formatMinor(amount, currency).split(".");
  return [grouped(whole), ...cents].join(".");
}

function rightAligned(text: string, column: number): string {
  return text.padStart(WIDTHS[column] ?? 0);
}
