import { expect, test } from "vitest";
import { DAY_MS } from "../../../lambda/core/time.ts";
import type { HistoryOptions } from "../../emulator/history-plan.ts";
import type { Switches } from "../../emulator/switches.ts";
import { patienceMs } from "../../patience.ts";
import { type RunPlan, type Scenario, STORE_FATES, UNDISTURBED } from "./scenario.ts";
import { type Outcome, simulate } from "./simulate.ts";

// A run that finds out that the service differs from its assumptions takes back the coverage that depends on
// them. Whatever happens to its store calls meanwhile, that coverage must stay taken back.

const FROM = Date.UTC(2025, 2, 1);

interface Service {
  readonly account: Partial<HistoryOptions>;
  readonly switches: Partial<Switches>;
}

const SERVICES: Readonly<Record<string, Service>> = {
  "dates by filledAt, three fills of one ms": {
    account: { fills: 3, to: FROM + 864_000, density: "sparse", ties: 3 },
    switches: { filterBy: "filledAt" },
  },
  "dates by filledAt, found out with some covered": {
    account: { fills: 60, to: FROM + 20 * DAY_MS },
    switches: { filterBy: "filledAt", pageLimit: 10, latency: { ms: 1500, jitterMs: 0 } },
  },
  "dates by a time that is never shown": {
    account: { fills: 60, to: FROM + 20 * DAY_MS, filledAt: "none" },
    switches: { filterBy: "updated", pageLimit: 10, latency: { ms: 1500, jitterMs: 0 } },
  },
  "an order that breaks at its end": {
    account: { fills: 200, to: FROM + 30 * DAY_MS },
    switches: { order: "newest-last", pageLimit: 5, latency: { ms: 400, jitterMs: 20 } },
  },
  "cursors that forget the dates": {
    account: { fills: 100, to: FROM + 30 * DAY_MS },
    switches: { cursorDates: "forgotten", pageLimit: 10, latency: { ms: 700, jitterMs: 20 } },
  },
  "answers cut to a week, without dates to a month": {
    account: { fills: 60, to: FROM + 60 * DAY_MS },
    switches: {
      clamp: { widthMs: 7 * DAY_MS, anchor: "end", alsoSingleBound: true, noDatesMs: 30 * DAY_MS },
      pageLimit: 10,
      latency: { ms: 700, jitterMs: 20 },
    },
  },
};

function scenarioOf({ account, switches }: Service, store: RunPlan["store"]): Scenario {
  const whole = { seed: 5, fills: 0, from: FROM, to: FROM, ties: 3, ...account };
  return {
    seed: 0,
    account: whole,
    switches,
    isLive: false,
    settleLagMs: 0,
    lookBackMs: 0,
    nights: { count: 0, everyMs: 0 },
    range: { from: whole.from, to: whole.to },
    storeMs: 40,
    echoesToken: false,
    tokenEndsMs: null,
    runs: [{ ...UNDISTURBED, afterMs: 0, store }],
    isRaced: false,
  };
}

/**
 * The number of the first run's store calls. A line of the operation log has a time, process, call and key.
 */
function callsOf({ operations }: Outcome): number {
  return operations.filter((line) => /^\d+ run1 (get|createNew|replaceIf|list|folders|remove) /.test(line)).length;
}

test.each(Object.entries(SERVICES))(
  "%s: each store call is disturbed, with one or two of the calls after it",
  async (_, service) => {
    const failures: string[] = [];
    const trial = async (at: RunPlan["store"]["at"]): Promise<Outcome> => {
      const outcome = await simulate(0, scenarioOf(service, { rate: 0, fates: [], at }));
      failures.push(...outcome.findings.map((finding) => `${JSON.stringify(at)}: ${finding}`));
      return outcome;
    };
    const calls = callsOf(await trial([]));
    expect(calls).toBeGreaterThan(4);
    for (let call = 0; call < calls; call += 1) {
      for (const fate of STORE_FATES) {
        await trial([{ call, fate }]);
      }
      for (const behind of [1, 2]) {
        await trial([
          { call, fate: "fail-before" },
          { call: call + behind, fate: "fail-before" },
        ]);
      }
    }
    expect(failures).toEqual([]);
  },
  patienceMs(300),
);
