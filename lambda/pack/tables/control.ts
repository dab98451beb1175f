import type { Amount } from "../../core/amount.ts";

/** Two figures that must be equal, calculated in different ways. */
export interface Control {
  readonly control: string;
  readonly account: string;
  readonly currency: string | null;
  readonly market: string | null;
  readonly method: string | null;
  /** What each side is, in words that lead to the columns. */
  readonly leftIs: string;
  readonly rightIs: string;
  /** The most that rounding explains between the sides. Absent: they are equal. */
  readonly within?: Amount;
  /** The two sides, amounts or numbers of fills; or why they cannot be compared. */
  readonly sides: { readonly left: Amount; readonly right: Amount } | { readonly reason: string };
}
