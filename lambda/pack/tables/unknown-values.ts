import { FIELD_NAMES, type Fill } from "../../core/fill.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { counted } from "../../core/text.ts";
import { LIQUIDITIES } from "../../formats/fill-exceptions.ts";
import { canonicalJson, describe } from "../../formats/json.ts";
import type { ExceptionRow } from "../make/maker.ts";

/** The values that the interface shows (service-interface, 2.2), by the key and column of a fill. */
const SHOWN = [
  ["fillType", "fill_type", ["complete"]],
  ["tradeType", "trade_type", ["limit", "market"]],
  ["triggerType", "trigger_type", ["none"]],
  ["liquidity", "liquidity", LIQUIDITIES],
] as const;

/** The fields that the interface names. One of them with a value of the wrong type is listed with its fill. */
const NAMED: ReadonlySet<string> = new Set(Object.values(FIELD_NAMES));

/** The most fields, and values of a column, that are told apart: a service may send a new one with each fill. */
const MOST = 100;

/** An unknown field, or an unknown value of a known one. */
interface Seen {
  readonly column: string;
  readonly value: unknown;
  readonly kind: "field" | "value";
}

interface Unknown extends Pick<Seen, "kind"> {
  /** The first fill that has it, as a row. */
  readonly row: Omit<ExceptionRow, "reason">;
  /** Its value, for people. */
  readonly shown: string;
  /** True: it stands for all others than the first so many. */
  readonly isRest: boolean;
  fills: number;
  earlier: number;
}

/**
 * Fields that the interface does not name, and values that it does not show: they may be money that fillbook does
 * not book, or a fill that is no trade.
 */
export class UnknownValues {
  /** By account and column, or fields; then by value, or field. */
  readonly #found = new Map<string, Map<string, Unknown>>();

  /** `isEarlier`: the fill is before the period, but the accounts rest on it. */
  add(account: string, fill: Fill, isEarlier = false): void {
    for (const [key, column, shown] of SHOWN) {
      const value = fill[key];
      if (value !== null && !(shown as readonly string[]).includes(value)) {
        this.#count(account, fill, { column, value, kind: "value" }, isEarlier);
      }
    }
    for (const [column, value] of Object.entries(fill.extra ?? {})) {
      if (!NAMED.has(column)) {
        this.#count(account, fill, { column, value, kind: "field" }, isEarlier);
      }
    }
  }

  #count(account: string, { matchId, orderId }: Fill, { column, value, kind }: Seen, isEarlier: boolean): void {
    const [of, name] = kind === "field" ? [null, column] : [column, String(value)];
    const group = getOrMake(this.#found, `${account} ${of}`, () => new Map<string, Unknown>());
    const isRest = group.size >= MOST && !group.has(name);
    const found = getOrMake(group, isRest ? "\0" : name, () => {
      const text = typeof value === "string" ? value : canonicalJson(value);
      const row = { account, matchId, orderId, txCreated: null, market: null, column, value: text };
      return { row, kind, shown: describe(value), isRest, fills: 0, earlier: 0 };
    });
    found.fills += 1;
    found.earlier += isEarlier ? 1 : 0;
  }

  get #all(): Unknown[] {
    return [...this.#found.values()].flatMap((group) => [...group.values()]);
  }

  get rows(): ExceptionRow[] {
    return this.#all.map((one) => ({ ...one.row, reason: `unknown_${one.kind}: ${sentenceOf(one)}` }));
  }

  /** For the points to note: sentences without their full stops. */
  notes(isOfSeveral: boolean): string[] {
    return this.#all.map((one) => (isOfSeveral ? `${one.row.account}: ${sentenceOf(one)}` : sentenceOf(one)));
  }
}

function sentenceOf({ row: { column }, kind, shown, isRest, fills, earlier }: Unknown): string {
  const which = `${isRest ? "up to " : ""}${counted(fills, "fill")}${earlier === 0 ? "" : ` (${earlier} before the period)`} ${fills === 1 ? "has" : "have"}`;
  const others = isRest ? `, or another than the ${MOST} that are listed,` : ",";
  return kind === "field"
    ? `${which} the field ${describe(column)}${others} which the venue's documentation does not name and fillbook does not book: it may be money; an example: ${shown}`
    : `${which} the ${column} ${shown}${others} a value that the venue's documentation does not list; booked like any other fill, but it may be no trade`;
}
