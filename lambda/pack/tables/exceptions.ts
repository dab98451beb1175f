import type { Break } from "../../accounting/breaks.ts";
import type { Posted } from "../../accounting/posted.ts";
import type { Fill } from "../../core/fill.ts";
import { isWithin } from "../../core/ranges.ts";
import { DAY_MS, isoTime, type TimeRange } from "../../core/time.ts";
import { exceptionsOf } from "../../formats/fill-exceptions.ts";
import { missingText, newStartText } from "../make/break-text.ts";
import { DATE_BY, type DateBy } from "../make/date-by.ts";
import { breaksOf } from "../make/given.ts";
import type { Closing, ExceptionRow, ExceptionSummary, PackContext } from "../make/maker.ts";
import { CsvMaker } from "../writers/csv.ts";
import { account, MATCH_ID, note, ORDER_ID, REQUIRED, text, time } from "./column.ts";
import { aboutMarket, MarketExceptions } from "./market-exceptions.ts";
import type { SheetTable } from "./table.ts";
import { UnknownValues } from "./unknown-values.ts";

/** A fill is listed if its two times are further apart than this. */
export const MOST_APART_MS = DAY_MS;
/** How many rows are kept for the workbook and the report. */
const MOST_KEPT = 1000;

/** exceptions.csv. Its sheet has the first rows. */
export const EXCEPTIONS: SheetTable<ExceptionRow> = {
  path: "exceptions.csv",
  description:
    "What a reader must know. First: declared breaks, in which fills are missing. Then single fills: values that are missing or have another type or form; fills with one of their two times outside the period, including those that are not in the pack; fills whose two times are more than 24 hours apart. Then, counted and with an example: fields that the venue's documentation does not name, and values that it does not list. Last, whole markets: assumed contract types, assumed opening positions, PnL that is not known, and fills of both sides that share a time.",
  columns: [
    account((row) => row.account),
    text(
      ["match_id", "match_id"],
      "match_id of the fill, or of an example. Empty if the row concerns a whole market.",
      ({ matchId }) => matchId,
      MATCH_ID,
    ),
    text(["order_id", "order_id"], "order_id of the fill.", ({ orderId }) => orderId, ORDER_ID),
    time(
      ["tx_created", "tx_created"],
      "Time at which the fill's transaction was created, UTC.",
      ({ txCreated }) => txCreated,
    ),
    text("market", "Market of the fill, or the market that the row concerns.", ({ market }) => market),
    text(
      "column",
      "Column of fills.csv, figure of summary.csv, or the venue's own field that the row concerns.",
      ({ column }) => column,
    ),
    note("reason", "What a reader of that value or market must know.", ({ reason }) => reason, {
      ...REQUIRED,
      width: 70,
    }),
    text("value", "Value that the venue sent, or the value that the reason refers to, as text.", ({ value }) => value, {
      width: 30,
    }),
  ],
  sheet: {
    title: "Exceptions",
    about: "What a reader of the fills and markets must know.",
    nothing: "There are no exceptions.",
    left: ({ exceptions }) => exceptions.count - exceptions.first.length,
  },
  rows: { atEnd: ({ exceptions }) => exceptions.first },
};

type Found = Pick<ExceptionRow, "column" | "reason" | "value">;

/** What a reader must know of breaks, single fills, unknown values and whole markets. */
export class ExceptionsMaker extends CsvMaker<ExceptionRow> {
  /** The number of fills of the period that are listed. */
  fills = 0;
  /** After `end`. Breaks come first, then whole markets. */
  summary: ExceptionSummary = { count: 0, ofFills: 0, first: [] };
  readonly unknown = new UnknownValues();
  readonly #period: TimeRange;
  readonly #basis: DateBy;
  readonly #markets = new MarketExceptions();
  readonly #kept: ExceptionRow[] = [];
  readonly #breaks: readonly ExceptionRow[];

