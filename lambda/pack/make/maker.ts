import type { DeclaredPosition, Funding } from "../../accounting/booked.ts";
import type { Break } from "../../accounting/breaks.ts";
import type { CubeDay } from "../../accounting/cube/cube.ts";
import type { Sums } from "../../accounting/cube/scopes.ts";
import type { Methods } from "../../accounting/method.ts";
import type { Posted } from "../../accounting/posted.ts";
import type { RateConverter } from "../../accounting/rates/converter.ts";
import type { Coverage } from "../../archive/manifest.ts";
import type { Amount } from "../../core/amount.ts";
import type { PeriodMonth } from "../../core/period.ts";
import type { TimeRange } from "../../core/time.ts";
import type { Mark, StatedBalance, Transfer } from "../../inputs/tables.ts";
import type { Field } from "../tables/field.ts";
import type { StatementSettings } from "./account-settings.ts";
import type { PackRequest } from "./request.ts";

/** The prefix of all file names in an incomplete pack. */
export const INCOMPLETE_MARK = "INCOMPLETE-";

/** An account of a pack, with what the user gave for it. */
export interface PackAccount {
  readonly account: string;
  /** Payments within the period, by time. Null: no file was given. */
  readonly funding: readonly Funding[] | null;
  /** Deposits and withdrawals, by time, also those outside the period. Null: no file was given. */
  readonly transfers: readonly Transfer[] | null;
  /** Statements of cash, by time, also those outside the period. */
  readonly balances: readonly StatedBalance[];
  /**
   * For each market, the last price from the beginning of the period's last day up to and including its end.
   * Null: no file was given.
   */
  readonly marks: ReadonlyMap<string, Mark> | null;
  /** Breaks that began before the period's end, even if they ended before its beginning. By time. */
  readonly breaks: readonly Break[];
  /** opening-positions.csv */
  readonly declared: readonly DeclaredPosition[];
}

/** What the files of one pack share. Known before the first fill. */
export interface PackContext extends Pick<PackRequest, "name" | "period" | "isMethodChosen" | "basis"> {
  /** Sorted. */
  readonly accounts: readonly PackAccount[];
  /** The names that the user gives for the statement. */
  readonly named: StatementSettings;
  readonly methods: Methods;
  /** Null: nothing is converted. */
  readonly converter: RateConverter | null;
  /** True: the period is covered. */
  readonly complete: boolean;
}

/** What is known after the last fill. */
export interface Closing {
  readonly sums: Sums;
  readonly proof: Proof;
  readonly exceptions: ExceptionSummary;
  /** Cash and the user's statements of it, by currency, account and time. */
  readonly cash: readonly Cash[];
}

/** Whether rounding explains the difference of two statements. */
export type Agreement = "agrees" | "differs" | "no statement";

/**
 * The movements of an account's cash in a currency between two statements, or between a statement and an end of
 * the period, compared with the statements.
 */
export interface Cash {
  readonly account: string;
  /** "": not known. */
  readonly currency: string;
  readonly from: number;
  readonly to: number;
  /** The user's statements at its ends. Null: there is none. */
  readonly opening: StatedBalance | null;
  readonly closing: StatedBalance | null;
  /** Why an end has no statement, for people. Null: both ends have one. */
  readonly missing: string | null;
  readonly gross: Amount;
  readonly fees: Amount;
  /** Null: no file was given. */
  readonly funding: Amount | null;
  /** Deposits less withdrawals. Null: no file was given. */
  readonly transfers: Amount | null;
  /** Of them, those from and to other accounts of the pack. */
  readonly between: Amount | null;
  /** Fills whose PnL or fee is not known. */
  readonly unknown: number;
  readonly movement: Amount;
  /** Stated less calculated. Null: a statement is missing. */
  readonly difference: Amount | null;
  readonly result: Agreement;
}

/** The evidence for the pack's completeness. */
export interface Proof {
  readonly complete: boolean;
  /** What was read of the period, and how often, by `txCreated`. */
  readonly coverage: readonly Omit<Coverage, "silentIn">[];
  /** What was not read of it. */
  readonly gaps: readonly TimeRange[];
  readonly assumed: Assumed;
  /** When its second reading had ended for the first time, ms UTC. Null: it has not, or the archive does not say. */
  readonly readTwiceAt: number | null;
  /** How the user's declared positions were understood: one sentence for each of the first lines. */
  readonly declared: readonly string[];
  /** What to note of the user's files: what nothing used, and mixed rates. Sentences without their full stops. */
  readonly noted: readonly string[];
  /** Trades of the user's adjustments.csv in the period. They are booked, but are no fills of the venue. */
  readonly declaredTrades: number;
  readonly fills: number;
  /** Of fills.csv. */
  readonly sha256: string;
  readonly months: readonly MonthTotals[];
  readonly restatements: { readonly late: number; readonly changed: number; readonly enriched: number };
}

/** What a pack holds of one month of its period. */
export interface MonthTotals extends PeriodMonth {
  rows: number;
  /** The times of its first and last fill, ms UTC. Null: no fills. */
  first: number | null;
  last: number | null;
}

/** What completeness rests on beside the venue's answers. */
export interface Assumed {
  /**
   * How wide times without a known fill at both their ends were requested, in the period and the history that
   * it depends on, in days, rounded up to tenths. Null: there were none.
   */
  readonly silenceDays: number | null;
  /** Fills of the account that the venue no longer shows among those around them. They are kept. */
  readonly vanished: number;
}

/** A row of exceptions.csv. */
export interface ExceptionRow {
  readonly account: string;
  readonly matchId: string | null;
  readonly orderId: string | null;
  /** ms UTC */
  readonly txCreated: number | null;
  readonly market: string | null;
  readonly column: string | null;
  readonly reason: string;
  readonly value: string | null;
}

export interface ExceptionSummary {
  readonly count: number;
  /** Rows about single fills. The others are about markets. */
  readonly ofFills: number;
  /** The first 1,000 rows at most. exceptions.csv has all. */
  readonly first: readonly ExceptionRow[];
}

/** The description of a file in datapackage.json. */
export interface FileFacts {
  /** Path in the pack: `imports/koinly.csv`. */
  readonly path: string;
  /** What it is for, and how to read it. */
  readonly description: string;
  /** `text/csv`, … */
  readonly mediatype: string;
  /** More detail, if the media type does not say enough. */
  readonly format?: string;
  /** The columns of a table with a header. A CSV file then has a byte order mark. */
  readonly columns?: readonly Field[];
  readonly keys?: readonly string[];
}

/**
 * Makes one file of a pack while the fills of the period go by. It returns text or bytes to append. It opens
 * nothing, and gives the same bytes for the same fills however they are cut into batches. To add a file,
 * write its maker and add its line to contents.ts.
 */
export interface FileMaker<Piece = string> extends FileFacts {
  begin(): Piece;
  /** Fills of the period, in order. */
  add(batch: readonly Posted[]): Piece;
  /** Days that have ended, in order: their sums. */
  addDays?(days: readonly CubeDay[]): string;
  end(closing: Closing): string | Uint8Array;
  /** The rows of a table so far. */
  readonly rows?: number;
  /** The number of cells so far that got a leading apostrophe. */
  readonly escaped?: number;
}
