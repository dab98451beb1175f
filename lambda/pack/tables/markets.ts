import type { Origin } from "../../accounting/accounts.ts";
import { type Scope, scopesOf } from "../../accounting/cube/scopes.ts";
import type { Holding } from "../../accounting/holdings.ts";
import type { Amount } from "../../core/amount.ts";
import type { PackContext } from "../make/maker.ts";
import { account, currency, market, note, quantity, text } from "./column.ts";
import { convertedColumns, figureColumns } from "./figure-column.ts";
import type { Column, SheetTable } from "./table.ts";
import { whyNot } from "./totals.ts";

const ORIGINS: Readonly<Record<Origin, string>> = {
  assumed_flat: "assumed nil",
  declared: "declared",
  unknown: "not known",
};

/** A sheet of the workbook: each market, with its positions. summary-days.csv has its days. */
export function marketsTable(context: PackContext): SheetTable<Scope> {
  return {
    path: "summary-days.csv",
    description: "",
    columns: [
      account(({ cell }) => cell.account),
      market(({ cell }) => cell.market),
      currency(({ cell }) => cell.currency),
      ofHolding("opening", "Opening position", ({ origin }) => ORIGINS[origin]),
      ofHolding("contract_type", "Contract type", contractTypeOf),
      position("position_at_start", "Position at the start", ({ before }) => before.position),
      position("position_at_end", "Position at the end", ({ after }) => after.position),
      ...figureColumns(({ isCarried }) => isCarried !== true),
      note("incomplete_because", "", whyNot, { width: 40 }),
      ...convertedColumns(context),
    ],
    sheet: {
      title: "Markets",
      about: "A short position is negative.",
      nothing: "No market has fills in the period, or a position at its start or end.",
    },
    rows: { atEnd: ({ sums }) => scopesOf(sums, ["account", "market", "currency"]) },
  };
}

/** Null: funding in a currency in which the market is not settled. */
function holdingOf({ holdings }: Scope): Holding | null {
  return holdings[0] ?? null;
}

function ofHolding(key: string, head: string, of: (holding: Holding) => string): Column<Scope> {
  return text([key, head], "", (row) => {
    const holding = holdingOf(row);
    return holding && of(holding);
  });
}

function position(key: string, head: string, of: (holding: Holding) => Amount | null): Column<Scope> {
  return quantity([key, head], "", (row) => {
    const holding = holdingOf(row);
    return holding && of(holding);
  });
}

/** True: the market is booked as linear although no specification says that it is. */
export function isTakenAsLinear({ contractType, before, after }: Holding): boolean {
  return contractType === null && [before, after].every(({ blank }) => blank !== "unsupported_contract_type");
}

function contractTypeOf(holding: Holding): string {
  return holding.contractType ?? (isTakenAsLinear(holding) ? "assumed linear" : "not stated");
}
