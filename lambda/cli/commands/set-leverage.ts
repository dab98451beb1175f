import { FillbookError } from "../../core/errors.ts";
import type { Leverage } from "../../service/service.ts";
import type { Command } from "./command.ts";
import { marketName } from "./market-name.ts";

const LEVERAGES: readonly Leverage[] = ["1", "2", "3", "4", "5"];

export const setLeverage: Command = {
  usage: "MARKET 1..5",
  takesWords: true,
  about: [
    "Changes a setting of the account. It is the only command that changes anything at the service. The request is sent once and never repeated automatically.",
    'Prints the answer of the service; with --json {"market": …, "leverage": …, "message": …}.',
  ],
  options: {},
  example: "fillbook set-leverage BTC-USD 3 --order-url https://order.example.com",
  plan(given) {
    const [word, level, extra] = given.positionals;
    if (word === undefined || level === undefined || extra !== undefined) {
      throw new FillbookError("usage", "one market and one leverage must be given", {
        hint: "for example: fillbook set-leverage BTC-USD 3",
      });
    }
    const market = marketName(word);
    const leverage = LEVERAGES.find((one) => one === level);
    if (leverage === undefined) {
      throw new FillbookError("usage", `the leverage is "${level}": it must be one of 1, 2, 3, 4, 5`, {
        hint: `for example: fillbook set-leverage ${market} 3`,
      });
    }
    return async (live) => {
      const writer = await live.leverageWriter();
      const message = await writer.setLeverage(market, leverage, live.signal);
      return { json: { market, leverage, message }, lines: [`${market}: ${message}`], problem: null };
    };
  },
};
