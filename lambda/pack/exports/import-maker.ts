import type { CubeDay } from "../../accounting/cube/cube.ts";
import { type Amount, totalOf, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { compareText } from "../../core/text.ts";
import { CSV_NEWLINE } from "../../formats/csv.ts";
import { SheetWriter, workbookOf } from "../../formats/xlsx/xlsx.ts";
import type { FileMaker, PackContext } from "../make/maker.ts";
import { type DailyCash, isReceived, type Movement } from "./movements.ts";
import { cellsOf, type Tool } from "./tools/tool.ts";

/** The sum of a file's rows in one currency. */
export interface ImportTotal {
  /** `imports/koinly.csv` */
  readonly file: string;
  readonly currency: string;
  readonly in: Amount;
  readonly out: Amount;
}

/**
 * An import file of one tax tool: rows of whole days. CSV: no byte order mark, a header, CRLF. A spreadsheet has only
 * text, because a number would lose its digits after the fifteenth.
 */
export class ImportMaker implements FileMaker {
  readonly mediatype: string;
  readonly path: string;
  rows = 0;
  readonly #tool: Tool;
  readonly #context: PackContext;
  readonly #cash: DailyCash;
  /** Null: the file is CSV. */
  readonly #sheet: SheetWriter | null;
  readonly #totals = new Map<string, { in: Amount; out: Amount }>();

  constructor(tool: Tool, context: PackContext, cash: DailyCash) {
    const { file, sheetWidths: widths = null } = tool;
    this.path = `imports/${file}`;
    this.mediatype = widths === null ? "text/csv" : "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    this.#tool = tool;
    this.#context = context;
    this.#cash = cash;
    this.#sheet = widths && new SheetWriter({ name: "Transactions", widths, headRows: 0, footer: "" });
  }

  /** Complete after `end`. */
  get description(): string {
    const { name, advice } = this.#tool;
    const parts = [
      `For ${name}: movements of cash. By day, market and currency: profits and losses before fees, fees less rebates, and funding; their time is 10:00 UTC. Deposits and withdrawals stay single.`,
      this.#cash.notes,
      `Import it once and unchanged: a spreadsheet would cut digits. ${advice}`,
    ];
    return parts.filter(Boolean).join(" ");
  }

  /** By currency, in code-unit order. Complete after `end`. */
  get totals(): readonly ImportTotal[] {
    return [...this.#totals]
      .map(([currency, total]) => ({ file: this.path, currency, ...total }))
      .sort((a, b) => compareText(a.currency, b.currency));
  }

  begin(): string {
    return this.#written([this.#tool.columns.map(([head]) => head)]);
  }

  add(): string {
    return "";
  }

  addDays(days: readonly CubeDay[]): string {
    return this.#written(this.#rowsOf(this.#cash.of(days)));
  }

  end(): string | Uint8Array {
    const text = this.#written(this.#rowsOf(this.#cash.rest()));
    const { name, period } = this.#context;
    const facts = { title: `${name}, ${period.name}`, creator: "fillbook", time: period.to };
    return this.#sheet === null ? text : workbookOf([this.#sheet.finish()], facts);
  }

  /** The text to append. No cell has a comma, a quote or a line break: see names.ts. */
  #written(rows: readonly (readonly string[])[]): string {
    if (this.#sheet !== null) {
      for (const row of rows) {
        this.#sheet.add(row.map((text) => (text === "" ? null : { text, style: "text" })));
      }
      return "";
    }
    const quote = this.#tool.quoted === true ? '"' : "";
    return rows.map((row) => row.map((cell) => quote + cell + quote).join(",") + CSV_NEWLINE).join("");
  }

  #rowsOf(all: readonly Movement[]): readonly string[][] {
    const movements = this.#merged(all);
    for (const { currency, kind, amount } of movements) {
      this.rows += 1;
      const total = getOrMake(this.#totals, currency, () => ({ in: ZERO, out: ZERO }));
      const side = isReceived(kind) ? "in" : "out";
      total[side] = total[side].plus(amount);
    }
    return movements.map((movement) => cellsOf(this.#tool, movement));
  }

  /**
   * Rows that the tool could take for the same row, as one row with their sum. A sum may equal another amount, so
   * merging repeats until no two are equal. Everything in a row tells it apart, also an id; of the text only the
   * tool's word.
   */
  #merged(movements: readonly Movement[]): readonly Movement[] {
    const keyOf = (movement: Movement) => {
      const word = this.#tool.words[movement.kind];
      return cellsOf(this.#tool, { ...movement, text: word, description: word }).join();
    };
    const rows = [...Map.groupBy(movements, keyOf).values()].map(together);
    return rows.length === movements.length ? rows : this.#merged(rows);
  }
}

function together(alike: readonly Movement[]): Movement {
  const [first, ...others] = alike as [Movement, ...Movement[]];
  const more = ` and ${others.length} more`;
  return others.length === 0
    ? first
    : {
        ...first,
        amount: totalOf(alike, ({ amount }) => amount),
        text: first.text + more,
        description: first.description + more,
      };
}
