import { pagesKey, sha256Of } from "../../lambda/archive/keys.ts";
import { emptyManifest } from "../../lambda/archive/manifest.ts";
import type { ArchiveSession } from "../../lambda/archive/session.ts";
import type { Clock } from "../../lambda/core/clock.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import type { TimeRange } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { makeBench, NOW } from "./job.ts";
import { namedRandom } from "./prng.ts";
import { bytes } from "./store-text.ts";

const { checkpoint: CHECKPOINT } = emptyManifest("main");
const ENDED = { pages: 1, duplicates: 0, ended: "no-last", pagesHash: "ab" } as const;

/** Runs of an archive without a service. The test chooses what they commit. */
export class ArchiveRuns {
  now = NOW;
  protected runs = 0;
  #slept = 0;

  /** Like a machine that was suspended: a test moves only the wall time. */
  readonly clock: Clock = {
    now: () => this.now,
    monotonic: () => this.#slept,
    sleep: (ms) => {
      this.now += ms;
      this.#slept += ms;
      return Promise.resolve();
    },
  };

  /** The context of the next run. */
  protected contextOf(fields: Partial<RunContext>): RunContext {
    this.runs += 1;
    const { job } = makeBench({ history: [], job: { ...fields, clock: this.clock } });
    return { ...job, holder: `host:${this.runs}:a`, random: namedRandom(`run-${this.runs}`) };
  }
}

/** Files fills and covers `ranges`, with raw responses of their own. */
export async function commit(
  session: ArchiveSession,
  fills: readonly Fill[],
  ranges: readonly [TimeRange, ...TimeRange[]],
): Promise<void> {
  const body = bytes(JSON.stringify(fills));
  const key = pagesKey("main", ranges[0], 0, { epoch: session.epoch, sha256: sha256Of(body) });
  const finished = ranges.map((range) => ({ ...range, ...ENDED, rawResponses: [key] }));
  await session.commit({ incomingFills: fills, rawResponses: [{ key, body }], finished, checkpoint: CHECKPOINT });
}
