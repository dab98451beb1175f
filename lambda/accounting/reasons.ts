import type { UnknownReason } from "./booked.ts";
import type { Why } from "./cube/scopes.ts";

interface Reason {
  /** Follows "because"; its "it" is the market. */
  readonly clause: string;
  readonly sentence: string;
  /** A sentence: what to do. */
  readonly remedy: string;
}

/** Why PnL is not known, for people. */
export const REASONS: Readonly<Record<UnknownReason, Reason>> = {
  opening_unknown: {
    clause: "its opening position is not known",
    sentence:
      "The opening position is not known: the records do not start with the account, and no opening position was declared.",
    remedy:
      "Declare its opening position in opening-positions.csv, or read the account from its beginning, and make the pack again.",
  },
  quantity_known_cost_unknown: {
    clause: "its position was declared without a price",
    sentence: "The position was declared without a price. PnL is known after the position has been flat.",
    remedy: "Add the average price of that position to opening-positions.csv and make the pack again.",
  },
  break_declared: {
    clause: "some of its fills are missing, as declared in opening-positions.csv",
    sentence: "Some fills are missing, as declared in opening-positions.csv. PnL is not known for that time.",
    remedy: "Take the PnL of that time from another record: no pack can calculate it.",
  },
  market_incomplete: {
    clause: "one of its fills cannot be read as a trade",
    sentence: "A fill cannot be read as a trade. PnL is not known after it until a position is declared.",
    remedy:
      "Declare the position after the last such fill in opening-positions.csv, unless that is done, and make the pack again: exceptions.csv names each. PnL of such a fill itself stays unknown.",
  },
  unsupported_contract_type: {
    clause: "it is not a linear contract, or not known to be one",
    sentence: "The contract is not linear, or not known to be linear. PnL is calculated for linear contracts only.",
    remedy: "Calculate its PnL in another way: no pack can.",
  },
};

/** Null: a file was not given, which no file of a pack repeats. */
function reasonOf(why: Why): Reason | null {
  if (why === "not_given") {
    return null;
  }
  return REASONS[why === "unreadable_fills" ? "market_incomplete" : why];
}

/** A clause that follows "because"; its "it" is the market. */
export function reasonText(why: Why): string {
  return reasonOf(why)?.clause ?? "no file was given";
}

/** What to do where PnL is not known: sentences. */
export function remedyText(whys: readonly Why[]): string {
  return [...new Set(whys.flatMap((why) => reasonOf(why)?.remedy ?? []))].join(" ");
}
