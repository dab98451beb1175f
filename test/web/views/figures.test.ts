import { expect, test } from "vitest";
import { netTiles } from "../../../lambda/web/views/figures.ts";
import { readable } from "../site/uploads.ts";
import { netsOf } from "./sample-data.ts";

const tiles = (nets: ReturnType<typeof netsOf>) => netTiles({ accounts: { net_realised_pnl: nets } })?.markup ?? "";

test("the net of each currency has one name, the report's, wherever it is shown", () => {
  const nets = netsOf();
  expect(readable(tiles(nets)).trim()).toBe(
    "Net realised PnL, incl. funding, USD −120,478.93 ▲ partial total Net realised PnL, incl. funding, USDC not known",
  );
  const without = nets.map((one) => ({ ...one, funding: "excluded", partial: false }) as const);
  expect(readable(tiles(without)).trim()).toMatch(/^Net realised PnL, excl\. funding, USD /);
  expect([tiles([]), netTiles(null)]).toEqual(["", null]);
});
