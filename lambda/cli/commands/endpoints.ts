import { usageError as usage } from "../../core/errors.ts";
import { type Fill, tradeTime } from "../../core/fill.ts";
import { nearest } from "../../core/suggest.ts";
import { counted } from "../../core/text.ts";
import { isoTime, LATEST_MS } from "../../core/time.ts";
import type { Leverage, OrderKey, PageAnswer } from "../../service/service.ts";
import { table } from "../terminal-text.ts";
import type { Args, Command, Outcome } from "./command.ts";
import { readRange } from "./range.ts";

// The interface itself: a command asks one endpoint once, and shows the answer.

type Row = Readonly<Record<string, unknown>>;

export const markets: Command = {
  about: ['Prints one name a line, below a heading; with --json {"markets": […]}.'],
  example: "fillbook markets --market-data-url https://market-data.example.com",
  plan: () => async (live) => {
    const names = await (await live.reader()).markets(live.signal);
    const rows = names.map((market) => ({ market }));
    return answered({ markets: names }, rowsOf(["market"], rows));
  },
};

const SIZES = ["tickSize", "lotSize", "fundingIntervalHours", "minOrderSizeUSD", "maxOrderSizeUSD"];

export const specs: Command = {
  words: "[MARKET]",
  about: [
    'Prints one market a line, as the service returns it; with --json {"productSpecifications": […]}. An empty maxOrderSizeUSD means no limit.',
  ],
  example: "fillbook specs BTC-USD --market-data-url https://market-data.example.com",
  plan({ words: [word] }) {
    const market = word === undefined ? null : marketName(word);
    return async (live) => {
      const all = await (await live.reader()).productSpecifications(live.signal);
      const chosen = all.filter((one) => market === null || one.market === market);
      if (market !== null && chosen.length === 0) {
        const names = all.map((one) => one.market);
        const near = nearest(market, names);
        const hint =
          near === undefined ? "list the markets with: fillbook markets" : `did you mean: fillbook specs ${near}`;
        throw usage(`the service has no specification of "${market}"`, hint);
      }
      return answered({ productSpecifications: chosen }, rowsOf(["market", ...SIZES, "contractType"], chosen));
    };
  },
};

export const marketData: Command = {
  words: "MARKET…",
  about: [
    'Prints one value a line, as the service returns it; with --json {"marketData": […]}, where times are ms since 1970, UTC.',
  ],
  example: "fillbook market-data BTC-USD ETH-USD --market-data-url https://market-data.example.com",
  plan({ words }) {
    const names = words.flatMap((word) => word.split(",")).map(marketName);
    return async (live) => {
      const data = await (await live.reader()).marketData(names, live.signal);
      return answered({ marketData: data }, rowsOf(["market", "type", "value", "index", "updatedAt"], data));
    };
  },
};

export const openOrder: Command = {
  words: "MARKET",
  about: [
    'Prints the fields of the order; with --json {"openOrder": {…}}, or null if the service has no such open order, which is not an error.',
    "quantity is what remains; quantity + filledQuantity is the original order.",
  ],
  options: {
    "order-id ID": "the id that the service assigned to the order",
    "client-request-id ID": "the id that was chosen when the order was created",
  },
  example:
    "fillbook open-order BTC-USD --order-id 01JABCDEFGHJKMNPQRSTVWXYZ0 --account-url https://account.example.com",
  plan(given) {
    const [market = ""] = given.words.map(marketName);
    const key = readKey(given);
    return async (live) => {
      const order = await (await live.reader()).openOrder(market, key, live.signal);
      const fields = Object.entries(order ?? {}).map(([name, value]) => [name, cell(name, value)]);
      const none = `no open order with this id in ${market}`;
      return answered({ openOrder: order }, order === null ? [none] : table(["field", "value"], fields));
    };
  },
};

function readKey(given: Args): OrderKey {
  const [orderId = "", clientRequestId = ""] = [given.text("order-id"), given.text("client-request-id")];
  if (orderId !== "" && clientRequestId !== "") {
    throw usage(
      "--order-id and --client-request-id were both given, but the service accepts only one",
      "keep --order-id if you know it; use --client-request-id for an order whose creation was not confirmed",
    );
  }
  if (orderId === "" && clientRequestId === "") {
    const hint = "give --order-id ID, or --client-request-id ID if the creation of the order was not confirmed";
    throw usage("the id of the order is missing", hint);
  }
  return orderId === "" ? { clientRequestId } : { orderId };
}

