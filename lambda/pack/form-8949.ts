import { type Booked, isBlank, type Match } from "../accounting/booked.ts";
import type { Trade } from "../accounting/trade.ts";
import { localDays } from "../model/local-day.ts";
import { isoTime } from "../model/time.ts";
import { CsvMaker, type CsvRow } from "./csv-maker.ts";
import type { Column, FileMaker, PackContext } from "./maker.ts";
import { amountCell, rowOf, unitsCell } from "./tables/cells.ts";

const COLUMNS = [
  {
    name: "description_of_property",
    kind: "text",
    required: true,
    description: "Column (a): what was closed, and whether it was long or short.",
  },
  {
    name: "date_acquired",
    kind: "date",
    description:
      "Column (b), as a day of the pack's zone. Of a short the day of the closing buy. Empty where it is not known (a declared opening position), and for a long under average entry, whose pool has no day of its own.",
  },
  {
    name: "date_sold_or_disposed",
    kind: "date",
    required: true,
    description: "Column (c), as a day of the pack's zone. Of a short the day on which it was closed.",
  },
  {
    name: "proceeds",
    kind: "decimal",
    description: "Column (d): of a long what it was closed for, of a short what it was opened for.",
  },
  {
    name: "cost_or_other_basis",
    kind: "decimal",
    description: "Column (e): of a long what it was opened for, of a short what it was closed for.",
  },
  { name: "code", kind: "text", description: "Column (f): always empty, for the preparer." },
  { name: "adjustment", kind: "decimal", description: "Column (g): always empty, for the preparer." },
  {
    name: "gain_or_loss",
    kind: "decimal",
    description: "Column (h): proceeds − cost_or_other_basis, before fees and funding.",
  },
  {
    name: "fees",
    kind: "decimal",
    description:
      "Opening and closing fees that go with it; negative: a rebate. They are in none of the columns before.",
  },
  {
    name: "gain_or_loss_net_of_fees_excl_funding",
    kind: "decimal",
    description: "gain_or_loss − fees. Funding is not in it.",
  },
  {
    name: "currency",
    kind: "text",
    required: true,
    description: "What the market is settled in, and every amount of the row: nothing is converted here.",
  },
  { name: "market", kind: "text", required: true, description: "Market name, <BASE>-<QUOTE>." },
  { name: "side", kind: "text", description: "long or short: the position that is closed." },
  { name: "quantity", kind: "decimal", description: "What is closed, in the base of the market." },
  {
    name: "opened_at",
    kind: "time",
    description: "When the lot was opened, UTC; of a pool its first fill; of a declared position its date.",
  },
  { name: "closed_at", kind: "time", required: true, description: "When the closing fill counts, UTC." },
  {
    name: "open_match_id",
    kind: "text",
    description: "The fill that opened the lot; of a pool its first. Empty for a declared position.",
  },
  { name: "open_order_id", kind: "text", description: "Its order." },
  { name: "close_match_id", kind: "text", required: true, description: "The closing fill." },
  { name: "close_order_id", kind: "text", required: true, description: "Its order." },
  {
    name: "status",
    kind: "text",
    required: true,
    description:
      "known, or why the gain cannot be known: opening_unknown, quantity_known_cost_unknown, market_incomplete, unsupported_contract_type. Amounts are empty then, never 0.",
  },
] as const satisfies readonly Column[];

type Cells = Partial<Record<(typeof COLUMNS)[number]["name"], string | null>>;

/**
 * form-8949.csv: the matches of the chosen method in the columns of the United States' Form 8949. The dates of a short are those of its closing, as the
 * form's instructions have it: acquired is what closes it, sold is when it is delivered.
 */
export function form8949Maker({ period, method, chosen }: PackContext): FileMaker {
  const closingDay = localDays(period.zone);
  const openingDay = localDays(period.zone); // of its own, since each is fast for times that come in order
  return new CsvMaker({
    path: "form-8949.csv",
    description:
      "A list in the columns of the United States' Form 8949, a row for each match of the chosen method. It is a list, not a tax treatment: whether perpetual futures belong on this form, under which box, and whether fees belong into the basis, is the preparer's to decide; box, code and adjustment are left open.",
    columns: COLUMNS,
    rowsOf(booked) {
      const { trade, realised } = booked;
      if (trade === null) {
        return [];
      }
      const own = closeCells(booked, trade, closingDay(booked.time));
      if (realised === null) {
        return isBlank(booked) ? [rowOf(COLUMNS, { ...own, ...blankCells(booked, trade) })] : [];
      }
      return realised[chosen].matches.map(
        (match): CsvRow =>
          rowOf(COLUMNS, { ...own, ...matchCells(match, trade), date_acquired: acquired(match, trade) }),
      );
    },
  });

  function acquired({ opener }: Match, { sign, time }: Trade): string | null {
    if (sign === 1n) {
      return closingDay(time);
    }
    return opener.matchId === null || method === "average" ? null : openingDay(opener.time);
  }
}

function closeCells({ fill, time }: Booked, { market, currency }: Trade, day: string): Cells {
  return {
    date_sold_or_disposed: day,
    currency,
    market,
    closed_at: isoTime(time),
    close_match_id: fill.matchId,
    close_order_id: fill.orderId,
  };
}

function matchCells(match: Match, trade: Trade): Cells {
  const { quantity, openValue, closeValue, gross, openFee, closeFee, opener } = match;
  const [proceeds, cost] = trade.sign === 1n ? [openValue, closeValue] : [closeValue, openValue];
  return {
    ...propertyCells(quantity, trade),
    proceeds: amountCell(proceeds),
    cost_or_other_basis: amountCell(cost),
    gain_or_loss: amountCell(gross),
    fees: amountCell(openFee + closeFee),
    gain_or_loss_net_of_fees_excl_funding: amountCell(gross - openFee - closeFee),
    opened_at: isoTime(opener.time),
    open_match_id: opener.matchId,
    open_order_id: opener.orderId,
    status: "known",
  };
}

/** Of a position that is known without its cost, what is closed is known too. */
function blankCells({ closed, blank }: Booked, trade: Trade): Cells {
  const status = blank ?? "market_incomplete";
  return closed === 0n
    ? { description_of_property: `${trade.market} perpetual`, status }
    : { ...propertyCells(closed, trade), status };
}

function propertyCells(quantity: bigint, { market, sign }: Trade): Cells {
  const side = sign === 1n ? "short" : "long";
  return {
    description_of_property: `${unitsCell(quantity)} ${market} perpetual, ${side}`,
    side,
    quantity: unitsCell(quantity),
  };
}
