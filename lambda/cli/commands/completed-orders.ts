import { FillbookError } from "../../core/errors.ts";
import { type Fill, tradeTime } from "../../core/fill.ts";
import { counted } from "../../core/text.ts";
import { isoTime } from "../../core/time.ts";
import type { PageAnswer } from "../../service/service.ts";
import { table } from "../terminal-text.ts";
import type { Command, Outcome } from "./command.ts";
import { readRange } from "./range.ts";

const COLUMNS = ["time", "market", "side", "quantity", "price", "fee", "liquidity", "orderId", "matchId"];

export const completedOrders: Command = {
  usage: "[--from T] [--to T] [--start CURSOR]",
  about: [
    "Requests one page and prints it: at most 100 rows, in the order of the service. With --json it prints the object of the service unchanged.",
    "The service does not document whether it includes --from and --to. To get every fill once, use: fillbook sync",
  ],
  options: {
    from: { value: "T", help: "startDate, the lower bound" },
    to: { value: "T", help: "endDate, the upper bound" },
    start: { value: "CURSOR", help: "the `last` of the previous page, unchanged" },
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
    return async (live) => {
      const reader = await live.reader();
      return pageOutcome(await reader.completedOrders(request, live.signal));
    };
  },
};

function pageOutcome(answer: PageAnswer): Outcome {
  if (answer.kind === "cursor-refused") {
    throw new FillbookError("usage", `the service refused the cursor of --start with status ${answer.status}`, {
      hint: "a cursor is the `last` of an earlier page with the same --from and --to, and it may expire: start again without --start",
    });
  }
  if (answer.kind === "range-refused") {
    throw answer.problem;
  }
  const fills = answer.rows.flatMap((row) => ("fill" in row ? [row.fill] : []));
  const unfilable = answer.rows.flatMap((row) => ("fill" in row ? [] : [`not a completed order: ${row.unfilable}`]));
  return {
    json: { verbatim: answer.body },
    lines: [
      ...(fills.length === 0 ? [] : table(COLUMNS, fills.map(rowOf))),
      ...unfilable,
      `${counted(answer.rows.length, "row")}; ${answer.last === undefined ? "no further page" : `next page: --start=${shellWord(answer.last)}`}`,
    ],
    problem: null,
  };
}

function rowOf(fill: Fill): readonly string[] {
  const { market, side, quantity, price, fee, liquidity, orderId, matchId } = fill;
  return [
    isoTime(tradeTime(fill)),
    market ?? "",
    side ?? "",
    quantity ?? "",
    price ?? "",
    fee ?? "",
    liquidity ?? "",
    orderId,
    matchId,
  ];
}

/** Quotes a word for the shell, because the service may send any text. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
