import { FillbookError } from "../../core/errors.ts";
import { nearest } from "../../core/suggest.ts";
import type { ProductSpecification } from "../../service/service.ts";
import { cell, table } from "../terminal-text.ts";
import type { Command } from "./command.ts";
import { marketName } from "./market-name.ts";

const COLUMNS = [
  "market",
  "tickSize",
  "lotSize",
  "fundingIntervalHours",
  "minOrderSizeUSD",
  "maxOrderSizeUSD",
  "contractType",
];

export const specs: Command = {
  usage: "[MARKET]",
  takesWords: true,
  about: [
    'Prints one market a line, as the service returns it; with --json {"productSpecifications": […]}. An empty maxOrderSizeUSD means no limit.',
  ],
  options: {},
  example: "fillbook specs BTC-USD --market-data-url https://market-data.example.com",
  plan(given) {
    const [word, extra] = given.positionals;
    if (extra !== undefined) {
      throw new FillbookError("usage", `only one market can be given: unexpected "${extra}"`, {
        hint: "leave the market out to see them all",
      });
    }
    const market = word === undefined ? undefined : marketName(word);
    return async (live) => {
      const all = await (await live.reader()).productSpecifications(live.signal);
      const chosen = market === undefined ? all : only(all, market);
      const rows = chosen.map((one) => COLUMNS.map((column) => cell(one[column])));
      return { json: { productSpecifications: chosen }, lines: table(COLUMNS, rows), problem: null };
    };
  },
};

function only(all: readonly ProductSpecification[], market: string): readonly ProductSpecification[] {
  const found = all.filter((one) => one.market === market);
  if (found.length > 0) {
    return found;
  }
  const near = nearest(
    market,
    all.map((one) => one.market),
  );
  throw new FillbookError("usage", `the service has no specification of "${market}"`, {
    hint: near === undefined ? "list the markets with: fillbook markets" : `did you mean: fillbook specs ${near}`,
  });
}
