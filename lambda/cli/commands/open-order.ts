import { FillbookError } from "../../core/errors.ts";
import type { OrderKey } from "../../service/service.ts";
import { cell, table, timeCell } from "../terminal-text.ts";
import type { Args, Command } from "./command.ts";
import { marketName } from "./market-name.ts";

const TIMES = ["createdAt", "updatedAt"];

export const openOrder: Command = {
  usage: "MARKET (--order-id ID | --client-request-id ID)",
  takesWords: true,
  about: [
    'Prints the fields of the order; with --json {"openOrder": {…}}, or null if the service has no such open order, which is not an error.',
    "quantity is what remains; quantity + filledQuantity is the original order.",
  ],
  options: {
    "order-id": { value: "ID", help: "the id that the service assigned to the order" },
    "client-request-id": { value: "ID", help: "the id that was chosen when the order was created" },
  },
  example:
    "fillbook open-order BTC-USD --order-id 01JABCDEFGHJKMNPQRSTVWXYZ0 --account-url https://account.example.com",
  plan(given) {
    const [word, extra] = given.positionals;
    if (word === undefined || extra !== undefined) {
      throw new FillbookError("usage", "one market must be given", {
        hint: "for example: fillbook open-order BTC-USD --order-id ID; list the markets with: fillbook markets",
      });
    }
    const market = marketName(word);
    const key = readKey(given);
    return async (live) => {
      const order = await (await live.reader()).openOrder(market, key, live.signal);
      const fields = Object.entries(order ?? {}).map(([name, value]) => [
        name,
        (TIMES.includes(name) ? timeCell : cell)(value),
      ]);
      return {
        json: { openOrder: order },
        lines: order === null ? [`no open order with this id in ${market}`] : table(["field", "value"], fields),
        problem: null,
      };
    };
  },
};

function readKey(given: Args): OrderKey {
  const orderId = given.text("order-id");
  const clientRequestId = given.text("client-request-id");
  if (orderId !== undefined && clientRequestId !== undefined) {
    throw new FillbookError(
      "usage",
      "--order-id and --client-request-id were both given, but the service accepts only one",
      {
        hint: "keep --order-id if you know it; use --client-request-id for an order whose creation was not confirmed",
      },
    );
  }
  if (orderId !== undefined && orderId !== "") {
    return { orderId };
  }
  if (clientRequestId !== undefined && clientRequestId !== "") {
    return { clientRequestId };
  }
  throw new FillbookError("usage", "the id of the order is missing", {
    hint: "give --order-id ID, or --client-request-id ID if the creation of the order was not confirmed",
  });
}
