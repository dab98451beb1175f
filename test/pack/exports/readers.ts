import { readCsv } from "../../support/rfc4180.ts";
import { isReceived } from "./files.ts";
import { KINDS, type KnownTool, wordOf } from "./tools.ts";

/**
 * Reads the import files by each tool's own rules, without the writer's code.
 */

export interface ReadRow {
  /** ms UTC */
  readonly time: number;
  /** The tool's word for the movement. */
  readonly label: string;
  readonly received: boolean;
  /** × 10^36, above zero */
  readonly amount: bigint;
  readonly currency: string;
  /**
   * The market, if a column holds only that; null: there is no such column, or the row is not about a market.
   */
  readonly market: string | null;
  /** Everything by which the tool distinguishes rows; null: it treats every row as separate. */
  readonly twin: string | null;
}

/** Throws at the first line that the tool would refuse or misread. */
export function readImport(tool: KnownTool, text: string): ReadRow[] {
  const [names = [], ...records] = readCsv(text);
  const columns = tool.columns.split(",");
  check(names.length === columns.length, "header");
  return records.map((cells, at) => {
    try {
      check(cells.length === columns.length, `${cells.length} cells`);
      return rowOf(tool, columns, cells);
    } catch (error) {
      throw new Error(`${tool.file}, row ${at}: ${cells.join("|")}`, { cause: error });
    }
  });
}

function check(holds: boolean, what: string): void {
  if (!holds) {
    throw new Error(what);
  }
}

const TEXT = /^[\p{L}\p{N}%][^,"\r\n]*$/u;
const FUNDING = "Funding Rate";

type Cells = (name: string) => string;

function rowOf({ file, time, twin }: KnownTool, columns: readonly string[], cells: readonly string[]): ReadRow {
  for (const [at, name] of columns.entries()) {
    check(!/^[-=]/.test(name) || `=${cells[at]}` === name.replace("-", "="), `column ${at}`);
    check(name !== "text" || TEXT.test(cells[at] ?? ""), "text");
    check(name !== "id" || cells[at] !== "", "id");
  }
  const row = new Map(columns.map((name, at) => [name, cells[at] ?? ""]));
  const of: Cells = (name) => row.get(name) ?? "";
  const isFunding = of("market") === FUNDING;
  const label = of("word") + (isFunding ? `, ${FUNDING}` : "");
  check(!isFunding || of("text").includes(" funding "), "funding");
  check(of("market") !== "" || !row.has("market") || /Deposit|Withdrawal/.test(label), "market");
  return {
    time: timeOf(of("time"), time),
    label,
    ...(row.has("amount") ? bySign(file, label, of) : bySide(file, label, of)),
    market: isFunding || of("market") === "" ? null : of("market"),
    twin: twin.length === 0 ? null : twin.map(of).join(),
  };
}

/** The directions that a word may have. */
function directionsOf(file: string, label: string, currency: string): readonly boolean[] {
  return KINDS.filter((kind) => wordOf(file, kind, currency) === label).map(isReceived);
}

/** The word gives the direction. */
function bySign(file: string, label: string, of: Cells) {
  const currency = of("currency");
  const [received, ...others] = new Set(directionsOf(file, label, currency));
  check(currency !== "" && received !== undefined && others.length === 0, label);
  return { received: received === true, amount: amountOf(of("amount")), currency };
}

/** Exactly one of two pairs of amount and currency is filled. */
function bySide(file: string, label: string, of: Cells) {
  const received = of("in") !== "";
  const [side, other] = received ? ["in", "out"] : ["out", "in"];
  const currency = of(`${side}Currency`);
  check(of(`${other}`) === "" && of(`${other}Currency`) === "", "both sides");
  check(currency !== "" && directionsOf(file, label, currency).includes(received), label);
  return { received, amount: amountOf(of(`${side}`)), currency };
}

/** A plain decimal above zero, × 10^36. */
function amountOf(text: string): bigint {
  const { whole = "", fraction = "" } = /^(?<whole>0|[1-9]\d*)\.(?<fraction>\d{2,36})$/.exec(text)?.groups ?? {};
  check(fraction !== "", `not an amount: ${text}`);
  const amount = BigInt(whole + fraction.padEnd(36, "0"));
  check(amount > 0n, `zero: ${text}`);
  return amount;
}

function timeOf(text: string, pattern: RegExp): number {
  const { year, month, day, clock, ms } = pattern.exec(text)?.groups ?? {};
  const iso = `${year}-${month}-${day}T${clock}Z`;
  const time = ms === undefined ? Date.parse(iso) : Number(ms);
  check(!Number.isNaN(time), `not a time: ${text}`);
  check(ms !== undefined || new Date(time).toISOString().startsWith(iso.slice(0, 19)), `not a time: ${text}`);
  return time;
}
