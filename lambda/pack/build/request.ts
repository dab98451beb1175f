import type { Method } from "../../accounting/method.ts";
import type { Period } from "../../core/period.ts";
import type { Inputs } from "../../inputs/inputs.ts";
import type { Store } from "../../storage/store.ts";
import type { DateByName } from "./date-by.ts";
import type { ReadRestatements } from "./restatements.ts";
import type { Source } from "./selection.ts";

/** What a pack should be, and what it is made from. */
export interface PackRequest extends Source {
  /** The archive's. */
  readonly store: Store;
  /** The store for packs: the archive's, or another one. */
  readonly packStore: Store;
  readonly account: string;
  readonly period: Period;
  readonly method: Method;
  /** True: the user chose the method, so what is filed depends on no default. */
  readonly isMethodChosen: boolean;
  readonly basis: DateByName;
  /** The currency into which amounts are also converted. Null: none. */
  readonly currency: string | null;
  readonly inputs: Inputs;
  /** By market, from the service. A market that is not listed is treated as linear. */
  readonly contractTypes: ReadonlyMap<string, string | null>;
  /**
   * No account has fills before this time, ms UTC. An archive that covers everything since then begins with
   * flat positions.
   */
  readonly beginning: number;
  /**
   * True: make the pack even if the period is not complete. Its names then say INCOMPLETE, and it is never
   * the latest.
   */
  readonly allowIncomplete: boolean;
  readonly readRestatements: ReadRestatements;
  /**
   * Called with the number of fills written, after every batch, and then with each file before it is ended.
   */
  readonly report?: (fills: number, file?: string) => void;
}
