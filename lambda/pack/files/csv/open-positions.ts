import type { OpenLot } from "../../../accounting/cost-book.ts";
import type { MarketStatement, Statement } from "../../../accounting/statement.ts";
import { magnitude } from "../../../core/decimal.ts";
import { isoTime } from "../../../core/time.ts";
import type { Column, FileMaker, PackContext } from "../../build/maker.ts";
import type { CsvRow } from "./cells.ts";
import { amountCell, priceCell, rowOf, sideOf, unitsCell, yesCell } from "./cells.ts";
import { CsvMaker } from "./csv-maker.ts";

const COLUMNS = [
  { name: "account", kind: "text", required: true, description: "The label of the account in fillbook." },
  { name: "market", kind: "text", description: "Market name, <BASE>-<QUOTE>." },
  { name: "currency", kind: "text", description: "What the market is settled in, and every amount of the row." },
  {
    name: "method",
    kind: "text",
    description:
      "The rows of one method and market are its whole position: under average entry one pool, else a row for each lot. Empty where nothing but the position is known.",
  },
  { name: "chosen", kind: "text", description: "yes: the method that the pack was asked for." },
  { name: "side", kind: "text", description: "long or short." },
  { name: "quantity", kind: "decimal", description: "What is open of this lot or pool, in the base of the market." },
  {
    name: "open_price",
    kind: "decimal",
    description: "Of the lot; of the pool open_value ÷ quantity, rounded half even to 18 places, for display.",
  },
  { name: "open_value", kind: "decimal", description: "What it was opened for: not what it is worth at the end." },
  {
    name: "deferred_fee",
    kind: "decimal",
    description: "The opening fees that it carries: paid, and not recognised before it is closed.",
  },
  {
    name: "opened_at",
    kind: "time",
    description: "When the lot was opened, UTC; of the pool its first fill; of a declared position its date.",
  },
  {
    name: "open_match_id",
    kind: "text",
    description: "The fill that opened the lot; of the pool its first. Empty for a declared position.",
  },
  { name: "open_order_id", kind: "text", description: "Its order." },
  {
    name: "status",
    kind: "text",
    required: true,
    description:
      "known, or why the position or its cost cannot be known: opening_unknown, quantity_known_cost_unknown, break_declared, market_incomplete, unsupported_contract_type.",
  },
] as const satisfies readonly Column[];

/** open-positions.csv: what is open at the end of the period, under both methods. */
export function openPositionsMaker({ account }: PackContext): FileMaker {
  return new CsvMaker({
    path: "open-positions.csv",
    description:
      "What is open at the end of the period, at what it was opened for: no market price is in it. The same position stands once under each method: add up one method only. A market whose position or cost is not known has one row.",
    columns: COLUMNS,
    rowsAtEnd: ({ statement }) => statement.markets.flatMap((market) => rowsOf(market, statement, account)),
  });
}

function rowsOf({ market, currency, after }: MarketStatement, statement: Statement, account: string): CsvRow[] {
  const own = { account, market, currency };
  const { position, blank, lots } = after;
  if (blank !== null) {
    const isOpen = position !== null && position !== 0n;
    return [
      rowOf(COLUMNS, {
        ...own,
        ...(isOpen ? { side: sideOf(position), quantity: unitsCell(magnitude(position)) } : {}),
        status: blank,
      }),
    ];
  }
  return ([0, 1] as const).flatMap((at) =>
    lots[at].map((lot) =>
      rowOf(COLUMNS, {
        ...own,
        method: statement.methods[at],
        chosen: yesCell(at === statement.chosen),
        ...lotCells(lot),
        status: "known",
      }),
    ),
  );
}

function lotCells({ opener, sign, quantity, value, fee }: OpenLot) {
  return {
    side: sideOf(sign),
    quantity: unitsCell(quantity),
    open_price: priceCell(value, quantity),
    open_value: amountCell(value),
    deferred_fee: amountCell(fee),
    opened_at: isoTime(opener.time),
    open_match_id: opener.matchId,
    open_order_id: opener.orderId,
  };
}
