import type { OpenWindow } from "../archive/manifest.ts";
import type { Ended } from "../archive/manifest-entries.ts";
import type { PageMemory } from "../archive/raw-responses.ts";
import type { Clock } from "../core/clock.ts";
import type { FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import type { Identities } from "../core/identities.ts";
import type { ServiceReader } from "../service/service.ts";
import type { OrderProof } from "./order.ts";

/** Pages of one chain, and where the window stands after them. */
export interface Segment {
  readonly before: OpenWindow;
  /** Its pages, compressed. To be asked for before another page is read, or never. */
  readonly evidence: () => Uint8Array;
  readonly fills: readonly Fill[];
  /** Without this segment's own evidence object, which has no name yet, and no hash. */
  readonly after: OpenWindow;
}

/** Which fills a chain held. */
export type Seen = Pick<Identities, "has">;

export type ChainEnd =
  /** The chain held all of its window; `seen` are those that it held, `middle` is about the median of their times, null: none. */
  | {
      readonly kind: "ended";
      readonly how: Ended;
      readonly seen: Seen;
      readonly middle: number | null;
      /** Its end could have been a mistake, and is believed because it came each time. */
      readonly isBelieved: boolean;
    }
  /** It is long enough; by the proven order of its rows another chain goes on from the last, or else narrower ones read all of it, cut at some of `times`. */
  | { readonly kind: "long"; readonly times: readonly number[] }
  /** The service does not take the dates. */
  | { readonly kind: "range-refused"; readonly problem: FillbookError }
  /** The service did not take its own cursor. `isAtEnd`: it had led to a last page, and was asked for again. */
  | { readonly kind: "cursor-refused"; readonly status: number; readonly isAtEnd?: true }
  /** A row lies outside what was asked: the dates, or the cursor, do not mean what they seem. */
  | { readonly kind: "stray"; readonly txCreated: number }
  /** The window cannot be read to its end. */
  | { readonly kind: "failed"; readonly problem: FillbookError };

export interface ChainPorts {
  readonly reader: ServiceReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes the rows over, at once: after every full segment, at the end, and before an error leaves. */
  readonly emit: (segment: Segment) => void;
  /** Called after a segment that is not the chain's last: the moment to commit. */
  readonly settle: () => Promise<void>;
  /** After every page: how many rows it had, and the fills among them. */
  readonly onPage: (rows: number, fills: readonly Fill[]) => void;
  /** An answer that seemed to be the last was none. */
  readonly onFalseEnd?: () => void;
}

export interface ChainOptions {
  /** Fills that an earlier run read in this window. */
  readonly seen?: Iterable<Fill>;
  /** Learns from the order of the rows; absent: the chain is read to its last page whatever the order. */
  readonly order?: OrderProof;
  /** Least rows of a page that another may follow, by other chains; absent: not known. */
  readonly shortest?: number | undefined;
  /** Ends that were none are known of the service. */
  readonly falseEnds?: boolean;
  /** For its pages until they are evidence; absent: of its own. */
  readonly memory?: PageMemory;
  /** As of PageAsker. */
  readonly servesOnce?: boolean;
  /** Cursors leave out the rest of a millisecond in which a page ends: where the rows come in order, another chain goes on from each page's last row, by dates. */
  readonly dropsTies?: boolean;
}
