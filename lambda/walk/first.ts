import { halves, widthOf, without } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { Workers } from "../core/workers.ts";
import { windowsOf } from "./plan.ts";
import type { FilingSession, WalkState } from "./walk-state.ts";

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
  const workers = new Workers({
    workers: job.concurrency,
    hasRoom: () => job.reader.hasRoom(),
    take: () => {
      const window = unread.pop();
      return window === undefined ? null : () => read(window);
    },
  });
  const areIdle = () => workers.areIdle && unread.length < job.concurrency;
  state.onPage = () => workers.notify();
  await workers.run();

  async function read(window: TimeRange): Promise<void> {
    await session.room();
    const answer = await state.read(window, { mostPages: () => (areIdle() ? FEW_PAGES : MOST_PAGES) }, true);
    const { end } = answer;
    const rest = end.kind === "rest" ? end.rest : null;
    const covers = { ...(rest === null ? window : without(window, rest)), readings: 1 as const, silentIn: null };
    const fills = [...answer.fills.values()];
    session.file({ fills, covers: end.kind === "refused" ? null : covers, requests: answer.pages });
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
