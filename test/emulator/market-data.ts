import { hash32, share } from "../support/prng.ts";
import { MARKETS } from "./market-facts.ts";
import { type EmulatorRequest, type HttpAnswer, json } from "./wire.ts";

/** sections 2.5 and 4.5 */
const MARKET_DATA_TYPES = [
  "INDEX",
  "24H_COUNT",
  "24H_VOLUME",
  "ASK",
  "BID",
  "FUNDING",
  "NEXT_FUNDING",
  "OPEN_INTEREST",
] as const;

const INDEX_SOURCES: readonly string[] = ["CCIX", "CCCAGG", "VENUE_A", "VENUE_B"];

/** Section 4.5: eight items per market, grouped by market, in the order of the request. */
export function marketData(
  request: EmulatorRequest,
  markets: readonly string[],
  seed: number,
  nowMs: number,
): HttpAnswer {
  const asked = request.query.get("markets");
  if (asked === null || asked === "") {
    return json(400, { message: "markets is required" });
  }
  const names = [...new Set(asked.split(","))];
  const known = names.filter((name) => markets.includes(name));
  return json(
    200,
    known.flatMap((market) =>
      MARKET_DATA_TYPES.map((type) => ({
        market,
        type,
        index: type === "INDEX" ? sourceOf(markets.indexOf(market)) : "SERVICE",
        value: figureOf(type, market, share(seed, markets.indexOf(market), hash32(seed, 71))),
        updatedAt: nowMs,
      })),
    ),
  );
}

function sourceOf(index: number): string {
  return INDEX_SOURCES[index % INDEX_SOURCES.length] ?? "CCIX";
}

function figureOf(type: (typeof MARKET_DATA_TYPES)[number], market: string, drawn: number): string {
  const price = MARKETS.find((facts) => facts.name === market)?.price ?? 1;
  switch (type) {
    case "INDEX":
      return price.toFixed(8);
    case "ASK":
      return (price * 1.0001).toFixed(8);
    case "BID":
      return (price * 0.9999).toFixed(8);
    case "FUNDING":
      return (drawn * 0.0002 - 0.0001).toFixed(10);
    case "NEXT_FUNDING":
      return (drawn * 0.0001 - 0.000_05).toFixed(10);
    case "24H_COUNT":
      return String(Math.floor(drawn * 100_000));
    case "24H_VOLUME":
    case "OPEN_INTEREST":
      return (drawn * 1_000_000).toFixed(2);
  }
}
