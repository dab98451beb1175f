import { FillbookError } from "../../core/errors.ts";
import type { Fill } from "../../core/fill.ts";
import { type Double, type HeldDataFile, HeldTwice } from "../../fills/held-twice.ts";
import { DATE_BY, type DateBy } from "../build/date-by.ts";
import type { PackRequest } from "../build/request.ts";
import { fillsOf, unorderedFillsOf } from "../build/selection.ts";

/** Consecutive fills of one account. */
export interface AccountFills {
  readonly account: string;
  readonly fills: readonly Fill[];
}

/**
 * The fills of a period of several accounts, in one order. A fill belongs to one account. Throws `untrusted`
 * if two archives hold the same fill, as they do if one trader's token was used for both. Fills before the
 * period are checked too, because positions and costs come from them.
 */
export async function* mergedFills(requests: readonly PackRequest[]): AsyncGenerator<AccountFills> {
  const basis = DATE_BY[requests[0]?.basis ?? "fill"];
  await refuseShared(requests, basis);
  yield* merged(requests, basis);
}

/**
 * Compares ids only. The times of a fill may differ between archives, for example after a correction between
 * two walks.
 */
async function refuseShared(requests: readonly PackRequest[], basis: DateBy): Promise<void> {
  const heldTwice = new HeldTwice(requests.reduce((sum, { manifest }) => sum + manifest.fills, 0));
  for await (const { fills } of unordered(requests, basis)) {
    heldTwice.add(fills);
  }
  const [double] = await heldTwice.doubles(() => unordered(requests, basis));
  if (double !== undefined) {
    throw refusal(double);
  }
}

async function* unordered(requests: readonly PackRequest[], basis: DateBy): AsyncGenerator<HeldDataFile> {
  for (const request of requests) {
    const range = { from: Number.NEGATIVE_INFINITY, to: request.period.to };
    for await (const { fills } of unorderedFillsOf(request, range, basis)) {
      yield { key: request.account, fills };
    }
  }
}

async function* merged(requests: readonly PackRequest[], basis: DateBy): AsyncGenerator<AccountFills> {
  const cursors: Cursor[] = [];
  for (const request of requests) {
    const cursor = new Cursor(request.account, fillsOf(request, request.period, basis));
    await cursor.read();
    cursors.push(cursor);
  }
  while (true) {
    const [next, after] = cursors
      .filter(({ head }) => head !== null)
      .sort((a, b) => basis.compare(a.head as Fill, b.head as Fill));
    if (next === undefined) {
      return;
    }
    yield { account: next.account, fills: next.takeBefore(after, basis) };
    await next.read();
  }
}

/** The part of an account that was not merged yet. */
class Cursor {
  readonly account: string;
  readonly #source: AsyncGenerator<readonly Fill[]>;
  #batch: readonly Fill[] = [];
  #at = 0;

  constructor(account: string, source: AsyncGenerator<readonly Fill[]>) {
    this.account = account;
    this.#source = source;
  }

  /** Null: nothing is left, or it must be read first. */
  get head(): Fill | null {
    return this.#batch[this.#at] ?? null;
  }

  /** Makes sure that there is a head if anything is left. */
  async read(): Promise<void> {
    while (this.head === null) {
      const next = await this.#source.next();
      if (next.done === true) {
        return;
      }
      this.#batch = next.value;
      this.#at = 0;
    }
  }

  /** The available fills before the head of another account. Undefined: there is no other. */
  takeBefore(other: Cursor | undefined, { compare }: DateBy): readonly Fill[] {
    const from = this.#at;
    const limit = other?.head ?? null;
    while (this.head !== null && (limit === null || compare(this.head, limit) < 0)) {
      this.#at += 1;
    }
    if (this.head !== null && limit !== null && compare(this.head, limit) === 0) {
      throw refusal({ fill: this.head, keys: [this.account, other?.account ?? ""] });
    }
    return this.#batch.slice(from, this.#at);
  }
}

function refusal({ fill: { matchId, orderId }, keys }: Double): FillbookError {
  const accounts = keys.toSorted();
  return new FillbookError(
    "untrusted",
    `match ${matchId}, order ${orderId} is in the archives of ${accounts.join(" and ")}, so a pack of these accounts would count it twice`,
    {
      hint: "most likely, the token of one trader was used for both accounts: find out which archive holds the wrong fills, and export the other account by itself",
    },
  );
}
