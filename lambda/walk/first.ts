import { sha256Of } from "../archive/keys.ts";
import { ALL_TIME, halves, isWithin, widthOf, without } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { PageRequest } from "../service/service.ts";
import { readChain } from "./chain.ts";
import { windowsOf } from "./plan.ts";
import { tooMany, unread as unreadable } from "./problems.ts";
import { type FilingSession, type WalkState, WalkStopped } from "./walk-state.ts";

/** A chain in order leaves the rest of its window to others after so many pages; while workers are idle, sooner. */
const MOST_PAGES = 16;
const FEW_PAGES = 2;
/** A rest with fewer pages is not halved for an idle worker. */
const LEAST_PAGES = 8;
/** A narrower rest is not halved, ms. */
const SPLIT_MS = 1000;

/** The first reading: windows and cursors, many chains at once. Each is filed, with what it covers, as it ends. */
export async function readFirst(state: WalkState<FilingSession>, gaps: readonly TimeRange[]): Promise<void> {
  const { job, session } = state;
  const unread = gaps.flatMap(windowsOf).sort((a, b) => a.to - b.to); // the newest is taken first
  const workers = state.workers(() => {
    const window = unread.pop();
    return window === undefined ? null : () => read(window);
  });
  const areIdle = () => workers.areIdle && unread.length < job.concurrency;
  await workers.run();

  async function read(window: TimeRange): Promise<void> {
    await session.room();
    const answer = await state.read(window, { mostPages: () => (areIdle() ? FEW_PAGES : MOST_PAGES) }, true);
    const { end } = answer;
    const rest = end.kind === "rest" ? end.rest : null;
    const covers = { ...(rest === null ? window : without(window, rest)), readings: 1 as const, silentIn: null };
    session.file({ fills: answer.rows, covers: end.kind === "refused" ? null : covers, requests: answer.pages });
    if (end.kind === "refused") {
      unread.push(...(await state.after(window, end.refusal)).toReversed());
      return;
    }
    unread.push(...partsOf(rest, areIdle(), (answer.pages * widthOf(rest ?? window)) / widthOf(covers)));
    state.windowsDone += 1;
  }
}

/** `pages`: about how many are left. Each chain wastes half a page at its end. */
function partsOf(rest: TimeRange | null, isIdle: boolean, pages: number): readonly TimeRange[] {
  const isSplit = isIdle && pages >= LEAST_PAGES && rest !== null && widthOf(rest) > SPLIT_MS;
  return isSplit ? halves(rest) : [rest ?? []].flat();
}

/** More fills of one chain do not fit into memory. */
const MOST_FILLS = 300_000;

/** A service that ignores dates has one chain. Files all its rows. → of each fill of the range, the hash of its row */
export async function readUndated(state: WalkState<FilingSession>, range: TimeRange): Promise<Map<string, string>> {
  const { job, session, contradicted, fillsSeen } = state;
  const ask = async ({ start }: PageRequest) => {
    await session.room();
    const answer = await state.ask(start === undefined ? {} : { start });
    const rows = answer.kind === "page" ? answer.rows : [];
    session.file({ fills: rows.flatMap((row) => ("fill" in row ? row.fill : [])), covers: null });
    if (state.fillsSeen > fillsSeen + MOST_FILLS) {
      throw new WalkStopped(tooMany(state.pages));
    }
    return answer;
  };
  const limits = { full: Number.POSITIVE_INFINITY, readsOn: true, isOrdered: false, keepsTies: true, contradicted };
  const { end, fills } = await readChain(ask, ALL_TIME, { ...limits, asked: ALL_TIME, now: job.clock.now() });
  if (end.kind === "broken") {
    throw end.cause;
  }
  if (end.kind === "refused") {
    await state.setAside(range, end.refusal);
    throw new WalkStopped(unreadable(range, end.refusal));
  }
  const own = [...fills].filter(([, { txCreated }]) => isWithin(range, txCreated));
  return new Map(own.map(([identity, { row }]) => [identity, sha256Of(row)]));
}
