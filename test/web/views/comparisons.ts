import type { PackComparison } from "../../../lambda/web/data/comparison.ts";
import type { Texts } from "./samples.ts";

/** In the words of data/comparison.ts, and of the same length. */
export function comparisonOf(texts: Texts): PackComparison {
  const currency = texts("USD");
  return {
    sums: [
      {
        currency,
        figure: "realised_pnl_net_of_fees_excl_funding",
        before: texts("-1284417.018842371099120044"),
        after: texts("1310.5"),
        difference: texts("1285727.518842371099120044"),
      },
      { currency, figure: "fees_paid", before: texts("2210.25"), after: texts("2210.25"), difference: texts("0") },
      { currency, figure: "gross_pnl", before: "", after: texts("17.125"), difference: null },
    ],
    fills: [
      {
        what: texts(
          "changed: fee of fill 8d1f7a52-6a0e-4f0b-9d3c-5e2f9a7b1c40 of order 0x5f3b9d0c7a1e4f8692b4, BTC-USD, seen 2026-02-02T03:10:00.000Z",
        ),
        before: texts("0.412"),
        after: texts("0.398"),
      },
    ],
    files: [
      { path: texts("fills.csv"), state: "differs" },
      { path: texts("imports/rotki.csv"), state: "only after" },
      { path: texts("inputs/opening-positions.csv"), state: "same" },
    ],
  };
}
