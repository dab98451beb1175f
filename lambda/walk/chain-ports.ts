import type { OpenWindow } from "../archive/manifest.ts";
import type { Ended } from "../archive/manifest-entries.ts";
import type { PageMemory } from "../archive/raw-responses.ts";
import type { Clock } from "../core/clock.ts";
import type { FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import type { Identities } from "../core/identities.ts";
import type { ServiceReader } from "../service/service.ts";
import type { OrderProof } from "./order.ts";

/** Some pages of one chain, and the state of its window after them. */
export interface Segment {
  readonly before: OpenWindow;
  /** The pages, compressed. Call it before the next page is read, or not at all. */
  readonly rawResponses: () => Uint8Array;
  readonly fills: readonly Fill[];
  /**
   * The window's state. It does not list this segment's own raw responses, whose object has no name or hash
   * yet.
   */
  readonly after: OpenWindow;
}

/** The fills that a chain held. */
export type Seen = Pick<Identities, "has">;

export type ChainEnd =
  /**
   * The chain held its whole window. `seen`: its fills. `middle`: about the median of their times; null: no
   * rows.
   */
  | {
      readonly kind: "ended";
      readonly how: Ended;
      readonly seen: Seen;
      readonly middle: number | null;
      /** True when the last page looked cut off, but came the same each time it was asked for. */
      readonly isBelieved: boolean;
    }
  /**
   * The chain is long enough. Where the order of rows is proven, another chain continues from the last row.
   * Otherwise narrower windows read everything again, cut at some of `times`.
   */
  | { readonly kind: "long"; readonly times: readonly number[] }
  /** The service refused the dates. */
  | { readonly kind: "range-refused"; readonly problem: FillbookError }
  /**
   * The service refused its own cursor. `isAtEnd`: the cursor had led to a last page, and was asked again.
   */
  | { readonly kind: "cursor-refused"; readonly status: number; readonly isAtEnd?: true }
  /** A row lies outside the dates that were asked for. The dates or the cursor mean something else. */
  | { readonly kind: "out-of-range"; readonly txCreated: number }
  /** The window cannot be read to its end. */
  | { readonly kind: "failed"; readonly problem: FillbookError };

export interface ChainPorts {
  readonly reader: ServiceReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /**
   * Takes the rows over, synchronously. Called after each full segment, at the end, and before an error
   * leaves.
   */
  readonly emit: (segment: Segment) => void;
  /** Called after each segment except the last one. This is the moment to commit. */
  readonly afterSegment: () => Promise<void>;
  /** Called after each page, with the number of its rows and its fills. */
  readonly onPage: (rows: number, fills: readonly Fill[]) => void;
  /** Called when an answer that looked like the last page was not. */
  readonly onFalseEnd?: () => void;
}

export interface ChainOptions {
  /** Fills that an earlier run read in this window. */
  readonly seen?: Iterable<Fill>;
  /** Learns the order of the rows. Without it, the chain is read to its last page. */
  readonly order?: OrderProof;
  /** The fewest rows of a page that another page followed, by other chains. Undefined: not known. */
  readonly shortest?: number | undefined;
  /** True when this service is known to end answers by mistake. */
  readonly falseEnds?: boolean;
  /** Holds the pages until they are handed over. Without it, the chain has a memory of its own. */
  readonly memory?: PageMemory;
  /** As in PageAsker. */
  readonly servesOnce?: boolean;
  /**
   * True when cursors lose the rest of a millisecond in which a page ends. Then, if rows come in order,
   * another chain continues from the last row of each page, by dates.
   */
  readonly dropsTies?: boolean;
}
