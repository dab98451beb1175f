import { type Amount, ONE, ZERO } from "../../../lambda/core/amount.ts";
import { compareText } from "../../../lambda/core/text.ts";
import { exactly } from "../../support/amounts.ts";

/** A row of a CSV file of the pack, by column. */
export type Row = Readonly<Record<string, string>>;

const FIGURES = ["fills", "volume", "gross", "fees", "funding", "net"] as const;

/** Exact amounts; the number of fills is one too. */
export type Figures = Readonly<Record<(typeof FIGURES)[number], Amount>>;

/** By month and currency, e.g. `2025-03 USD`, and `all USD` for the period. */
export type PackFigures = ReadonlyMap<string, Figures>;

/** The figures of each month in summary-months.csv and of the period in summary.csv, by the chosen method. */
export function summaryFigures(months: readonly Row[], totals: readonly Row[]): PackFigures {
  return new Map(
    [...months, ...totals].map((row) => [
      `${row["month"] ?? "all"} ${cell(row, "currency")}`,
      {
        fills: amount(row, "fills"),
        volume: amount(row, "volume"),
        gross: amount(row, "gross_pnl"),
        fees: amount(row, "fees_recognised"),
        funding: amount(row, "funding"),
        net: amount(row, "realised_pnl_net_incl_funding"),
      },
    ]),
  );
}

/** Rows of fills.csv, realised-pnl.csv and inputs/funding.csv. */
export interface Detail {
  readonly fills: readonly Row[];
  readonly closes: readonly Row[];
  readonly payments: readonly Row[];
}

/** The same figures, added up from single fills, closes and payments. `zone`: the months' IANA time zone. */
export function addUp({ fills, closes, payments }: Detail, zone: string): PackFigures {
  const monthOf = monthsIn(zone);
  const sums = new Map<string, Figures>();
  const add = (time: string, currency: string, figures: Partial<Figures>): void => {
    for (const month of [monthOf(time), "all"]) {
      const key = `${month} ${currency}`;
      sums.set(key, sum(sums.get(key) ?? NOTHING, figures));
    }
  };
  for (const row of fills) {
    const time = cell(row, "filled_at") || cell(row, "tx_created");
    add(time, cell(row, "fee_currency"), { fills: ONE, volume: amount(row, "notional") });
  }
  for (const row of closes.filter((close) => cell(close, "status") === "known")) {
    const gross = amount(row, "gross_pnl");
    const fees = amount(row, "open_fee").plus(amount(row, "close_fee"));
    add(cell(row, "closed_at"), cell(row, "currency"), { gross, fees, net: gross.minus(fees) });
  }
  for (const row of payments) {
    const funding = amount(row, "amount");
    add(cell(row, "time"), cell(row, "currency"), { funding, net: funding });
  }
  return sums;
}

/** Each figure that differs, e.g. `2025-03 USD net: 1.5, and 1.25 added up`. */
export function differences(said: PackFigures, addedUp: PackFigures): string[] {
  const keys = [...new Set([...said.keys(), ...addedUp.keys()])].sort(compareText);
  return keys.flatMap((key) =>
    FIGURES.flatMap((figure) => {
      const [left, right] = [said.get(key)?.[figure], addedUp.get(key)?.[figure]];
      return left !== undefined && right !== undefined && left.eq(right)
        ? []
        : [`${key} ${figure}: ${text(left)}, and ${text(right)} added up`];
    }),
  );
}

const NOTHING: Figures = { fills: ZERO, volume: ZERO, gross: ZERO, fees: ZERO, funding: ZERO, net: ZERO };

function sum(a: Figures, b: Partial<Figures>): Figures {
  const { fills = ZERO, volume = ZERO, gross = ZERO, fees = ZERO, funding = ZERO, net = ZERO } = b;
  return {
    fills: a.fills.plus(fills),
    volume: a.volume.plus(volume),
    gross: a.gross.plus(gross),
    fees: a.fees.plus(fees),
    funding: a.funding.plus(funding),
    net: a.net.plus(net),
  };
}

function text(figure: Amount | undefined): string {
  return figure === undefined ? "nothing" : String(figure);
}

function monthsIn(zone: string): (time: string) => string {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, year: "numeric", month: "2-digit" });
  return (time) => {
    const parts = new Map(format.formatToParts(Date.parse(time)).map(({ type, value }) => [type, value]));
    return `${parts.get("year")}-${parts.get("month")}`;
  };
}

function cell(row: Row, column: string): string {
  const value = row[column];
  if (value === undefined) {
    throw new RangeError(`there is no column ${column}; the columns are ${Object.keys(row).join(", ")}`);
  }
  return value;
}

/** Reads up to 36 digits after the point. An empty cell counts as zero. */
function amount(row: Row, column: string): Amount {
  return exactly(cell(row, column) || "0");
}