const LEVERAGES: readonly Leverage[] = ["1", "2", "3", "4", "5"];

export const setLeverage: Command = {
  words: "MARKET 1..5",
  about: [
    "Changes a setting of the account. It is the only command that changes anything at the service. The request is sent once and never repeated automatically.",
    'Prints the answer of the service; with --json {"market": …, "leverage": …, "message": …}.',
  ],
  example: "fillbook set-leverage BTC-USD 3 --order-url https://order.example.com",
  plan({ words: [word = "", level = ""] }) {
    const market = marketName(word);
    const leverage = LEVERAGES.find((one) => one === level);
    if (leverage === undefined) {
      const hint = `for example: fillbook set-leverage ${market} 3`;
      throw usage(`the leverage is "${level}": it must be one of 1, 2, 3, 4, 5`, hint);
    }
    return async (live) => {
      const message = await (await live.leverageWriter()).setLeverage(market, leverage, live.signal);
      return answered({ market, leverage, message }, [`${market}: ${message}`]);
    };
  },
};

export const completedOrders: Command = {
  about: [
    "Requests one page and prints it: at most 100 rows, in the order of the service. With --json it prints the object of the service unchanged.",
    "The service does not document whether it includes --from and --to. To get every fill once, use: fillbook sync",
  ],
  options: {
    "from T": "startDate, the lower bound",
    "to T": "endDate, the upper bound",
    "start CURSOR": "the `last` of the previous page, unchanged",
  },
  example: "fillbook completed-orders --from 2025-01-01 --to 2025-01-02 --account-url https://account.example.com",
  plan(given) {
    const { from, to } = readRange(given);
    const start = given.text("start");
    const request = {
      ...(from === undefined ? {} : { startDate: from }),
      ...(to === undefined ? {} : { endDate: to }),
      ...(start === undefined ? {} : { start }),
    };
    return async (live) => pageOutcome(await (await live.reader()).completedOrders(request, live.signal));
  },
};

function pageOutcome(answer: PageAnswer): Outcome {
  if (answer.kind === "cursor-refused") {
    throw usage(
      `the service refused the cursor of --start with status ${answer.status}`,
      "a cursor is the `last` of an earlier page with the same --from and --to, and it may expire: start again without --start",
    );
  }
  if (answer.kind === "range-refused") {
    throw answer.problem;
  }
  const fills = answer.rows.flatMap((row) => ("fill" in row ? [rowOf(row.fill)] : []));
  // Quoted for the shell, because the service may send any text.
  const next = answer.last === undefined ? null : `'${answer.last.replaceAll("'", "'\\''")}'`;
  return {
    json: { verbatim: answer.body },
    lines: [
      ...(fills.length === 0 ? [] : rowsOf(Object.keys(fills[0] ?? {}), fills)),
      ...answer.rows.flatMap((row) => ("fill" in row ? [] : [`not a completed order: ${row.unfilable}`])),
      `${counted(answer.rows.length, "row")}; ${next === null ? "no further page" : `next page: --start=${next}`}`,
    ],
  };
}

function rowOf(fill: Fill): Row {
  const { market, side, quantity, price, fee, liquidity, orderId, matchId } = fill;
  return { time: isoTime(tradeTime(fill)), market, side, quantity, price, fee, liquidity, orderId, matchId };
}

/** What the service says is printed as it is. */
function answered(answer: Row, lines: readonly string[]): Outcome {
  return { json: { verbatim: JSON.stringify(answer) }, lines };
}

function rowsOf(columns: readonly string[], rows: readonly Row[]): readonly string[] {
  return table(
    columns,
    rows.map((row) => columns.map((column) => cell(column, row[column]))),
  );
}

/** A value from the service: text unchanged, null or undefined as empty, a time as ISO 8601, anything else as JSON. */
function cell(name: string, value: unknown): string {
  if (typeof value === "string") {
    return value;
  }
  const isTime = name.endsWith("edAt") && typeof value === "number" && Number.isInteger(value);
  if (isTime && Math.abs(value) <= LATEST_MS) {
    return isoTime(value);
  }
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** A market's name as the interface writes it, `<BASE>-<QUOTE>`. Only the service knows whether the market exists. */
function marketName(text: string): string {
  if (/^[^\s,/?#&-]+(?:-[^\s,/?#&-]+)+$/.test(text)) {
    return text;
  }
  const hint = "a name has the form BASE-QUOTE, such as BTC-USD; list them with: fillbook markets";
  throw usage(`"${text}" is not the name of a market`, hint);
}
