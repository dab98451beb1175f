import { type Fill, identityOf } from "./fill.ts";
import { getOrMake } from "./get-or-make.ts";

type Identified = Pick<Fill, "matchId" | "orderId">;

/** Numbers identities from 0, in the order in which they are added. */
export class Identities {
  readonly #numbers = new Map<string, number>();

  static of(fills: Iterable<Identified>): Identities {
    const all = new Identities();
    for (const fill of fills) {
      all.add(fill);
    }
    return all;
  }

  get size(): number {
    return this.#numbers.size;
  }

  has(fill: Identified): boolean {
    return this.#numbers.has(identityOf(fill));
  }

  numberOf(fill: Identified): number | undefined {
    return this.#numbers.get(identityOf(fill));
  }

  /** The number of the identity. It is new if the number is at least the `size` before. */
  add(fill: Identified): number {
    return getOrMake(this.#numbers, identityOf(fill), () => this.#numbers.size);
  }

  /** Adds all of them and returns those that are new. */
  addNew<F extends Identified>(fills: readonly F[]): readonly F[] {
    return fills.filter((fill) => {
      const known = this.size;
      return this.add(fill) === known;
    });
  }
}
