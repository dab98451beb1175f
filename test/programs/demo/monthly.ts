import { type Amount, formatMinor } from "../../../lambda/accounting/amount.ts";
import { table } from "../../../lambda/cli/terminal-text.ts";
import { SCALE } from "../../../lambda/core/decimal.ts";
import { compareText, grouped } from "../../../lambda/core/text.ts";
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
  rows.sort((a, b) => compareText(a.currency, b.currency) || compareText(a.month, b.month));
  return table(
    HEADER.map(rightAligned),
    rows.map(({ month, currency, own }) => cells(month, currency, own).map(rightAligned)),
  );
}

/** The totals of the whole period, one row per currency. */
export function resultLines(figures: PackFigures): readonly string[] {
  const rows = [...figures]
    .flatMap(([key, own]) => (key.startsWith("all ") ? [{ currency: key.slice("all ".length), own }] : []))
    .toSorted((a, b) => compareText(a.currency, b.currency));
  const header = ["", "fills", "gross realised", "fees", "funding", "net realised"];
  const cellsOf = ({ currency, own }: (typeof rows)[number]) => {
    const amounts = [own.gross, own.fees, own.funding, own.net].map((amount) => money(amount, currency));
    return [currency, String(own.fills / 10n ** BigInt(2 * SCALE)), ...amounts];
  };
  const all = [header, ...rows.map(cellsOf)];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all.map((row) => row.map((text, column) => text.padStart(widths[column] ?? 0)).join("  "));
}

function cells(month: string, currency: string, { fills, volume, gross, fees, funding, net }: Figures): string[] {
  const amounts = [volume, gross, fees, funding, net].map((amount) => money(amount, currency));
  return [month, currency, String(fills / 10n ** BigInt(2 * SCALE)), ...amounts];
}

/** An amount in minor units, e.g. `-1,234.50`. */
function money(amount: Amount, currency: string): string {
  const [whole = "", ...cents] = formatMinor(amount, currency).split(".");
  return [grouped(whole), ...cents].join(".");
}

function rightAligned(text: string, column: number): string {
  return text.padStart(WIDTHS[column] ?? 0);
}
