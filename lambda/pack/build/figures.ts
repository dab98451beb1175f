import type { StatedBalance } from "../../inputs/balances.ts";
import type { Described } from "../catalogue/datapackage.ts";
import type { ShownFills } from "../files/report/shown-trades.ts";
import type { Closing, PackContext } from "./maker.ts";

/** What is known of a finished pack, for a pack of several accounts. */
export interface PackFigures {
  readonly context: PackContext;
  readonly closing: Closing;
  readonly kept: ShownFills;
  /** Of balances.csv, by time. */
  readonly balances: readonly StatedBalance[];
  /** All files except the checksums. */
  readonly files: readonly Described[];
}
