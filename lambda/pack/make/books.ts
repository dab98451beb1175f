import { Accounts, type AccountsState } from "../../accounting/accounts.ts";
import type { Booked } from "../../accounting/booked.ts";
import type { Methods } from "../../accounting/method.ts";
import type { Fill } from "../../core/fill.ts";
import { declaredFills } from "./adjustments.ts";
import { isLinear } from "./contracts.ts";
import type { DateBy } from "./date-by.ts";
import { fillsOf, type Selected } from "./selection.ts";

export interface BooksPlan {
  /** Sorted by account. */
  readonly accounts: readonly Pick<
    Selected,
    "account" | "manifest" | "readUnit" | "since" | "inputs" | "contractTypes"
  >[];
  readonly basis: DateBy;
  readonly methods: Methods;
  /** See accounts.ts. */
  readonly borders: readonly number[];
}

/** The books of the accounts of a pack, each led from the beginning of its archive, fill by fill in one order. */
export class Books {
  readonly #plan: BooksPlan;
  /** By account. */
  readonly accounts: ReadonlyMap<string, Accounts>;
  /** Fills that count before it are booked, ms UTC. Undefined: none are. */
  #at: number | undefined;

  private constructor(plan: BooksPlan) {
    this.#plan = plan;
    this.accounts = new Map(plan.accounts.map((one) => [one.account, accountsOf(one, plan)]));
  }

  /**
   * The books before the first fill that counts at or after the time, ms UTC. `report` is told what is booked
   * before it.
   */
  static async at(plan: BooksPlan, time: number, report?: (piece: readonly Booked[]) => void): Promise<Books> {
    const books = new Books(plan);
    for await (const piece of books.until(time)) {
      report?.(piece);
    }
    return books;
  }

  /** Books the fills that count before the time, from where the books are on: some of an account at once, in order. */
  async *until(time: number): AsyncGenerator<readonly Booked[]> {
    const { accounts, basis } = this.#plan;
    const parts = accounts.flatMap((source) => {
      const range = { from: this.#at ?? source.since, to: time };
      const declared = declaredFills(source.inputs.adjustments, range); // by time, in the order of the file
      return [fillsOf(source, range, basis), declared.map((fill) => [fill]).values()].map((fills) => ({
        account: source.account,
        fills,
      }));
    });
    for await (const { account, fills } of mergedFills(parts, basis.compare)) {
      const own = this.accounts.get(account);
      yield fills.flatMap((fill) => own?.book(fill) ?? []);
    }
    this.#at = time;
  }

  /** By account, with the declarations up to the time, ms UTC. */
  stateAt(time: number): ReadonlyMap<string, AccountsState> {
    return new Map(
      [...this.accounts].map(([account, own]) => {
        own.advance(time);
        return [account, own.state];
      }),
    );
  }
}

function accountsOf(
  { account, since, inputs, contractTypes }: BooksPlan["accounts"][number],
  plan: BooksPlan,
): Accounts {
  return new Accounts({
    account,
    methods: plan.methods,
    designations: inputs.designations ?? new Map(),
    // A declaration for a time before the continuously covered range does not apply to later positions.
    declared: inputs.openings.filter(({ asOf }) => asOf >= since),
    fromBeginning: !Number.isFinite(since),
    isLinear: (market) => isLinear(contractTypes.get(market)),
    timeOf: plan.basis.timeOf,
    borders: plan.borders,
  });
}

/** The fills of an account, in order, at least one at once. */
interface FillsOf {
  readonly account: string;
  readonly fills: AsyncIterator<readonly Fill[]> | Iterator<readonly Fill[]>;
}

/** The fills of several accounts, in one order. */
async function* mergedFills(
  parts: readonly FillsOf[],
  compare: (a: Fill, b: Fill) => number,
): AsyncGenerator<{ readonly account: string; readonly fills: readonly Fill[] }> {
  const waiting: { readonly part: FillsOf; rest: readonly Fill[] }[] = [];
  for (const part of parts) {
    waiting.push({ part, rest: await nextOf(part) });
  }
  while (true) {
    const [first, second] = waiting
      .filter(({ rest }) => rest.length > 0)
      .sort((a, b) => compare(a.rest[0] as Fill, b.rest[0] as Fill));
    if (first === undefined) {
      return;
    }
    const limit = second?.rest[0];
    const later = limit === undefined ? -1 : first.rest.findIndex((fill, at) => at > 0 && compare(fill, limit) > 0);
    const fills = later === -1 ? first.rest : first.rest.slice(0, later);
    yield { account: first.part.account, fills };
    first.rest = later === -1 ? await nextOf(first.part) : first.rest.slice(later);
  }
}

/** Empty: there are no more. */
async function nextOf({ fills }: FillsOf): Promise<readonly Fill[]> {
  const { value } = await fills.next();
  return value ?? [];
}
