import { Decimal } from "decimal.js";
import { table } from "../../../lambda/cli/terminal-text.ts";

const Exact = Decimal.clone({ precision: 100 });

interface Row {
  readonly filled_at: string;
  readonly tx_created: string;
  readonly market: string;
  readonly notional: string;
  readonly fee: string;
  readonly fee_currency: string;
}

interface Totals {
  fills: number;
  readonly markets: Set<string>;
  readonly volume: Map<string, Decimal>;
  readonly fees: Map<string, Decimal>;
}

const CURRENCIES = ["USD", "USDT"] as const;

/** Fills, markets, volume and fees by UTC month, from the rows of fills.csv. USD and USDT are never added up. */
export async function monthlyTable(rows: AsyncIterable<Row>): Promise<readonly string[]> {
  const months = new Map<string, Totals>();
  const all = noTotals();
  for await (const row of rows) {
    const month = (row.filled_at || row.tx_created).slice(0, 7);
    const totals = months.get(month) ?? noTotals();
    months.set(month, totals);
    add(totals, row);
    add(all, row);
  }
  const header = ["month", "fills", "markets", ...CURRENCIES.flatMap((one) => [`volume ${one}`, `fees ${one}`])];
  const lines = [...months].sort(([a], [b]) => (a < b ? -1 : 1)).map(([month, totals]) => cells(month, totals));
  return table(header, [...lines, cells("all", all)].map(rightAligned));
}

function noTotals(): Totals {
  return { fills: 0, markets: new Set(), volume: new Map(), fees: new Map() };
}

function add(totals: Totals, row: Row): void {
  totals.fills += 1;
  totals.markets.add(row.market);
  const currency = row.fee_currency;
  totals.volume.set(currency, (totals.volume.get(currency) ?? new Exact(0)).plus(row.notional));
  totals.fees.set(currency, (totals.fees.get(currency) ?? new Exact(0)).plus(row.fee));
}

function cells(name: string, { fills, markets, volume, fees }: Totals): string[] {
  const sums = CURRENCIES.flatMap((one) => [volume.get(one), fees.get(one)]);
  return [name, String(fills), String(markets.size), ...sums.map((sum) => (sum ?? new Exact(0)).toFixed(2))];
}

function rightAligned(row: readonly string[]): string[] {
  const widths = [5, 6, 7, 18, 12, 18, 12];
  return row.map((text, column) => text.padStart(widths[column] ?? 0));
}
