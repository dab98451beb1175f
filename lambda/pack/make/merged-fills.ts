import type { Fill } from "../../core/fill.ts";

/** Consecutive fills of one account. */
export interface AccountFills {
  readonly account: string;
  readonly fills: readonly Fill[];
}

/** The fills of an account, in order. */
export interface FillsOf {
  readonly account: string;
  readonly fills: AsyncIterator<readonly Fill[]> | Iterator<readonly Fill[]>;
}

/** The fills of several accounts, in one order. */
export async function* mergedFills(
  parts: readonly FillsOf[],
  compare: (a: Fill, b: Fill) => number,
): AsyncGenerator<AccountFills> {
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
  while (true) {
    const { done, value } = await fills.next();
    if (done === true) {
      return [];
    }
    if (value.length > 0) {
      return value;
    }
  }
}
