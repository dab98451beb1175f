import type { Owner } from "../../../lambda/core/owner.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { historyItems, historyOf, makeHistory } from "../../emulator/history.ts";
import type { Density } from "../../emulator/history-plan.ts";
import { makeBench, NOW } from "../../support/job.ts";

/** An account that is walked from its beginning, which the run must find, and in the nights after that. */
export interface WholeAccount {
  readonly fills: number;
  /** The fills lie in this many days before the first run. */
  readonly days: number;
  readonly shape: Density;
  readonly seed: number;
}

export interface WholeCost {
  /**
   * Requests of the first run (`first`), of a night with nothing new within the look-back (`quiet`), and of a
   * night with 10 new fills (`busy`).
   */
  readonly first: number;
  readonly quiet: number;
  readonly busy: number;
  /** As `quiet`, with a token that does not name its trader. */
  readonly unnamed: number;
  readonly isWhole: boolean;
}

/** Measures a service as plain as the interface says, newest first. The runs are given no dates. */
export async function wholeCostOf(account: WholeAccount): Promise<WholeCost> {
  const named = await nightsOf(account, { address: "https://service.example", subject: "one" });
  const unnamed = await nightsOf(account, null);
  return { ...named, unnamed: unnamed.quiet, isWhole: named.isWhole && unnamed.isWhole };
}

async function nightsOf({ fills, days, shape, seed }: WholeAccount, owner: Owner | null) {
  const first = makeHistory({ seed, fills, from: NOW - days * DAY_MS, to: NOW, density: shape });
  const later = { from: NOW + 8.2 * DAY_MS, to: NOW + 8.9 * DAY_MS };
  const history = historyOf([...historyItems(first), ...historyItems(makeHistory({ seed: 7, fills: 10, ...later }))]);
  const { job, clock } = makeBench({
    history,
    job: { lookBackMs: 7 * DAY_MS, owner: () => Promise.resolve(owner) },
  });
  const requests: number[] = [];
  let isWhole = true;
  for (let night = 0; night <= 9; night += 1) {
    const before = job.reader.counts.requests;
    const { complete } = await syncArchive(job, {});
    isWhole &&= complete;
    requests.push(job.reader.counts.requests - before);
    await clock.sleep(DAY_MS);
  }
  const [run = 0] = requests;
  // The seventh night also walks a piece of the older times. The sixth has neither that nor new fills.
  return { first: run, quiet: requests[6] ?? 0, busy: requests[9] ?? 0, isWhole };
}
