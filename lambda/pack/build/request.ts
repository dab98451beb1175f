import type { Method } from "../../accounting/method.ts";
import type { ManifestIndex } from "../../archive/index/manifest-index.ts";
import type { Manifest } from "../../archive/manifest.ts";
import type { Period } from "../../core/period.ts";
import type { Inputs } from "../../inputs/inputs.ts";
import type { Store } from "../../storage/store.ts";
import type { DateByName } from "./date-by.ts";
import type { ReadRestatements } from "./restatements.ts";
import type { ReadDataFile } from "./selection.ts";

/** What a pack is asked to be, and what it is made from. */
export interface PackRequest {
  /** The archive's. */
  readonly store: Store;
  /** The pack's own: the archive's, or another. */
  readonly packStore: Store;
  readonly account: string;
  readonly manifest: Manifest;
  /** What the manifest names. */
  readonly manifestIndex: ManifestIndex;
  readonly period: Period;
  readonly method: Method;
  /** The user chose it: what is filed rests on no default. */
  readonly isMethodChosen: boolean;
  readonly basis: DateByName;
  /** What amounts are converted into beside their own currency; null: nothing is. */
  readonly currency: string | null;
  /** With columns and a file that inform, and file nothing: days held, possible wash sales, what could be carried forward. */
  readonly information: boolean;
  readonly inputs: Inputs;
  /** By market, as the service said; what is not there is taken to be linear. */
  readonly contractTypes: ReadonlyMap<string, string | null>;
  /** Before this, ms UTC, no account has fills: an archive that covers all since then begins with flat positions. */
  readonly beginning: number;
  /** The period is not, or may not be, complete, and its pack is wanted all the same: its names say INCOMPLETE, and it is never the latest. */
  readonly allowIncomplete: boolean;
  readonly readDataFile: ReadDataFile;
  readonly readRestatements: ReadRestatements;
  /** Told the number of fills written, after every batch, and then each file that is being ended. */
  readonly report?: (fills: number, file?: string) => void;
}
