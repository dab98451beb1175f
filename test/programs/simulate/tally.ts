import { HOUR_MS, SECOND_MS } from "../../../lambda/core/time.ts";
import { nothingReached, type Reach } from "./reach.ts";
import type { Outcome } from "./simulate.ts";

export interface Tally {
  scenarios: number;
  failed: number;
  complete: number;
  runs: number;
  requests: number;
  provisional: number;
  operations: number;
  virtualMs: number;
  readonly reach: Reach;
  /** number of scenarios in which each count was above 0 */
  readonly reachedIn: Reach;
  /** incomplete scenarios, by their problem */
  readonly problems: Map<string, number>;
}

export function newTally(): Tally {
  return {
    scenarios: 0,
    failed: 0,
    complete: 0,
    runs: 0,
    requests: 0,
    provisional: 0,
    operations: 0,
    virtualMs: 0,
    reach: nothingReached(),
    reachedIn: nothingReached(),
    problems: new Map(),
  };
}

export function take(tally: Tally, outcome: Outcome): void {
  tally.scenarios += 1;
  tally.failed += outcome.findings.length > 0 ? 1 : 0;
  tally.complete += outcome.complete ? 1 : 0;
  tally.runs += outcome.runs;
  tally.requests += outcome.requests;
  tally.provisional += outcome.provisional;
  tally.operations += outcome.operations.length;
  tally.virtualMs += outcome.virtualMs;
  for (const [name, count] of Object.entries(outcome.reach) as [keyof Reach, number][]) {
    tally.reach[name] += count;
    tally.reachedIn[name] += count > 0 ? 1 : 0;
  }
  if (outcome.problem !== null) {
    tally.problems.set(outcome.problem, (tally.problems.get(outcome.problem) ?? 0) + 1);
  }
}

export function summaryOf(tally: Tally, tookMs: number): string {
  const { scenarios, failed, complete, runs, requests, provisional, operations, virtualMs, problems } = tally;
  const { reach, reachedIn } = tally;
  const said = (name: keyof Reach, what: string) => `${reach[name]} ${what} (in ${reachedIn[name]})`;
  const perSecond = (scenarios / (tookMs / SECOND_MS)).toFixed(1);
  const classes = [...problems].toSorted((a, b) => b[1] - a[1]).map(([text, count]) => `  ${count} × ${text}`);
  return [
    `${scenarios} scenarios (${perSecond} per second): ${failed} failed, ${complete} complete, ${scenarios - complete} incomplete and reported as such`,
    `${runs} runs, ${requests} requests, ${operations} operations, ${(virtualMs / HOUR_MS).toFixed(0)} virtual hours`,
    `${provisional} manifests claimed coverage that was later taken back, because dates or an order proved wrong`,
    [
      said("orderEnds", "windows that ended by order"),
      said("cutsLeft", "cut windows left to the next run"),
      said("demotions", "orders proven and later refuted"),
      said("lookBacks", "look-backs"),
      said("rotations", "rotations"),
      said("restated", "late or changed fills found"),
      said("collections", "collections"),
      said("deleted", "orphans deleted"),
      said("bounded", "runs within the bound on requests"),
    ].join(", "),
    ...classes,
  ].join("\n");
}
