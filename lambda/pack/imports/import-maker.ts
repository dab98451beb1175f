import type { Amount } from "../../accounting/amount.ts";
import type { Booked } from "../../accounting/booked.ts";
import { CSV_NEWLINE } from "../../formats/csv.ts";
import type { FileMaker } from "../maker.ts";
import { byOrder, type Cash, isReceived, type Movement } from "./cash.ts";
import type { Tool } from "./tool.ts";
import { mergeTwins } from "./twins.ts";

/** What a file's rows add up to in one currency. */
export interface ImportTotal {
  /** `imports/koinly.csv` */
  readonly file: string;
  readonly currency: string;
  readonly in: Amount;
  readonly out: Amount;
}

/**
 * An import file of one tax tool: no byte order mark, the header first, CRLF. Its rows are in the order of time, match, order; the result of a fill
 * before its fee; funding after the fills of its time. Rows of the newest date only are held back.
 */
export class ImportMaker implements FileMaker {
  readonly mediatype = "text/csv";
  readonly tool: Tool;
  /** Movements that stand in the row of another. */
  merged = 0;
  /** Rows that the tool might take for another row of the file. */
  alike = 0;
  rows = 0;
  readonly #cash: Cash;
  readonly #source: string;
  readonly #totals = new Map<string, { in: Amount; out: Amount }>();
  #payments = 0;
  #held: Movement[] = [];
  #heldDate = "";

  constructor(tool: Tool, account: string, cash: Cash) {
    this.tool = tool;
    this.#cash = cash;
    this.#source = `fillbook ${account}`;
  }

  get path(): string {
    return `imports/${this.tool.file}`;
  }

  get description(): string {
    return `For ${this.tool.name}: gross realised results, fees and funding as movements of cash; see imports/README.txt before importing it.`;
  }

  /** By currency, in the order of the code units; complete after `end`. */
  get totals(): readonly ImportTotal[] {
    return [...this.#totals.keys()].sort().map((currency) => {
      const { in: received, out: sent } = this.#totals.get(currency) ?? { in: 0n, out: 0n };
      return { file: this.path, currency, in: received, out: sent };
    });
  }

  begin(): string {
    return this.#line(this.tool.columns);
  }

  add(batch: readonly Booked[]): string {
    const lines: string[] = [];
    for (const movement of this.#cash.of(batch)) {
      this.#takeFunding(movement.time, lines);
      this.#take(movement, lines);
    }
    return lines.join("");
  }

  end(): string {
    const lines: string[] = [];
    this.#takeFunding(Number.POSITIVE_INFINITY, lines);
    this.#release(lines);
    return lines.join("");
  }

  /** The payments before a time that are not in the file yet. */
  #takeFunding(before: number, lines: string[]): void {
    const { funding } = this.#cash;
    for (let next = funding[this.#payments]; next !== undefined && next.time < before; next = funding[this.#payments]) {
      this.#take(next, lines);
      this.#payments += 1;
    }
  }

  #take(movement: Movement, lines: string[]): void {
    const date = this.tool.date(movement);
    if (date !== this.#heldDate) {
      this.#release(lines);
      this.#heldDate = date;
    }
    this.#held.push(movement);
  }

  #release(lines: string[]): void {
    const rows = this.#rowsOf(this.#held);
    this.#held = [];
    for (const row of rows) {
      this.#addUp(row);
      lines.push(this.#line(this.tool.cells(row, this.#heldDate, this.#source)));
    }
    this.rows += rows.length;
  }

  #rowsOf(held: readonly Movement[]): readonly Movement[] {
    if (held.length < 2) {
      return held;
    }
    const sorted = held.toSorted(byOrder);
    if (new Set(held.map(({ digits }) => digits)).size === held.length) {
      return sorted; // no two amounts are equal, so no two rows are
    }
    const rows = mergeTwins(sorted, (movement) => this.#keyOf(movement));
    this.merged += held.length - rows.length;
    const { likeness } = this.tool;
    this.alike += likeness === undefined ? 0 : rows.length - new Set(rows.map(likeness)).size;
    return rows;
  }

  /** All that the row says, its id too if it has one; of its text only the kind: which fill it was makes no difference. */
  #keyOf(movement: Movement): string {
    const { kind } = movement;
    return this.tool.cells({ ...movement, text: kind, description: kind }, this.#heldDate, this.#source).join("\n");
  }

  #addUp({ kind, amount, currency }: Movement): void {
    const total = this.#totals.get(currency) ?? { in: 0n, out: 0n };
    total[isReceived(kind) ? "in" : "out"] += amount;
    this.#totals.set(currency, total);
  }

  #line(cells: readonly string[]): string {
    const quoted = this.tool.quoted === true ? cells.map((cell) => `"${cell}"`) : cells;
    return quoted.join(",") + CSV_NEWLINE;
  }
}
