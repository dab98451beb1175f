import type { Booked } from "../../accounting/booked.ts";
import type { Break } from "../../accounting/breaks.ts";
import type { ByMethod, Method } from "../../accounting/method.ts";
import type { ConvertedStatement } from "../../accounting/rates/converted.ts";
import type { Statement } from "../../accounting/statement.ts";
import type { Funding } from "../../accounting/tally.ts";
import type { MarketTies } from "../../accounting/ties.ts";
import type { AssumedRange } from "../../archive/manifest.ts";
import type { Period } from "../../core/period.ts";
import type { TimeRange } from "../../core/time.ts";
import type { Mark } from "../../inputs/marks.ts";
import type { Transfer } from "../../inputs/transfers.ts";
import type { FormattedAmounts } from "./formatted-amounts.ts";
import type { MonthTotals } from "./months.ts";
import type { OpeningDays } from "./opening-days.ts";
import type { StatementSettings } from "./statement-settings.ts";

/** What the file names of an incomplete pack begin with. */
export const INCOMPLETE_MARK = "INCOMPLETE-";

/** What the files of one pack have in common, known before the first fill. */
export interface PackContext {
  /** The account, or the name of a group of accounts. */
  readonly account: string;
  /** Whose fills these are: one, or those of the group, sorted. */
  readonly accounts: readonly string[];
  readonly period: Period;
  /** As the user names them for the statement. */
  readonly named: StatementSettings;
  readonly methods: ByMethod<Method>;
  /** False: the user chose none, and the primary one is the default. */
  readonly isMethodChosen: boolean;
  /** A batch as files write it, in its order. */
  readonly textsOf: (batch: readonly Booked[]) => readonly FormattedAmounts[];
  /** Which of its times puts a fill into the period: `filled_at` (or else `tx_created`), or `tx_created`. */
  readonly basis: "fill" | "transaction";
  /** The period is covered. */
  readonly complete: boolean;
  /** Where positions were opened, for columns that inform; null: nobody asked for these. */
  readonly information: OpeningDays | null;
  /** The user's payments of funding within the period, by time; null: no file was given. */
  readonly funding: readonly Funding[] | null;
  /** Accounts that have no such file where others of the group have one: their funding is in no figure. */
  readonly withoutFunding: readonly string[];
  /** The user's deposits and withdrawals within the period, by time; null: no file was given. */
  readonly transfers: readonly Transfer[] | null;
  /** By market, the last price that the user gives from the beginning of the period's last day up to, and at, its end; null: no file was given. */
  readonly marks: ReadonlyMap<string, Mark> | null;
  /** Breaks that the user declares and that began before the period's end, also those that ended before its beginning; by time. */
  readonly breaks: readonly Break[];
}

/** What is known when the last fill has gone by. */
export interface Closing {
  readonly statement: Statement;
  /** Of the period's fills, by market. */
  readonly ties: readonly MarketTies[];
  readonly proof: Proof;
  readonly exceptions: ExceptionSummary;
  /** In the currency that the pack converts into; null: it converts nothing. */
  readonly converted: ConvertedStatement | null;
}

/** What the completeness of the pack rests on. */
export interface Proof {
  readonly complete: boolean;
  /** Covered within the period, and not, by `txCreated`. */
  readonly coverage: readonly TimeRange[];
  readonly gaps: readonly TimeRange[];
  /** Time without fills, of the period and its history, in which a clamp could have hidden some. */
  readonly assumed: readonly (AssumedRange & {
    /** Of a pack of several: whose time it is. */
    readonly account?: string;
  })[];
  /** The fills were asked for by dates that go by `txCreated`, and not by one answer without dates. */
  readonly datesTrusted: boolean;
  /** What was understood of the positions that the user declares, a sentence each of the first. */
  readonly declared: readonly string[];
  readonly fills: number;
  /** 64 hexadecimal digits. */
  readonly setHash: string;
  readonly months: readonly MonthTotals[];
  readonly restatements: { readonly late: number; readonly changed: number; readonly enriched: number };
}

/** A row of exceptions.csv; times as ISO 8601 UTC. */
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
  /** Rows about single fills; the others are about markets. */
  readonly ofFills: number;
  /** The first of them, at most 1,000: exceptions.csv has all. */
  readonly first: readonly ExceptionRow[];
}

export interface Column {
  readonly name: string;
  readonly kind: "text" | "time" | "decimal" | "integer" | "date";
  readonly description: string;
  readonly required?: boolean;
}

/** A CSV file of another form than fillbook's own: those are UTF-8, with commas, and their first row is the header. */
export interface CsvForm {
  readonly encoding: string;
  readonly delimiter: string;
  /** Counted from 1. Rows before it are no data. */
  readonly headerRow: number;
}

/** What is said of a file in datapackage.json and index.xml. */
export interface FileFacts {
  /** Within the pack: `imports/koinly.csv`. */
  readonly path: string;
  /** What it is for, and how to read it. */
  readonly description: string;
  /** `text/csv`, … */
  readonly mediatype: string;
  /** Where the media type does not say enough. */
  readonly format?: string;
  readonly csv?: CsvForm;
  /** Of a table with a header; of a CSV file: with a byte order mark. */
  readonly columns?: readonly Column[];
  readonly keys?: readonly string[];
}

/** A file whose content is at hand. */
export interface WholeFile extends FileFacts {
  readonly content: Uint8Array | string;
  readonly rows: number;
}

/** Makes files of which it is known only when the last fill has gone by how many there are. */
export interface LateMaker {
  /** Booked fills of the period, in order. */
  add(batch: readonly Booked[]): void;
  /** To be called once. */
  end(): readonly WholeFile[];
}

/**
 * One file of a pack, made while the fills of the period go by: text or bytes, for the file as it grows. It opens nothing, and gives the same bytes
 * for the same fills however they are cut into batches. To add a file: its maker here, and its line in contents.ts.
 */
export interface FileMaker extends FileFacts {
  begin(): string;
  /** Booked fills of the period, in order. */
  add(batch: readonly Booked[]): string;
  end(closing: Closing): string | Uint8Array | Promise<string | Uint8Array>;
  /** Rows of a table, as far as they are made. */
  readonly rows?: number;
  /** Cells that got a leading apostrophe so far. */
  readonly neutralised?: number;
}
