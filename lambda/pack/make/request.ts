import type { Method } from "../../accounting/method.ts";
import type { Manifest, RestatementFile } from "../../archive/manifest.ts";
import type { Unit } from "../../archive/read.ts";
import type { SeenRestatement } from "../../archive/restatements.ts";
import type { Fill } from "../../core/fill.ts";
import type { Period } from "../../core/period.ts";
import type { TimeRange } from "../../core/time.ts";
import type { InputFile } from "../../inputs/files.ts";
import type { Inputs } from "../../inputs/inputs.ts";
import type { Store } from "../../storage/store.ts";
import type { AccountSettings } from "./account-settings.ts";
import type { DateByName } from "./date-by.ts";

/** The archive that fills are read from. */
export interface Source {
  readonly manifest: Manifest;
  /** Iterating over it may make its fills anew. */
  readonly readUnit: (unit: Unit) => Promise<Iterable<Fill>>;
}

/** What the pack takes of one account. */
export interface PackSource extends Source {
  readonly account: string;
  readonly inputs: Inputs;
  /** By market, from the service. A market that is not listed is treated as linear. */
  readonly contractTypes: ReadonlyMap<string, string | null>;
  readonly readRestatements: (file: RestatementFile) => Promise<readonly SeenRestatement[]>;
  /** When a range had been read twice, ms UTC: see archive/read-twice.ts. */
  readonly readTwiceAt: (range: TimeRange) => Promise<number | null>;
}

/** What a pack should be, and what it is made from. */
export interface PackRequest {
  /** The account, or the name of a group of accounts. */
  readonly name: string;
  /** At least one, sorted. */
  readonly accounts: readonly PackSource[];
  /** The folder of the user's files for all accounts, for messages. */
  readonly location: string;
  /** The user's files, as they are copied into the pack. */
  readonly files: readonly Pick<InputFile, "name" | "bytes" | "sha256">[];
  readonly settings: AccountSettings;
  readonly packStore: Store;
  readonly period: Period;
  readonly method: Method;
  /** True: the user chose the method, so what is filed depends on no default. */
  readonly isMethodChosen: boolean;
  readonly basis: DateByName;
  /** The currency into which amounts are also converted. Null: none. */
  readonly currency: string | null;
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
  /**
   * Called with the number of fills written, after every batch, and then with each file before it is ended.
   */
  readonly report?: (fills: number, file?: string) => void;
}
