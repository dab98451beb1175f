import { expect, test } from "vitest";
import { netTiles } from "../../../lambda/web/views/figures.ts";
import { exactly } from "../../support/amounts.ts";
import { readable } from "../site/uploads.ts";
import { netsOf } from "./sample-data.ts";

const textOf = (markup: string) => readable(markup).trim();

test("the net of each currency has one name, the report's, wherever it is shown", () => {
  const nets = netsOf();
  expect(textOf(netTiles({ nets })?.markup ?? "")).toBe(
    "Net realised PnL, incl. funding, USD −120,478.93 ▲ partial total Net realised PnL, incl. funding, USDC not known",
  );
  const without = nets.map((one) => ({ ...one, isFundingIncluded: false, isPartial: false }));
  expect(textOf(netTiles({ nets: without })?.markup ?? "")).toMatch(/^Net realised PnL, excl\. funding, USD /);
});

test("is rounded half even to the currency's minor unit, with the exact amount in the element", () => {
  const figure = (currency: string, text: string) => ({
    ...{ currency, net: exactly(text), isFundingIncluded: false, isPartial: false },
  });
  const { markup = "" } =
    netTiles({ nets: [figure("USD", "0.125"), figure("EUR", "0.135"), figure("JPY", "1234.5")] }) ?? {};
  const shown = [...markup.matchAll(/<data value="(?<exact>[\d.]+)"[^>]*>(?<text>[^<]+)/g)];
  expect(shown.map(({ groups }) => [groups?.["exact"], groups?.["text"]])).toEqual([
    ["0.125", "+0.12"],
    ["0.135", "+0.14"],
    ["1234.5", "+1,234"],
  ]);
});

test("nothing is shown of a pack that states no net", () => {
  expect([netTiles(null), netTiles({ nets: [] })]).toEqual([null, null]);
});
