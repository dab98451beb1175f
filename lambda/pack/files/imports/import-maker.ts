import type { Amount } from "../../../accounting/amount.ts";
import type { Booked } from "../../../accounting/booked.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { compareText } from "../../../core/text.ts";
import { CSV_NEWLINE } from "../../../formats/csv.ts";
import type { FileMaker } from "../../build/maker.ts";
import { isReceived, type Movement } from "./cash.ts";
import type { Dated, Dates } from "./dates.ts";
import { mergeDuplicates } from "./merge-duplicates.ts";
import type { Tool } from "./tool.ts";

function nothing() {
  return { in: 0n, out: 0n };
}

/** The folder of the files with one row a day. */
export const DAILY = "imports/daily";

/** The sum of a file's rows in one currency. */
export interface ImportTotal {
  /** `imports/koinly.csv` */
  readonly file: string;
  readonly currency: string;
  readonly in: Amount;
  readonly out: Amount;
}

/**
 * An import file of one tax tool: no byte order mark, a header, CRLF. Rows are ordered by time, match and
 * order. The result of a fill comes before its fee, funding after the fills of its time. Only rows of the
 * newest date are held back.
 */
export class ImportMaker implements FileMaker {
  readonly mediatype = "text/csv";
  readonly tool: Tool;
  /** Movements that were merged into another row. */
  merged = 0;
  /** Rows that the tool might take for another row of the file. */
  alike = 0;
  rows = 0;
  readonly path: string;
  readonly #dates: Dates;
  readonly #source: string;
  readonly #totals = new Map<string, { in: Amount; out: Amount }>();

  /** `folder`: `imports` or `imports/daily`. `dates`: of the tool's unit. */
  constructor(tool: Tool, account: string, folder: string, dates: Dates) {
    this.tool = tool;
    this.path = `${folder}/${tool.file}`;
    this.#dates = dates;
    this.#source = `fillbook ${account}`;
  }

  get description(): string {
    const how = this.path.startsWith(`${DAILY}/`)
      ? ", added up by day; import it instead of the file in imports/, not in addition"
      : "";
    return `For ${this.tool.name}: realised PnL before fees, fees, funding, deposits and withdrawals as movements of cash${how}. Read imports/README.txt before the import.`;
  }

  /** By currency, in code-unit order. Complete after `end`. */
  get totals(): readonly ImportTotal[] {
    return [...this.#totals]
      .map(([currency, total]) => ({ file: this.path, currency, ...total }))
      .sort((a, b) => compareText(a.currency, b.currency));
  }

  begin(): string {
    const { columns, quoted } = this.tool;
    return (quoted === true ? columns.map((name) => `"${name}"`) : columns).join(",") + CSV_NEWLINE;
  }

  add(batch: readonly Booked[]): string {
    return this.#textOf(this.#dates.endedWith(batch));
  }

  end(): string {
    return this.#textOf(this.#dates.rest());
  }

  #textOf(dates: readonly Dated[]): string {
    let text = "";
    for (const dated of dates) {
      const [first] = dated.movements;
      const date = first === undefined ? "" : this.tool.date(first);
      for (const row of this.#rowsOf(dated, date)) {
        this.rows += 1;
        this.#addUp(row);
        text += this.tool.line(row, date, this.#source) + CSV_NEWLINE;
      }
    }
    return text;
  }

  #rowsOf({ movements, areDistinct }: Dated, date: string): readonly Movement[] {
    if (areDistinct) {
      return movements;
    }
    const rows = mergeDuplicates(movements, (movement) => this.#keyOf(movement, date));
    this.merged += movements.length - rows.length;
    const { likeness } = this.tool;
    this.alike += likeness === undefined ? 0 : rows.length - new Set(rows.map(likeness)).size;
    return rows;
  }

  /**
   * Everything in the row, including an id. Of the text only the tool's word counts: which fill it was makes
   * no difference.
   */
  #keyOf(movement: Movement, date: string): string {
    const word = this.tool.words[movement.kind];
    return this.tool.line({ ...movement, text: word, description: word }, date, this.#source);
  }

  #addUp({ kind, amount, currency }: Movement): void {
    const total = getOrMake(this.#totals, currency, nothing);
    total[isReceived(kind) ? "in" : "out"] += amount;
  }
}