  constructor(context: PackContext) {
    super(EXCEPTIONS);
    this.#period = context.period;
    this.#basis = DATE_BY[context.basis];
    this.#breaks = breaksOf(context).map(breakRow);
  }

  override begin(): string {
    return super.begin() + this.textOf(this.#breaks);
  }

  override add(batch: readonly Posted[]): string {
    return this.#list(
      batch.flatMap((posted) => {
        this.#markets.add(posted);
        this.unknown.add(posted.account, posted.fill);
        const rows = this.#ofFill(posted);
        this.fills += rows.length === 0 ? 0 : 1;
        return rows;
      }),
    );
  }

  /** Lists fills that do not count in the period although their other time lies in it. */
  cutOffFills(owner: string, fills: readonly Fill[]): string {
    const { name, timeOf } = this.#basis;
    const { own: column, without: reason } = CUT_OFF[name];
    return this.#list(fills.map((fill) => exceptionOf(owner, fill, { column, reason, value: isoTime(timeOf(fill)) })));
  }

  override end(closing: Closing): string {
    const rows = [...this.unknown.rows, ...this.#markets.rows(closing)];
    const first = [...this.#breaks, ...rows, ...this.#kept].slice(0, MOST_KEPT);
    const ending = this.#list(rows);
    const notes = this.#breaks.length + rows.filter(({ txCreated }) => txCreated === null).length;
    this.summary = { count: this.rows, ofFills: this.rows - notes, first };
    return ending;
  }

  #list(rows: readonly ExceptionRow[]): string {
    this.#kept.push(...rows.slice(0, MOST_KEPT - this.#kept.length));
    return this.textOf(rows);
  }

  #ofFill({ account: name, fill }: Posted): ExceptionRow[] {
    if (fill.declared !== undefined) {
      const reason = `declared_trade: the user declared this trade in adjustments.csv; it is booked, but not in fills.csv: ${fill.declared}`;
      return [exceptionOf(name, fill, { column: null, reason, value: null })];
    }
    const found: readonly Found[] = [...exceptionsOf(fill), ...this.#cutOff(fill), ...farApart(fill)];
    return found.map((one) => exceptionOf(name, fill, one));
  }

  #cutOff(fill: Fill): Found[] {
    const { name, otherTimeOf } = this.#basis;
    const { other: column, within: reason } = CUT_OFF[name];
    const moment = otherTimeOf(fill);
    return isWithin(this.#period, moment) ? [] : [{ column, reason, value: isoTime(moment) }];
  }
}

/** Auditors test the cut-off: fills in and outside the pack of which the other time is outside or in the period. */
const CUT_OFF = {
  fill: {
    own: "filled_at",
    other: "tx_created",
    within: "cut-off: the fill was made in the period, but its transaction was created outside it",
    without:
      "cut-off: the transaction was created in the period, but the fill was made outside it and is not in the pack",
  },
  transaction: {
    own: "tx_created",
    other: "filled_at",
    within: "cut-off: the transaction was created in the period, but the fill was made outside it",
    without:
      "cut-off: the fill was made in the period, but its transaction was created outside it, so the fill is not in the pack",
  },
} as const;

function breakRow(one: Break & { readonly account: string }): ExceptionRow {
  const reason = `break_declared: ${missingText(one)}, so PnL is blank there; value: the position after the break; evidence: ${one.evidence}`;
  return aboutMarket(one, reason, { value: newStartText(one) });
}

function farApart({ filledAt, txCreated }: Fill): Found[] {
  const reason = "filled_at and tx_created are more than 24 hours apart";
  return filledAt === null || Math.abs(filledAt - txCreated) <= MOST_APART_MS
    ? []
    : [{ column: "filled_at", reason, value: isoTime(filledAt) }];
}

function exceptionOf(name: string, { matchId, orderId, txCreated, market }: Fill, found: Found): ExceptionRow {
  return { account: name, matchId, orderId, txCreated, market, ...found };
}
