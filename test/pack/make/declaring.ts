import { fillsFrom } from "../../accounting/make.ts";
import { fileIn } from "../../inputs/make.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { NO_INPUTS } from "../inputs.ts";
import { MARCH, type PackOptions, packOf, rowsOf, WIDE } from "../pack.ts";

const HEADER = "market,quantity,average_price,as_of,evidence,break\n";

/** In each of two markets: bought at 12:00 and 13:00 of 1 March, sold at 14:00 and 15:00. */
const FILLS = ["BTC-USDT", "ETH-USDT"].flatMap((market) =>
  fillsFrom("B1@100/0.1 B1@110/0.1 S1@130/0.1 S1@140/0.1", { market }).map((fill) => ({
    ...fill,
    matchId: `${market}-${fill.matchId}`,
  })),
);

/** The pack of March with these lines of opening-positions.csv. */
export async function packDeclaring(lines: string, request: PackOptions = {}, coverage = WIDE) {
  const store = memoryStore();
  const { zone } = request.period ?? MARCH;
  const { openings } = fileIn("opening-positions.csv", HEADER + lines, zone);
  const pack = await packOf(store, FILLS, { inputs: { ...NO_INPUTS, openings }, ...request }, coverage);
  return { store, pack, rows: (path: string) => rowsOf(store, pack, path) };
}
