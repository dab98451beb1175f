import type { Close, Posted } from "../../accounting/posted.ts";
import type { RateConverter } from "../../accounting/rates/converter.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { formatMinor } from "../../core/currency.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { localDays } from "../../core/local-day.ts";
import { nextDay } from "../../core/period-days.ts";
import { isUnitedStates } from "../../core/tax-years.ts";
import { compareText } from "../../core/text.ts";
import type { PackContext } from "../make/maker.ts";
import type { PackRequest } from "../make/request.ts";
import {
  closedSideOf,
  closesIn,
  costOf,
  FILL_IDS,
  openingDays,
  proceedsOf,
  quantityOf,
  STATUS,
  VARIOUS,
} from "./closes.ts";
import { account, count, REQUIRED, rate, text } from "./column.ts";
import type { Column, Table } from "./table.ts";

/** The currency of the form's amounts. */
export const USD = "USD";

/**
 * The United States' Form 8949 (IRS, Form 8949 and its instructions, 2025). It is made for a period of the
 * United States, in dollars. Property is identified lot by lot, or first in, first out; only shares of funds and
 * dividend reinvestment plans may have an average basis (26 CFR 1.1012-1 (c), (e) and (j)). Returns why it is not
 * made for such a period, and what to do. Null: it is made, or the period is of another country.
 */
export function form8949Obstacle({ period, currency, method }: Form8949Request): string | null {
  if (!isUnitedStates(period.name)) {
    return null;
  }
  const missing = [
    ...(currency === USD ? [] : ["it needs amounts in dollars (currency USD)"]),
    ...(method === "average"
      ? [
          "by average cost it would be wrong, because that is for shares of funds only (26 CFR 1.1012-1(e)): choose FIFO, or another method that matches lots",
        ]
      : []),
  ];
  return missing.length === 0 ? null : `form-8949.csv was not made: ${missing.join("; and ")}`;
}

type Form8949Request = Pick<PackRequest, "period" | "currency" | "method">;

export function hasForm8949(request: Form8949Request): boolean {
  return isUnitedStates(request.period.name) && form8949Obstacle(request) === null;
}

/** What it leaves to the preparer. Null: the pack has no form. */
export function form8949Question({ period, converter, methods }: PackContext): string | null {
  return hasForm8949({ period, currency: converter?.to ?? null, method: methods.primary })
    ? "Form 8949: its lines are dates and amounts, and do not decide what the contracts are. Perpetual futures may be Section 1256 contracts (Form 6781, marked to market at the end of the year), Section 988 transactions (ordinary gain or loss), or capital assets on Form 8949, as digital assets or not. The preparer decides; none of it is settled law."
    : null;
}

/** A line of the form. Amounts are whole cents. */
interface Form8949Line {
  /** Column (a). */
  readonly property: string;
  /** Column (b): MM/DD/YYYY, or VARIOUS. */
  readonly acquired: string;
  /** Column (c): MM/DD/YYYY. */
  readonly sold: string;
  /** Columns (d) and (e), fees included. Null: not known. */
  readonly amounts: { readonly proceeds: Amount; readonly cost: Amount } | null;
  /** Held for at most a year, or longer. Null: not known. */
  readonly term: Term | null;
}

type Term = "short" | "long";

/**
 * Both dates of a short position are those of its closing, by the form's instructions: it is acquired by what
 * closes it, and sold when that is delivered. So it is never held for more than a year.
 */
function form8949Lines(context: PackContext, converter: RateConverter): (row: Close) => Form8949Line {
  const { zone } = context.period;
  const closingDay = localDays(zone);
  const firstDay = localDays(zone); // of its own, since each is fast for times that come in order
  const openedOn = openingDays(context);
  return (row) => {
    const sold = closingDay(row.own.time);
    const [proceeds, cost] = [proceedsOf(row), costOf(row)];
    const cents = (amount: Amount) => converter.convertToMinor(amount, row.trade.currency, row.own.time);
    const opened = openedOn(row) ?? VARIOUS;
    const acquired = quantityOf(row) !== null && closedSideOf(row) === "short" ? sold : opened;
    return {
      property: propertyOf(row),
      acquired: acquired === VARIOUS ? VARIOUS : formDate(acquired),
      sold: formDate(sold),
      amounts: proceeds && cost && { proceeds: cents(proceeds), cost: cents(cost) },
      term: termOf(row, acquired, sold),
    };
  };

  function termOf({ match }: Close, acquired: string, sold: string): Term | null {
    if (match === null) {
      return null;
    }
    if (acquired !== VARIOUS) {
      return isHeldOverYear(acquired, sold) ? "long" : "short";
    }
    // A pool is short-term as long as its oldest part is. The day of a declared position is not known.
    const { opener } = match;
    return opener.matchId !== null && !isHeldOverYear(firstDay(opener.time), sold) ? "short" : null;
  }
}

