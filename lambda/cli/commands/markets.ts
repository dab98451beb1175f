import { table } from "../terminal-text.ts";
import type { Command } from "./command.ts";

export const markets: Command = {
  usage: "",
  about: ['Prints one name a line, below a heading; with --json {"markets": […]}.'],
  options: {},
  example: "fillbook markets --market-data-url https://market-data.example.com",
  plan() {
    return async (live) => {
      const names = await (await live.reader()).markets(live.signal);
      return {
        json: { markets: names },
        lines: table(
          ["market"],
          names.map((name) => [name]),
        ),
        problem: null,
      };
    };
  },
};
