import type { UnknownReason } from "./booked.ts";
import type { Why } from "./cube/scopes.ts";

/** Why PnL is not known, for people. `clause` follows "because"; its "it" is the market. */
export const REASONS: Readonly<Record<UnknownReason, { readonly clause: string; readonly sentence: string }>> = {
  opening_unknown: {
    clause: "its opening position is not known",
    sentence:
      "The opening position is not known: the records do not start with the account, and no opening position was declared.",
  },
  quantity_known_cost_unknown: {
    clause: "its opening position was declared without a price",
    sentence: "The opening position was declared without a price. PnL is known after the position has been flat.",
  },
  break_declared: {
    clause: "some of its fills are missing, as declared in opening-positions.csv",
    sentence: "Some fills are missing, as declared in opening-positions.csv. PnL is not known for that time.",
  },
  market_incomplete: {
    clause: "one of its fills cannot be read as a trade",
    sentence: "A fill cannot be read as a trade. PnL is not known after it until a position is declared.",
  },
  unsupported_contract_type: {
    clause: "it is not a linear contract, or not known to be one",
    sentence: "The contract is not linear, or not known to be linear. PnL is calculated for linear contracts only.",
  },
};

/** A clause that follows "because"; its "it" is the market. */
export function reasonText(why: Why): string {
  switch (why) {
    case "unreadable_fills":
      return REASONS.market_incomplete.clause;
    case "not_given":
      return "no file was given";
    default:
      return REASONS[why].clause;
  }
}
