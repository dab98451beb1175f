import type { CubeDay } from "../../accounting/cube/cube.ts";
import { type Amount, totalOf, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { compareText } from "../../core/text.ts";
import { CSV_NEWLINE } from "../../formats/csv.ts";
import type { FileMaker } from "../make/maker.ts";
import { type DailyCash, isReceived, type Movement, sizeOf } from "./movements.ts";
import { cellsOf, type Tool } from "./tool.ts";

function nothing() {
  return { in: ZERO, out: ZERO };
}

/** The sum of a file's rows in one currency. */
export interface ImportTotal {
  /** `imports/koinly.csv` */
  readonly file: string;
  readonly currency: string;
  readonly in: Amount;
  readonly out: Amount;
}

/** An import file of one tax tool: no byte order mark, a header, CRLF, rows of whole days. */
export class ImportMaker implements FileMaker {
  readonly mediatype: string = "text/csv";
  readonly path: string;
  readonly description: string;
  rows = 0;
  readonly #tool: Tool;
  readonly #cash: DailyCash;
  readonly #totals = new Map<string, { in: Amount; out: Amount }>();

  constructor(tool: Tool, cash: DailyCash) {
    this.#tool = tool;
    this.path = `imports/${tool.file}`;
    this.description = `For ${tool.name}: movements of cash. By day, market and currency: profits and losses before fees, fees less rebates, and funding; their time is 10:00 UTC. Deposits and withdrawals stay single. PnL that is not known is not in it. Import it once and unchanged: a spreadsheet would cut digits. ${tool.advice}`;
    this.#cash = cash;
  }

  /** By currency, in code-unit order. Complete after `end`. */
  get totals(): readonly ImportTotal[] {
    return [...this.#totals]
      .map(([currency, total]) => ({ file: this.path, currency, ...total }))
      .sort((a, b) => compareText(a.currency, b.currency));
  }

  begin(): string {
    return this.written([this.#tool.columns.map(([head]) => head)]);
  }

  add(): string {
    return "";
  }

  addDays(days: readonly CubeDay[]): string {
    return this.written(this.#rowsOf(this.#cash.of(days)));
  }

  end(): string | Uint8Array {
    return this.written(this.#rowsOf(this.#cash.rest()));
  }

  /** The text to append. No cell has a comma, a quote or a line break: see plain.ts. */
  protected written(rows: readonly (readonly string[])[]): string {
    const { quoted } = this.#tool;
    return rows.map((row) => (quoted === true ? row.map((cell) => `"${cell}"`) : row).join(",") + CSV_NEWLINE).join("");
  }

  #rowsOf(days: readonly (readonly Movement[])[]): readonly string[][] {
    const movements = days.flatMap((day) => merged(day, (movement) => this.#keyOf(movement)));
    for (const { currency, kind, amount } of movements) {
      this.rows += 1;
      const total = getOrMake(this.#totals, currency, nothing);
      const side = isReceived(kind) ? "in" : "out";
      total[side] = total[side].plus(amount);
    }
    return movements.map((movement) => cellsOf(this.#tool, movement));
  }

  /** Everything in the row, including an id. Of the text only the tool's word counts. */
  #keyOf(movement: Movement): string {
    const word = this.#tool.words[movement.kind];
    return cellsOf(this.#tool, { ...movement, text: word, description: word }).join();
  }
}

/**
 * Rows that a tool could take for the same row, as one row with their sum. A sum may equal another amount, so
 * merging repeats until no two are equal.
 */
function merged(movements: readonly Movement[], keyOf: (movement: Movement) => string): readonly Movement[] {
  const rows = [...Map.groupBy(movements, keyOf).values()].map(together);
  return rows.length === movements.length ? rows : merged(rows, keyOf);
}

function together(alike: readonly Movement[]): Movement {
  const [first, ...others] = alike as [Movement, ...Movement[]];
  if (others.length === 0) {
    return first;
  }
  const more = ` and ${others.length} more`;
  const size = sizeOf(totalOf(alike, ({ amount }) => amount));
  return { ...first, ...size, text: first.text + more, description: first.description + more };
}
