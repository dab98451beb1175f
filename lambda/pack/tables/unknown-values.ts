import { FIELD_NAMES, type Fill } from "../../core/fill.ts";
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

/** The most fields, and the most values, that are told apart: a service may send a new one with each fill. */
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
  fills: number;
  earlier: number;
}

/**
 * Fields that the interface does not name, and values that it does not show: they may be money that fillbook does
 * not book, or a fill that is no trade.
 */
export class UnknownValues {
  readonly #found = new Map<string, Unknown>();
  readonly #sizes = { field: 0, value: 0 };
  /** How often one was found beyond the most. */
  #left = 0;

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
    const key = JSON.stringify([account, column, ...(kind === "field" ? [] : [value])]);
    let found = this.#found.get(key);
    if (found === undefined) {
      if (this.#sizes[kind] === MOST) {
        this.#left += 1;
        return;
      }
      this.#sizes[kind] += 1;
      const text = typeof value === "string" ? value : canonicalJson(value);
      const row = { account, matchId, orderId, txCreated: null, market: null, column, value: text };
      found = { row, kind, shown: describe(value), fills: 0, earlier: 0 };
      this.#found.set(key, found);
    }
    found.fills += 1;
    found.earlier += isEarlier ? 1 : 0;
  }

  get rows(): ExceptionRow[] {
    return [...this.#found.values()].map((one) => ({
      ...one.row,
      reason: `unknown_${one.kind}: ${sentenceOf(one)}`,
    }));
  }

  /** For the points to note: sentences without their full stops. */
  notes(isOfSeveral: boolean): string[] {
    const all = [...this.#found.values()].map((one) =>
      isOfSeveral ? `${one.row.account}: ${sentenceOf(one)}` : sentenceOf(one),
    );
    const more = `${counted(this.#left, "more value")} of fields, or in them, that the venue's documentation does not list`;
    return this.#left === 0 ? all : [...all, more];
  }
}

function sentenceOf({ row: { column }, kind, shown, fills, earlier }: Unknown): string {
  const which = `${counted(fills, "fill")}${earlier === 0 ? "" : ` (${earlier} before the period)`} ${fills === 1 ? "has" : "have"}`;
  return kind === "field"
    ? `${which} the field ${describe(column)}, which the venue's documentation does not name and fillbook does not book: it may be money; an example: ${shown}`
    : `${which} the ${column} ${shown}, a value that the venue's documentation does not list; booked like any other fill, but it may be no trade`;
}
