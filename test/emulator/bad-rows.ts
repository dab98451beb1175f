import type { BadRowKind } from "./switches.ts";
import type { CompletedOrder } from "./wire.ts";

type Fields = Record<string, unknown>;

const CHANGES: Readonly<Record<BadRowKind, (item: CompletedOrder) => string>> = {
  "no-match-id": ({ matchId: _, ...rest }) => JSON.stringify(rest),
  "no-order-id": ({ orderId: _, ...rest }) => JSON.stringify(rest),
  "tx-created-text": (item) => changed(item, { txCreated: String(item.txCreated) }),
  "not-an-object": (item) => JSON.stringify([item.matchId, item.orderId]),
  "price-number": (item) => inserted(item, "price", item.price),
  "price-null": (item) => changed(item, { price: null }),
  "price-exponent": (item) => changed(item, { price: "1.5e-7" }),
  "quantity-60-digits": (item) => changed(item, { quantity: `1${"0".repeat(29)}.${"1".repeat(30)}` }),
  "fees-words": (item) => changed(item, { fees: "none" }),
  "extra-fields": (item) => changed(item, { positionSide: "long", tags: ["a", { b: 1 }], note: "=1+1" }),
  "proto-key": (item) => inserted(item, "__proto__", '{"polluted":true}'),
  "number-1e400": (item) => inserted(item, "weight", "1e400"),
};

/** The row's JSON text with one defect of the given kind. */
export function badRowText(item: CompletedOrder, kind: BadRowKind): string {
  return CHANGES[kind](item);
}

function changed(item: CompletedOrder, fields: Fields): string {
  return JSON.stringify({ ...item, ...fields });
}

/** Adds a field whose JSON text is given as it is, because `JSON.stringify` cannot write such a value. */
function inserted(item: CompletedOrder, name: string, text: string): string {
  const rest = Object.fromEntries(Object.entries(item).filter(([field]) => field !== name));
  return `${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(name)}:${text}}`;
}
