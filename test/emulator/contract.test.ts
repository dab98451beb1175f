import { serviceConformance } from "../conformance/service.ts";
import { SAMPLE_TOKEN } from "./core.ts";
import { makeHistory } from "./history.ts";
import type { Density } from "./history-plan.ts";
import { startEmulator } from "./server.ts";
import type { Switches } from "./switches.ts";

/** Very different switches, all of which the interface document allows. */
const SETTINGS: Readonly<Record<string, Partial<Switches>>> = {
  "by default": {},
  "ascending, exclusive bounds": { order: "ascending", startInclusive: false, endInclusive: false },
  "short and empty pages, a cursor on the last": { shortPages: true, emptyPages: 0.3, lastOnFinal: "cursor" },
  "dates that filter by filledAt, cursors bound to the dates": {
    filterBy: "filledAt",
    cursorDates: "required",
    lastOnFinal: "zero",
  },
  "cursors that are not opaque texts, repeated rows": { cursorValues: ["", "0"], repeatRows: 7, cursorDates: "sent" },
  "no bodies where the document shows none": {
    notFoundBody: "empty",
    marketsShape: "wrapped",
    unknownMarket: "bad-request",
  },
};
const DENSITIES: readonly Density[] = ["uniform", "ramp", "zipf-days", "bursts", "sparse"];

Object.entries(SETTINGS).forEach(([name, switches], index) => {
  serviceConformance(`the emulator, ${name},`, async () => {
    const density = DENSITIES[index % DENSITIES.length] ?? "uniform";
    const from = Date.UTC(2025, 0, 1);
    const history = makeHistory({ seed: index, fills: 900, from, to: Date.UTC(2026, 0, 1), density });
    const { emulator, ...addresses } = await startEmulator({ seed: index, history, switches });
    const openOrder = emulator.openOrders[index];
    const leverageMarket = emulator.markets[0];
    if (openOrder === undefined || leverageMarket === undefined) {
      throw new Error("the emulator has too few open orders or no markets");
    }
    const { market, orderId, clientRequestId } = openOrder;
    return { ...addresses, token: SAMPLE_TOKEN, openOrder: { market, orderId, clientRequestId }, leverageMarket };
  });
});

const {
  FILLBOOK_REAL_ACCOUNT_URL: accountUrl,
  FILLBOOK_REAL_ORDER_URL: orderUrl,
  FILLBOOK_REAL_MARKET_DATA_URL: marketDataUrl,
  FILLBOOK_REAL_TOKEN: token,
} = process.env;

if (accountUrl !== undefined && orderUrl !== undefined && marketDataUrl !== undefined && token !== undefined) {
  const close = () => Promise.resolve();
  serviceConformance("the real service", () => Promise.resolve({ accountUrl, orderUrl, marketDataUrl, token, close }));
} else {
  process.stderr.write(
    "The contract suite ran on the emulator only. To run it on the real service, set FILLBOOK_REAL_ACCOUNT_URL, FILLBOOK_REAL_ORDER_URL, FILLBOOK_REAL_MARKET_DATA_URL and FILLBOOK_REAL_TOKEN.\n",
  );
}
