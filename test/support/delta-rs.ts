import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { type Fill, tradeTime } from "../../lambda/core/fill.ts";
import { decimalText, unitsOf } from "../table/truth.ts";
import { installPython } from "./python-tool.ts";

const FOLDER = join(import.meta.dirname, "../table/delta-rs");

export interface DeltaAnswer {
  readonly version: number;
  /** URIs of the data files. */
  readonly files: readonly string[];
  /** Names and types of the columns. */
  readonly schema: readonly (readonly [string, string])[];
  readonly rows?: readonly (readonly (string | null)[])[];
}

/** Reads the rows of a table in the form of `rowsOf`. */
export const ROWS = `SELECT match_id, order_id, market, side, CAST(quantity AS varchar), CAST(price AS varchar),
  CAST(fee AS varchar), CAST(CAST(tx_created AS bigint) AS varchar), CAST(CAST(filled_at AS bigint) AS varchar), month, extra
  FROM fills ORDER BY match_id, order_id`;

/** The expected answer of delta-rs to ROWS for these fills: decimals with all places, times in µs. */
export function rowsOf(fills: readonly Fill[]): readonly (readonly (string | null)[])[] {
  const decimal = (text: string | null) => {
    const units = text === null ? null : unitsOf(text);
    return units === null ? null : decimalText(units);
  };
  return fills
    .map((fill) => [
      ...[fill.matchId, fill.orderId, fill.market, fill.side],
      ...[fill.quantity, fill.price, fill.fee].map(decimal),
      `${fill.txCreated}000`,
      fill.filledAt === null ? null : `${tradeTime(fill)}000`,
      new Date(fill.txCreated).toISOString().slice(0, 7),
      null,
    ])
    .sort(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1));
}

/**
 * delta-rs, the Delta implementation in Rust, through its Python package: another program that reads our
 * tables.
 */
export class DeltaRs {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #folder = mkdtempSync(join(tmpdir(), "fillbook-delta-"));
  #count = 0;

  private constructor(python: string) {
    this.#child = spawn(python, [join(FOLDER, "read.py")]);
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Throws if the package cannot be installed, because the test would prove nothing without it. */
  static async start(): Promise<DeltaRs> {
    const installed = await installPython(join(FOLDER, "requirements.txt"));
    if ("missing" in installed) {
      throw new Error(`delta-rs could not be had: ${installed.missing}`);
    }
    return new DeltaRs(installed.python);
  }

  /** `table`: a folder, or an `s3://` address with its `options`. Throws the error that delta-rs reports. */
  async read(table: string, sql?: string, options?: Readonly<Record<string, string>>): Promise<DeltaAnswer> {
    return await this.#answer({ table, sql, options });
  }

  /**
   * Deletes the rows of a table that meet the condition, and writes a checkpoint, as another program might.
   */
  async delete(table: string, condition: string): Promise<DeltaAnswer> {
    return await this.#answer({ table, delete: condition });
  }

  async #answer(asked: Readonly<Record<string, unknown>>): Promise<DeltaAnswer> {
    this.#child.stdin.write(`${JSON.stringify(asked)}\n`);
    const { value } = await this.#lines.next();
    const { error, ...answer } = JSON.parse(value);
    if (error !== undefined) {
      throw new Error(error);
    }
    return answer;
  }

  /** The same for an account's table among these objects. */
  async readObjects(objects: ReadonlyMap<string, Uint8Array>, sql = ROWS, account = "main"): Promise<DeltaAnswer> {
    this.#count += 1;
    const root = join(this.#folder, String(this.#count));
    for (const [key, body] of objects) {
      if (key.startsWith(`${account}/fills/`)) {
        mkdirSync(dirname(join(root, key)), { recursive: true });
        writeFileSync(join(root, key), body);
      }
    }
    try {
      return await this.read(join(root, account, "fills"), sql);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }

  stop(): void {
    this.#child.stdin.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
