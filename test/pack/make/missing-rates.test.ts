import { describe, expect, test } from "vitest";
import { fillsFrom } from "../../accounting/make.ts";
import { fileOf } from "../../inputs/make.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { NO_INPUTS } from "../inputs.ts";
import { packOf, WIDE } from "../pack.ts";

/** A round trip in each market on each of three days. */
const FILLS = ["BTC-USDT", "ETH-USD"].flatMap((market) =>
  [1, 2, 3].flatMap((day) =>
    fillsFrom("B1@100/0.1 S1@110/0.1", { market, from: Date.UTC(2025, 2, day, 12) }).map((fill) => ({
      ...fill,
      matchId: `${market}-${day}-${fill.matchId}`,
    })),
  ),
);

function packIn(currency: string, lines: string, { fills = FILLS, accounts = null as string | null } = {}) {
  const store = memoryStore();
  const inputs = { ...NO_INPUTS, accounts, rates: [fileOf("rates/own.csv", `date,base,quote,rate,source\n${lines}`)] };
  const made = packOf(store, fills, { inputs, currency, beginning: WIDE.from });
  return { store, made };
}

describe("a pack that lacks rates", () => {
  test("names all of them at once, and is not published", async () => {
    const { store, made } = packIn("EUR", "2025-01,USD,EUR,0.9,a\n");
    await expect(made).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(
        /^there is no rate from USD to EUR on 3 days, 2025-03-01 to 2025-03-03; from USDT to EUR on 3 days, 2025-03-01 to 2025-03-03: searched rates\/own\.csv /,
      ),
      hint: expect.stringMatching(
        /^put a file that has them into the folder main\/inputs\/rates\/ .*; if 1 USDT is worth 1 USD to you, write \{"par": \{"USDT": "USD"\}\} into main\/inputs\/accounts\.json; /,
      ),
    });
    expect([...store.snapshot().keys()].filter((key) => key.endsWith("latest.json"))).toEqual([]);
  });

  test("only for the period's end is still made", async () => {
    const days = [1, 2, 3].flatMap((day) => ["USD", "USDT"].map((one) => `2025-03-0${day},${one},EUR,0.9,a\n`));
    await expect(packIn("EUR", days.join("")).made).resolves.toMatchObject({ dir: expect.any(String) });
  });
});
