import { FillbookError } from "../../core/errors.ts";
import { cell, table, timeCell } from "../terminal-text.ts";
import type { Command } from "./command.ts";
import { marketName } from "./market-name.ts";

const COLUMNS = ["market", "type", "value", "index", "updatedAt"];
const TIMES = ["updatedAt"];

export const marketData: Command = {
  usage: "MARKET…",
  takesWords: true,
  about: [
    'Prints one value a line, as the service returns it; with --json {"marketData": […]}, where times are ms since 1970, UTC.',
  ],
  options: {},
  example: "fillbook market-data BTC-USD ETH-USD --market-data-url https://market-data.example.com",
  plan(given) {
    const names = given.positionals.flatMap((word) => word.split(",")).map(marketName);
    if (names.length === 0) {
      throw new FillbookError("usage", "no market was given", {
        hint: "for example: fillbook market-data BTC-USD; list the markets with: fillbook markets",
      });
    }
    return async (live) => {
      const data = await (await live.reader()).marketData(names, live.signal);
      const rows = data.map((one) => COLUMNS.map((column) => (TIMES.includes(column) ? timeCell : cell)(one[column])));
      return { json: { marketData: data }, lines: table(COLUMNS, rows), problem: null };
    };
  },
};