/**
 * Whether it was held for more than one year. Days count from the day after the acquisition (IRS, Publication
 * 544, holding period).
 */
function isHeldOverYear(acquired: string, sold: string): boolean {
  const counted = nextDay(acquired);
  return sold >= String(Number(counted.slice(0, 4)) + 1) + counted.slice(4);
}

/** `0.5 BTC-USD perpetual, long` */
function propertyOf(row: Close): string {
  const { market } = row.trade;
  const quantity = quantityOf(row);
  return quantity === null ? `${market} perpetual`.trim() : `${quantity} ${market} perpetual, ${closedSideOf(row)}`;
}

/** `03/01/2025` of `2025-03-01` */
function formDate(day: string): string {
  return `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;
}

/**
 * The first year whose form has separate boxes for digital assets (IRS, Instructions for Form 8949, 2025,
 * What's New).
 */
const DIGITAL_ASSETS_SINCE = 2025;

function boxColumns<Of>(context: PackContext, termOf: (row: Of) => Form8949Line["term"]): Column<Of>[] {
  const byTerm = (short: string, long: string) => (row: Of) => {
    const term = termOf(row);
    return term === null ? null : { short, long }[term];
  };
  const hasDigitalAssets = Number(context.period.firstDay.slice(0, 4)) >= DIGITAL_ASSETS_SINCE;
  return [
    text(
      "part",
      "I: held for one year or less. II: held for more than one year. Empty if it is not known, as for a declared position.",
      byTerm("I", "II"),
    ),
    text(
      "box",
      "Box to check if no Form 1099 was received and perpetual futures are not treated as digital assets.",
      byTerm("C", "F"),
    ),
    text(
      ["box_if_digital_asset", "Box if a digital asset"],
      "Box to check if no Form 1099-DA was received and perpetual futures are treated as digital assets. The form has these boxes from 2025.",
      hasDigitalAssets ? byTerm("I", "L") : () => null,
    ),
  ];
}

function columnsOf(context: PackContext): Column<Row>[] {
  const dollars = (amount: Amount | undefined) => (amount === undefined ? null : formatMinor(amount, USD));
  return [
    account(({ own }) => own.account),
    ...boxColumns<Row>(context, ({ line }) => line.term),
    text(
      "description_of_property",
      "Column (a): what was closed: quantity, market, and long or short.",
      ({ line }) => line.property,
      REQUIRED,
    ),
    text(
      "date_acquired",
      "Column (b), MM/DD/YYYY in the pack's time zone. VARIOUS: there is no single day, or it is not known. For a short position: the day of the closing purchase.",
      ({ line }) => line.acquired,
      REQUIRED,
    ),
    text(
      "date_sold",
      "Column (c), MM/DD/YYYY in the pack's time zone. For a short position: the day on which it was closed.",
      ({ line }) => line.sold,
      REQUIRED,
    ),
    rate("proceeds", "Column (d), in dollars and cents: value of the sale less its fee.", ({ line }) =>
      dollars(line.amounts?.proceeds),
    ),
    rate("cost_or_other_basis", "Column (e): value of the purchase plus its fee.", ({ line }) =>
      dollars(line.amounts?.cost),
    ),
    text("code", "Column (f): left empty for the preparer.", () => null),
    rate("adjustment", "Column (g): left empty for the preparer.", () => null),
    rate("gain_or_loss", "Column (h): (d) − (e), fees included, excluding funding.", ({ line: { amounts } }) =>
      amounts === null ? null : dollars(amounts.proceeds.minus(amounts.cost)),
    ),
  ];
}

interface Row extends Close {
  readonly line: Form8949Line;
}

/** The lines of a box of an account. */
interface BoxTotal {
  readonly account: string;
  readonly term: Form8949Line["term"];
  lines: number;
  proceeds: Amount;
  cost: Amount;
}

/** Adds up the lines by box, as the form's line 2 asks for. */
export class Form8949Totals {
  readonly #rows = new Map<string, BoxTotal>();

  add({ own: { account: name }, line: { term, amounts } }: Row): void {
    const row = getOrMake(this.#rows, JSON.stringify([name, term]), () => ({
      ...{ account: name, term, lines: 0, proceeds: ZERO, cost: ZERO },
    }));
    row.lines += 1;
    row.proceeds = row.proceeds.plus(amounts?.proceeds ?? ZERO);
    row.cost = row.cost.plus(amounts?.cost ?? ZERO);
  }

  get rows(): readonly BoxTotal[] {
    return [...this.#rows.values()].sort((a, b) => compareText(keyOf(a), keyOf(b)));
  }
}

/** By account; the short term first, what is not known last. */
function keyOf({ account: name, term }: BoxTotal): string {
  return JSON.stringify([name, ["short", "long", null].indexOf(term)]);
}

/** The form's lines, their totals, and the closes that are on no line. */
export function form8949Tables(context: PackContext, converter: RateConverter) {
  const lineOf = form8949Lines(context, converter);
  const totals = new Form8949Totals();
  const rowsIn = (batch: readonly Posted[], isKnown: boolean) =>
    closesIn(batch)
      .filter(({ match }) => (match !== null) === isKnown)
      .map((close) => ({ ...close, line: lineOf(close) }));
  const nothing = "Nothing was closed in the period.";
  const lines: Table<Row> = {
    path: "form-8949.csv",
    description:
      "Lines for the United States' Form 8949, in dollars and cents. Fees are included in proceeds and basis. Whether perpetual futures belong on this form, and under which box, is for the preparer to decide, so both boxes are given. Each line is rounded separately, so the total can differ from realised-pnl.csv by up to one cent a line: see control-totals.csv. Closes whose PnL is not known are in form-8949-unknown.csv.",
    columns: [...columnsOf(context), ...FILL_IDS],
    sheet: { title: "Form 8949", about: "", nothing },
    rows: {
      *each(batch) {
        for (const row of rowsIn(batch, true)) {
          totals.add(row);
          yield row;
        }
      },
    },
  };
  const unknown: Table<Row> = {
    path: "form-8949-unknown.csv",
    description:
      "Closes that belong to Form 8949, but are on no line of form-8949.csv, because their PnL is not known. The preparer completes them.",
    columns: [...columnsOf(context).filter(({ name }) => UNKNOWN_NAMES.includes(name)), ...FILL_IDS, STATUS],
    sheet: { title: "Form 8949 unknown", about: "", nothing: "PnL is known for every close." },
    rows: { each: (batch) => rowsIn(batch, false) },
  };
  return { lines, unknown, totals, byBox: totalsTable(context, totals) };
}

const UNKNOWN_NAMES: readonly string[] = ["account", "description_of_property", "date_acquired", "date_sold"];

function totalsTable(context: PackContext, totals: Form8949Totals): Table<BoxTotal> {
  return {
    path: "form-8949-totals.csv",
    description: "The totals of form-8949.csv by box, as line 2 of each part of the form asks for them.",
    columns: [
      account((row) => row.account),
      ...boxColumns<BoxTotal>(context, ({ term }) => term),
      count("lines", "Number of lines of form-8949.csv.", ({ lines }) => lines, REQUIRED),
      rate("proceeds", "Sum of column (d).", ({ proceeds }) => formatMinor(proceeds, USD), REQUIRED),
      rate("cost_or_other_basis", "Sum of column (e).", ({ cost }) => formatMinor(cost, USD), {
        ...REQUIRED,
      }),
      rate(
        "gain_or_loss",
        "Sum of column (h): (d) − (e).",
        ({ proceeds, cost }) => formatMinor(proceeds.minus(cost), USD),
        REQUIRED,
      ),
    ],
    sheet: { title: "Form 8949 totals", about: "", nothing: "Nothing was closed in the period." },
    rows: { atEnd: () => totals.rows },
  };
}
