import { describe, expect, test } from "vitest";
import { findPack } from "../../../lambda/web/data/catalogue.ts";
import { readKeyFigures } from "../../../lambda/web/data/key-figures.ts";
import { exactly } from "../../support/amounts.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { completeness, storesIn, writeByHand } from "./hand-written.ts";

const PERIOD = "month-2025-03";
const VERSION = "0123456789abcdef";

const TOTALS = [
  "currency,fills,volume,closes_with_unknown_pnl,gross_pnl,fees_recognised,realised_pnl_net_of_fees_excl_funding,open_value_at_end,funding,realised_pnl_net_incl_funding",
  "USD,3,100.5,1,10,2.25,7.75,,-0.75,7",
  "EUR,1,20,0,,0,-0.000000000000000001,5,,",
].join("\r\n");
const MONTHS = [
  "month,currency,realised_pnl_net_of_fees_excl_funding,realised_pnl_net_incl_funding",
  "2025-03,USD,7.75,7",
  "2025-03,EUR,-1,",
  "nonsense,EUR,-1,",
].join("\r\n");
const OPEN = ["currency,market,quantity", "USD,A,1", "USD,B,", "USD,C,2"].join("\r\n");

async function packWith(files: Readonly<Record<string, string>>) {
  const store = memoryStore();
  const stores = storesIn(store);
  await writeByHand(store, {
    period: PERIOD,
    version: VERSION,
    files: { "completeness.json": completeness(PERIOD), ...files },
  });
  const pack = await findPack(stores, PERIOD, VERSION);
  if (pack === null) {
    throw new Error("it was just written");
  }
  return { store, stores, pack };
}

describe("the money of a pack", () => {
  test("is also converted where the pack says so: what is known, added up, with funding in the net", async () => {
    const columns =
      "currency,closes_with_unknown_pnl,gross_pnl,report_currency,gross_pnl_converted,fees_recognised_converted,net_converted,funding_converted";
    const rows = ["USD,1,10,GBP,8,2,6,0.5", "USDT,0,5,GBP,4,1,3,", "EUR,2,,GBP,,,,-0.25"];
    const { stores, pack } = await packWith({ "summary.csv": [columns, ...rows].join("\r\n") });
    expect((await readKeyFigures(stores, pack))?.converted).toEqual({
      currency: "GBP",
      net: exactly("9.25"),
      gross: exactly("12"),
      fees: exactly("3"),
      funding: exactly("0.25"),
      unknownCloses: "3",
    });
    const nothing = await packWith({ "summary.csv": `${columns}\r\nEUR,2,,GBP,,,,` });
    expect((await readKeyFigures(nothing.stores, nothing.pack))?.converted).toMatchObject({
      net: null,
      gross: null,
      fees: null,
      funding: exactly("0"),
    });
  });

  test("equals its files to the last digit; an empty cell is unknown", async () => {
    const { stores, pack } = await packWith({
      "summary.csv": `\uFEFF${TOTALS}\r\n`,
      "summary-months.csv": MONTHS,
      "open-positions.csv": OPEN,
    });
    const figures = await readKeyFigures(stores, pack);
    const usd = {
      currency: "USD",
      net: exactly("7"),
      gross: exactly("10"),
      fees: exactly("2.25"),
      funding: exactly("-0.75"),
      volume: exactly("100.5"),
      openValue: null,
      fills: "3",
      unknownCloses: "1",
    };
    const eur = {
      currency: "EUR",
      net: exactly("-0.000000000000000001"),
      gross: null,
      fees: exactly("0"),
      funding: null,
      volume: exactly("20"),
      openValue: exactly("5"),
      fills: "1",
      unknownCloses: "0",
    };
    expect(figures?.totals).toEqual([usd, eur]);
    expect(figures?.months.get("USD")).toMatchObject([{ month: "2025-03", net: exactly("7") }]);
    expect(figures?.months.get("EUR")).toMatchObject([{ month: "2025-03", net: exactly("-1") }]);
    expect(figures?.open).toEqual(new Map([["USD", { positions: 2, unknownMarkets: 1 }]]));
    expect(figures?.converted).toBeNull();
  });

  test("is not shown for a pack without totals; without months or positions, the rest is shown", async () => {
    const without = await packWith({});
    expect(await readKeyFigures(without.stores, without.pack)).toBeNull();
    const { stores, pack } = await packWith({ "summary.csv": TOTALS });
    expect(await readKeyFigures(stores, pack)).toMatchObject({ months: new Map(), open: null });
  });

  test("is not shown on the pack's page if a file was changed", async () => {
    const { store, stores, pack } = await packWith({ "summary.csv": TOTALS });
    store.put(`main/packs/${PERIOD}/${VERSION}/summary.csv`, Buffer.from(TOTALS.replace("USD,3", "USD,4")));
    await expect(readKeyFigures(stores, pack)).rejects.toThrow("summary.csv is damaged");
  });

  test.each(["", "not,a,summary\r\n1,2,3", "currency\r\n", "\0", "currency,gross_pnl\r\nUSD,1e9", `currency\r\n"`])(
    "is not shown from a file that is not a summary, without an error: %j",
    async (text) => {
      const { stores, pack } = await packWith({
        "summary.csv": text,
        "summary-months.csv": text,
        "open-positions.csv": text,
      });
      const figures = await readKeyFigures(stores, pack);
      expect(figures?.totals.every(({ net, gross }) => net === null && gross === null)).toBe(true);
    },
  );
});
