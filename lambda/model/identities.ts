import { type Fill, identityOf } from "./fill.ts";

type Identified = Pick<Fill, "matchId" | "orderId">;

/**
 * Numbers identities from 0, in the order in which they come. Most matches have one order of the account: they are told by `matchId` alone, which spares
 * a joined text for each fill.
 */
export class Identities {
  /** The number of the first order of each match. */
  readonly #firsts = new Map<string, number>();
  /** Numbers of further orders, by identity. */
  readonly #others = new Map<string, number>();
  /** By number. */
  readonly #orderIds: string[] = [];

  get size(): number {
    return this.#orderIds.length;
  }

  has(fill: Identified): boolean {
    return this.numberOf(fill) !== undefined;
  }

  numberOf(fill: Identified): number | undefined {
    const first = this.#firsts.get(fill.matchId);
    return first === undefined || this.#orderIds[first] === fill.orderId ? first : this.#others.get(identityOf(fill));
  }

  /** Its number: less than `size` was before when it is not new. */
  add(fill: Identified): number {
    const first = this.#firsts.get(fill.matchId);
    if (first === undefined) {
      return this.#number(this.#firsts, fill.matchId, fill);
    }
    if (this.#orderIds[first] === fill.orderId) {
      return first;
    }
    const identity = identityOf(fill);
    return this.#others.get(identity) ?? this.#number(this.#others, identity, fill);
  }

  #number(numbers: Map<string, number>, key: string, { orderId }: Identified): number {
    numbers.set(key, this.size);
    return this.#orderIds.push(orderId) - 1;
  }
}
