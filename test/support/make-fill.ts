import { FIELD_NAMES, type Fill } from "../../lambda/core/fill.ts";
import { canonicalJson } from "../../lambda/formats/json.ts";

export type FillFields = Omit<Fill, "row">;

/** A sound fill. A test gives only the fields that matter to it. */
export function makeFill(fields: Partial<FillFields> = {}): Fill {
  const all: FillFields = {
    matchId: "5f7b1c1e-8a52-4a30-9a0e-0f4f0f1d2c3b",
    orderId: "01HZY3Q8R9V7T5N2M4K6J8H0GF",
    txCreated: Date.UTC(2025, 2, 1, 12, 34, 56, 789),
    filledAt: Date.UTC(2025, 2, 1, 12, 34, 56, 700),
    market: "BTC-USD",
    side: "buy",
    liquidity: "taker",
    tradeType: "limit",
    fillType: "complete",
    triggerType: "none",
    transactionHash: "0x9f2c",
    quantity: "0.50",
    price: "60000.10",
    fee: "-1.2",
    triggerPrice: "0",
    extra: null,
    ...fields,
  };
  const names = Object.keys(FIELD_NAMES) as (keyof typeof FIELD_NAMES)[];
  const known = names.map((name) => [FIELD_NAMES[name], all[name]] as const).filter(([, value]) => value !== null);
  return { ...all, row: canonicalJson({ ...all.extra, ...Object.fromEntries(known) }) };
}
