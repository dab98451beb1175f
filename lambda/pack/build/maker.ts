import type { Booked } from "../../accounting/booked.ts";
import type { Break } from "../../accounting/breaks.ts";
import type { Methods } from "../../accounting/method.ts";
import type { ConvertedStatement } from "../../accounting/rates/converted.ts";
import type { Statement } from "../../accounting/statement.ts";
import type { Funding } from "../../accounting/tally.ts";
import type { Coverage } from "../../archive/manifest.ts";
import type { Period } from "../../core/period.ts";
import type { TimeRange } from "../../core/time.ts";
import type { Mark } from "../../inputs/marks.ts";
import type { Transfer } from "../../inputs/transfers.ts";
import type { ComparedCash } from "./compared-cash.ts";
import type { FormattedAmounts } from "./formatted-amounts.ts";
import type { MonthTotals } from "./months.ts";
import type { StatementSettings } from "./statement-settings.ts";

/** The prefix of all file names in an incomplete pack. */
export const INCOMPLETE_MARK = "INCOMPLETE-";

/** What the files of one pack share. Known before the first fill. */
export interface PackContext {
  /** The account, or the name of a group of accounts. */
  readonly account: string;
  /** The accounts whose fills these are: one, or those of the group, sorted. */
  readonly accounts: readonly string[];
  readonly period: Period;
  /** The names that the user gives for the statement. */
  readonly named: StatementSettings;
  readonly methods: Methods;
  /** False: the user chose no method, so the primary one is the default. */
  readonly isMethodChosen: boolean;
  /** Formats a batch as files write it, in its order. */
  readonly textsOf: (batch: readonly Booked[]) => readonly FormattedAmounts[];
  /** Which time puts a fill into the period: `filled_at` (else `tx_created`), or `tx_created`. */
  readonly basis: "fill" | "transaction";
  /** True: the period is covered. */
  readonly complete: boolean;
  /** The user's funding payments within the period, by time. Null: no file was given. */
  readonly funding: readonly Funding[] | null;
  /** Accounts without a funding file while others of the group have one. Their funding is in no figure. */
  readonly withoutFunding: readonly string[];
  /** The user's deposits and withdrawals within the period, by time. Null: no file was given. */
  readonly transfers: readonly Transfer[] | null;
  /**
   * For each market, the user's last price from the beginning of the period's last day up to and including
   * its end. Null: no file was given.
   */
  readonly marks: ReadonlyMap<string, Mark> | null;
  /**
   * Breaks that the user declares and that began before the period's end, even if they ended before its
   * beginning. By time.
   */
  readonly breaks: readonly Break[];
}

/** What is known after the last fill. */
export interface Closing {
  readonly statement: Statement;
  readonly proof: Proof;
  readonly exceptions: ExceptionSummary;
  /** Cash and the user's statements of it, by currency and time. */
  readonly cash: readonly ComparedCash[];
  /** Amounts in the reporting currency. Null: nothing is converted. */
  readonly converted: ConvertedStatement | null;
}

/** The evidence for the pack's completeness. */
export interface Proof {
  readonly complete: boolean;
  /** What was read of the period, and how often, by `txCreated`. */
  readonly coverage: readonly Omit<Coverage, "silentIn">[];
  /** What was not read of it. */
  readonly gaps: readonly TimeRange[];
  readonly assumed: Assumed;
  /** How the user's declared positions were understood: one sentence for each of the first lines. */
  readonly declared: readonly string[];
  readonly fills: number;
  /** Of fills.csv. */
  readonly sha256: string;
  readonly months: readonly MonthTotals[];
  readonly restatements: { readonly late: number; readonly changed: number; readonly enriched: number };
}

/** What completeness rests on beside the venue's answers. */
export interface Assumed {
  /**
   * How wide times without a known fill at both their ends were requested, in the period and the history that
   * it depends on, in days, rounded up. Null: there were none.
   */
  readonly silenceDays: number | null;
  /** Fills of the account that the venue no longer shows among those around them. They are kept. */
  readonly vanished: number;
}

/** A row of exceptions.csv. Times are ISO 8601 UTC. */
export interface ExceptionRow {
  readonly matchId: string | null;
  readonly orderId: string | null;
  readonly txCreated: string | null;
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

export interface Column {
  readonly name: string;
  readonly kind: "text" | "time" | "decimal" | "integer" | "date";
  readonly description: string;
  readonly required?: boolean;
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
  readonly columns?: readonly Column[];
  readonly keys?: readonly string[];
}

/**
 * Makes one file of a pack while the fills of the period go by. It returns text or bytes to append. It opens
 * nothing, and gives the same bytes for the same fills however they are cut into batches. To add a file,
 * write its maker and add its line to contents.ts.
 */
export interface FileMaker extends FileFacts {
  begin(): string;
  /** Booked fills of the period, in order. */
  add(batch: readonly Booked[]): string;
  end(closing: Closing): string | Uint8Array;
  /** The rows of a table so far. */
  readonly rows?: number;
  /** The number of cells so far that got a leading apostrophe. */
  readonly escaped?: number;
}
