import { identityOf } from "../core/fill.ts";
import { ALL_TIME, isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { PageRequest } from "../service/service.ts";
import { readChain } from "./chain.ts";
import { ignoresDates, tooMany, unread } from "./problems.ts";
import { type FilingSession, type WalkState, WalkStopped } from "./walk-state.ts";

/** More fills of one chain do not fit into memory. */
const MOST_FILLS = 300_000;

interface UndatedOptions {
  readonly isOnce: boolean;
  /** As between any two readings. */
  readonly pause: () => Promise<void>;
  /** Whether a fill is held that was not found: without dates the service may show less. */
  readonly lacks: (found: ReadonlySet<string>) => Promise<boolean>;
}

/** A service that ignores dates has one chain. It is read twice, and what both readings show alike counts. */
export async function readUndated(
  state: WalkState<FilingSession>,
  range: TimeRange,
  { isOnce, pause, lacks }: UndatedOptions,
): Promise<void> {
  const first = await readAll(state, range);
  const isLess = first !== null && (await lacks(first));
  if (first === null || isLess) {
    return isLess ? state.fail(range, ignoresDates(range)) : undefined;
  }
  state.session.file({ fills: [], covers: { ...range, readings: 1, silentIn: null } });
  if (isOnce) {
    return;
  }
  await pause();
  const second = await readAll(state, range);
  if (second !== null && first.symmetricDifference(second).size === 0) {
    state.session.file({ fills: [], covers: { ...range, readings: 2, silentIn: null } });
  } else if (second !== null) {
    state.fail(range, ignoresDates(range));
  }
}

/** Files all rows and gives the identities of those in the range; null: the chain could not be read. */
async function readAll(state: WalkState<FilingSession>, range: TimeRange): Promise<Set<string> | null> {
  const found = new Set<string>();
  const ask = async ({ start }: PageRequest) => {
    await state.session.room();
    const answer = await state.ask(start === undefined ? {} : { start });
    const rows = answer.kind === "page" ? answer.rows : [];
    const fills = rows.flatMap((row) => ("fill" in row ? row.fill : []));
    state.session.file({ fills, covers: null });
    for (const fill of fills.filter(({ txCreated }) => isWithin(range, txCreated))) {
      found.add(identityOf(fill));
    }
    if (found.size > MOST_FILLS) {
      throw new WalkStopped(tooMany(state.pages));
    }
    return answer;
  };
  const limits = { full: Number.POSITIVE_INFINITY, readsOn: true, isOrdered: false, keepsTies: true, now: state.now };
  const { end } = await readChain(ask, ALL_TIME, { ...limits, asked: ALL_TIME });
  if (end.kind === "broken") {
    throw end.cause;
  }
  if (end.kind === "refused") {
    state.fail(range, unread(range, end.refusal));
    return null;
  }
  return found;
}
