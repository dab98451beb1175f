import type { Amount } from "../../../accounting/amount.ts";
import type { Booked } from "../../../accounting/booked.ts";
import { CSV_NEWLINE } from "../../../formats/csv.ts";
import type { FileMaker } from "../../build/maker.ts";
import { takenUntil } from "../../build/taken-until.ts";
import { byOrder, type Cash, isReceived, type Movement } from "./cash.ts";
import { mergeDuplicates } from "./merge-duplicates.ts";
import type { Tool } from "./tool.ts";

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
  readonly #fundingUntil: (time: number) => readonly Movement[];
  /** Of one date. */
  #held: Movement[] = [];
  /** That date, in units of the tool. */
  #heldAt = Number.NaN;

  constructor(tool: Tool, account: string, cash: Cash) {
    this.tool = tool;
    this.#cash = cash;
    this.#fundingUntil = takenUntil(cash.funding);
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
    const { columns, quoted } = this.tool;
    return (quoted === true ? columns.map((name) => `"${name}"`) : columns).join(",") + CSV_NEWLINE;
  }

  add(batch: readonly Booked[]): string {
    let text = "";
    for (const movement of this.#cash.of(batch)) {
      text += this.#takeAll(this.#fundingUntil(movement.time)) + this.#take(movement);
    }
    return text;
  }

  end(): string {
    return this.#takeAll(this.#fundingUntil(Number.POSITIVE_INFINITY)) + this.#release();
  }

  #takeAll(movements: readonly Movement[]): string {
    return movements.map((movement) => this.#take(movement)).join("");
  }

  /** Gives the rows of the date before, where another one begins. */
  #take(movement: Movement): string {
    const at = Math.floor(movement.time / this.tool.unitMs);
    let text = "";
    if (at !== this.#heldAt) {
      text = this.#release();
      this.#heldAt = at;
    }
    this.#held.push(movement);
    return text;
  }

  #release(): string {
    const [first] = this.#held;
    if (first === undefined) {
      return "";
    }
    const date = this.tool.date(first);
    const rows = this.#rowsOf(this.#held, date);
    this.#held = [];
    this.rows += rows.length;
    let text = "";
    for (const row of rows) {
      this.#addUp(row);
      text += this.tool.line(row, date, this.#source) + CSV_NEWLINE;
    }
    return text;
  }

  #rowsOf(held: readonly Movement[], date: string): readonly Movement[] {
    const sorted = isSorted(held) ? held : held.toSorted(byOrder);
    if (areDistinct(held)) {
      return sorted; // no two amounts are equal, so no two rows are
    }
    const rows = mergeDuplicates(sorted, (movement) => this.#keyOf(movement, date));
    this.merged += held.length - rows.length;
    const { likeness } = this.tool;
    this.alike += likeness === undefined ? 0 : rows.length - new Set(rows.map(likeness)).size;
    return rows;
  }

  /** All that the row says, its id too if it has one; of its text only the kind: which fill it was makes no difference. */
  #keyOf(movement: Movement, date: string): string {
    const { kind } = movement;
    return this.tool.line({ ...movement, text: kind, description: kind }, date, this.#source);
  }

  #addUp({ kind, amount, currency }: Movement): void {
    let total = this.#totals.get(currency);
    if (total === undefined) {
      total = { in: 0n, out: 0n };
      this.#totals.set(currency, total);
    }
    total[isReceived(kind) ? "in" : "out"] += amount;
  }
}

function isSorted(movements: readonly Movement[]): boolean {
  return movements.every((movement, at) => {
    const before = movements[at - 1];
    return before === undefined || byOrder(before, movement) <= 0;
  });
}

/** Whether no two amounts are equal. Nearly all dates have one fill, with a result and a fee. */
function areDistinct(movements: readonly Movement[]): boolean {
  const [first, second] = movements;
  return movements.length < 3
    ? first?.digits !== second?.digits
    : new Set(movements.map(({ digits }) => digits)).size === movements.length;
}
