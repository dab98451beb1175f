import type { Switches } from "./switches.ts";
import { type HttpAnswer, json } from "./wire.ts";

/**
 * `/api/v1/markets`: the names of all markets. The document does not show the answer's shape. `other` is a
 * shape that no client can be expected to know.
 */
export function marketList(markets: readonly string[], set: Switches): HttpAnswer {
  switch (set.marketsShape) {
    case "strings":
      return json(200, markets);
    case "wrapped":
      return json(200, { markets });
    case "market-objects":
      return json(
        200,
        markets.map((market) => ({ market })),
      );
    case "name-objects":
      return json(
        200,
        markets.map((name) => ({ name })),
      );
    case "keyed":
      return json(200, Object.fromEntries(markets.map((market) => [market, { status: "open" }])));
    case "other":
      return json(200, { result: { count: markets.length, page: 1 } });
  }
}
