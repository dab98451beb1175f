import type { PackComparison } from "../../../lambda/web/data/comparison.ts";
import type { Texts } from "./samples.ts";

const SUM = "d330e5f958199aef2e2d4c0e7b05fea01f801f64fa51e56c183ffdce6eac1ea4";

/** In the words of data/comparison.ts, restated-rows.ts and sums.ts, and of the same length. */
export function comparisonOf(texts: Texts): PackComparison {
  const file = (bytes: number) => texts(`${bytes} bytes, sha256 ${SUM}`);
  const sum = { currency: texts("USD"), month: null };
  const month = texts("2025-03");
  return {
    sums: [
      {
        ...sum,
        figure: "realised_pnl_net_of_fees_excl_funding",
        before: texts("-1284417.018842371099120044"),
        after: texts("1310.5"),
        difference: texts("1285727.518842371099120044"),
      },
      { ...sum, figure: "fees_paid", before: texts("2210.25"), after: texts("2210.25"), difference: texts("0") },
      { ...sum, month, figure: "gross_pnl", before: "", after: texts("17.125"), difference: null },
    ],
    figures: [
      { what: texts("completeness.json: totals fills"), before: texts("19982"), after: texts("19985") },
      { what: texts("completeness.json: method"), before: texts("fifo"), after: texts("average") },
      {
        what: texts("completeness.json: accounts inputs inputs/accounts.json sha256"),
        before: "",
        after: texts(SUM),
      },
      {
        what: texts("completeness.json: gaps"),
        before: texts(
          "2025-03-05T00:00:00.000Z to 2025-03-06T00:00:00.000Z, 2025-03-08T00:00:00.000Z to 2025-03-09T00:00:00.000Z",
        ),
        after: "",
      },
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
      { path: texts("fills.csv"), before: file(1_204_113), after: file(1_204_302) },
      { path: texts("imports/rotki.csv"), before: "", after: file(2113) },
      { path: texts("inputs/opening-positions.csv"), before: file(311), after: file(311) },
    ],
  };
}
