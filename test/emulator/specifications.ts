import { type HttpAnswer, json } from "./wire.ts";

/**
 * Section 4.4: one specification per market. Some have no `contractType`, some have another type, and some
 * have no maximum order size.
 */
export function productSpecifications(markets: readonly string[]): HttpAnswer {
  return json(
    200,
    markets.map((market, index) => ({
      market,
      tickSize: ["0.01", "0.5", "0.00001", "1"][index % 4],
      lotSize: ["0.001", "1", "0.000000000000000001"][index % 3],
      fundingIntervalHours: index % 5 === 0 ? 8 : 1,
      minOrderSizeUSD: "10",
      maxOrderSizeUSD: index % 3 === 0 ? "" : "1000000",
      ...contractTypeOf(index),
    })),
  );
}

function contractTypeOf(index: number): { contractType?: string } {
  if (index % 4 === 1) {
    return {};
  }
  return { contractType: index % 7 === 6 ? "Inverse" : "Vanilla" };
}
