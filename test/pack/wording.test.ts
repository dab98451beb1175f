import { expect, test } from "vitest";
import { fillsFrom } from "../accounting/make.ts";
import { memoryStore } from "../support/memory-store.ts";
import { NO_INPUTS } from "./inputs.ts";
import { bytesOf, packOf, WIDE } from "./pack.ts";

const TEXTS = /\.(?:csv|html|json|xml|txt|beancount|hledger)$/;

test("a pack says 'the venue'; 'the service' is a word for operators", async () => {
  const store = memoryStore();
  const fills = fillsFrom("B1@100/0.1 S2@110/0.1 B1@100").map((fill, at) =>
    at === 2 ? { ...fill, price: "much" } : fill,
  );
  const requests = [
    { currency: "USDT", beginning: WIDE.from },
    { allowIncomplete: true, inputs: { ...NO_INPUTS, balances: [] } },
  ];
  for (const request of requests) {
    const pack = await packOf(store, fills, request);
    const texts = pack.files.filter(({ path }) => TEXTS.test(path));
    expect(texts.length).toBeGreaterThan(20);
    for (const { path } of texts) {
      const lines = bytesOf(store, pack, path).toString().split("\n");
      expect(lines.filter((line) => /\bservices?\b/i.test(line)).map((line) => `${path}: ${line}`)).toEqual([]);
    }
  }
});
