import { readArchive } from "../../../lambda/archive/read.ts";
import { verifyArchiveObjects } from "../../../lambda/archive/verify.ts";
import { asFillbookError, type FillbookError } from "../../../lambda/core/errors.ts";
import { covers, intersection, union } from "../../../lambda/core/ranges.ts";
import { DAY_MS, MINUTE_MS, type TimeRange } from "../../../lambda/core/time.ts";
import { Token } from "../../../lambda/core/token.ts";
import type { RunContext, SyncRequest, SyncResult } from "../../../lambda/job/context.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { coveredTwice } from "../../../lambda/walk/plan.ts";
import { createEmulator, type Emulator } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { readCurrent } from "../../support/published.ts";
import { scenarioOf } from "./corpus.ts";
import { mayFool, mostRequests, mustComplete, mustCompleteAtOnce } from "./expectation.ts";
import { Inspector } from "./inspection.ts";
import { SimulatedProcess } from "./process.ts";
import { NOW, type RunPlan, type Scenario, UNDISTURBED } from "./scenario.ts";
import { remembered, type SharedStore, simulatedReader, simulatedStore, simulatedTokens } from "./simulated.ts";

export interface Outcome {
  readonly seed: number;
  /** One sentence for each broken promise; empty if there is none. */
  readonly findings: readonly string[];
  readonly complete: boolean;
  /** A fill was lost because the service twice gave the same wrong answer: no finding, but counted. */
  readonly isFooled: boolean;
  /** Why it stayed incomplete. */
  readonly problem: string | null;
  readonly runs: number;
  readonly requests: number;
  /**
   * What the last run left: the data files' ranges and contents, and what is read twice. The same fills give
   * the same text.
   */
  readonly data: string;
  /** All effects in order, one short line each: the same seed gives the same. */
  readonly operations: readonly string[];
}

/** Longer than any of these services needs, including limits and outages. */
const LONGEST_MS = 120 * DAY_MS;
/** A run that is asked to stop must end within this time. It retries a write whose answer is lost a few times. */
const STOP_MS = 10 * MINUTE_MS;
/** Limits for undisturbed runs: how many may end in the same way, and how many there may be in all. */
const MAX_ALIKE = 2;
const MAX_FINAL_RUNS = 6;
/** No run begins after so many requests: what is not read by then shows nothing new. */
const ENOUGH_REQUESTS = 6000;
/** What the inspector says of fills that the archive lacks. */
const LOST = /fills are lost|did not find/;

/** Simulates the scenario of a seed, or the given one. */
export async function simulate(seed: number, scenario: Scenario = scenarioOf(seed)): Promise<Outcome> {
  return await new Simulation(scenario).run();
}

type RunEnd = { readonly result: SyncResult } | { readonly error: FillbookError } | "killed";

class Simulation {
  readonly #scenario: Scenario;
  readonly #clock = fakeClock({ now: NOW });
  readonly #operations: string[] = [];
  readonly #emulator: Emulator;
  readonly #shared: SharedStore;
  readonly #inspector: Inspector;
  readonly #tokens: readonly string[];
  readonly #processes: SimulatedProcess[] = [];
  readonly #findings: string[] = [];
  readonly #widest: TimeRange;
  #data = "";

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#tokens = ["a", "b"].map((part) => `canary.${part}.${scenario.seed}.${"Zq7Kx0Yw".repeat(4)}`);
    this.#emulator = createEmulator({
      seed: scenario.account.seed,
      history: remembered(makeHistory(scenario.account)),
      switches: scenario.switches,
      tokens: this.#tokens.slice(0, 1),
    });
    const { from, to } = scenario.range;
    this.#widest = { from, to: to ?? NOW + LONGEST_MS };
    this.#shared = { objects: memoryStore("simulated", () => this.#clock.now()), heads: [], underWay: [] };
    const { settleLagMs, lookBackMs } = scenario;
    const settings = { settleLagMs, lookBackMs, secrets: this.#tokens };
    this.#inspector = new Inspector({ ...this.#shared, emulator: this.#emulator, ...settings });
  }

  async run(): Promise<Outcome> {
    let last: SyncResult | null = null;
    try {
      last = await this.#clock.drive(this.#all(), LONGEST_MS);
    } catch (error) {
      // An error of the simulation itself is a finding like the others, because the seed reproduces it.
      this.#findings.push(String((error as Error).stack));
    }
    const outcome = this.#outcome(last);
    // Node keeps a signal that has listeners until it is aborted, and with it everything that a killed
    // process held.
    for (const process of this.#processes) {
      process.stop.abort();
    }
    return outcome;
  }

  #outcome(last: SyncResult | null): Outcome {
    const findings = [...new Set(this.#findings)];
    const isFooled = mayFool(this.#scenario.switches) && findings.some((one) => LOST.test(one));
    return {
      seed: this.#scenario.seed,
      findings: isFooled ? findings.filter((one) => !LOST.test(one)) : findings,
      isFooled,
      complete: last?.complete ?? false,
      problem: last?.problem?.message ?? null,
      runs: this.#processes.length,
      requests: this.#emulator.log.requests,
      data: this.#data,
      operations: this.#operations,
    };
  }

  async #all(): Promise<SyncResult> {
    const { runs, isRaced, nights, tokenEndsMs } = this.#scenario;
    if (tokenEndsMs !== null) {
      const turn = () => this.#emulator.setTokens(this.#tokens.slice(1));
      void this.#clock.sleep(tokenEndsMs).then(turn);
    }
    const ends: Promise<unknown>[] = [];
    for (const plan of runs) {
      const end = this.#runOnce(plan);
      ends.push(end);
      await (isRaced ? undefined : end);
    }
    await Promise.all(ends);
    let last = await this.#undisturbed(MINUTE_MS);
    for (let night = 0; night < nights.count && last.complete; night += 1) {
      last = await this.#undisturbed(nights.everyMs);
    }
    await Promise.all(this.#shared.underWay);
    await this.#inspect();
    await this.#judgeEnd(last);
    return last;
  }

  /** Runs as a nightly job would, until a run is complete or ends in the same way as earlier ones. */
  async #undisturbed(afterMs: number): Promise<SyncResult> {
    const before: string[] = [];
    const range = { ...this.#widest, to: Math.min(this.#widest.to, this.#clock.now() - this.#scenario.settleLagMs) };
    for (let run = 0; ; run += 1) {
      const end = await this.#runOnce({ ...UNDISTURBED, afterMs: run === 0 ? afterMs : MINUTE_MS });
      if (end === "killed" || "error" in end) {
        throw new Error(`an undisturbed run ended with ${end === "killed" ? end : end.error.message}`);
      }
      const { complete, problem, coverage } = end.result;
      const state = JSON.stringify([classOf(problem?.message ?? ""), intersection(range, coveredTwice(coverage))]);
      const isSpent = this.#emulator.log.requests > ENOUGH_REQUESTS;
      const isEnough = isSpent || run === MAX_FINAL_RUNS || before.filter((one) => one === state).length === MAX_ALIKE;
      if (complete || isEnough) {
        return end.result;
      }
      before.push(state);
    }
  }

  async #runOnce(plan: RunPlan): Promise<RunEnd> {
    await this.#clock.sleep(plan.afterMs);
    const seed = this.#scenario.seed;
    const ports = { clock: this.#clock, operations: this.#operations };
    const process = new SimulatedProcess(this.#processes.length + 1, seed, plan, ports);
    this.#processes.push(process);
    const job = this.#jobOf(process, plan);
    const request: SyncRequest = this.#requestOf(plan);
    process.note("begins");
    const ended = syncArchive(job, request).then(
      (result): RunEnd => ({ result }),
      (error: unknown): RunEnd => ({ error: asFillbookError(error) }),
    );
    const end = await Promise.race([ended, process.death]);
    process.note(end === "killed" ? "is dead" : `ends: ${problemOf(end)?.message ?? "complete"}`);
    this.#judgeRun(end, process, plan, request);
    await this.#inspect(end, request.to === undefined && request.pace !== "once");
    return end;
  }

  #requestOf({ range, pace }: RunPlan): SyncRequest {
    const { from, to } = range ?? this.#scenario.range;
    return to === null ? { from, pace } : { from, to, pace };
  }

  #jobOf(process: SimulatedProcess, plan: RunPlan): RunContext {
    const { seed, storeMs, settleLagMs, lookBackMs, echoesToken, tokenEndsMs } = this.#scenario;
    const { clock, random } = process;
    const ports = { clock: this.#clock, seed, plan: plan.store, callMs: storeMs };
    const isOver = () => tokenEndsMs !== null && this.#clock.now() >= NOW + tokenEndsMs;
    const tokens = simulatedTokens(() => new Token(this.#tokens[isOver() ? 1 : 0] ?? ""));
    const service = { emulator: this.#emulator, clock: this.#clock, tokens, echoesToken };
    return {
      account: "main",
      reader: simulatedReader(service, process, plan),
      store: simulatedStore(this.#shared, process, ports),
      packStore: null,
      clock,
      random,
      settleLagMs,
      lookBackMs,
      concurrency: plan.concurrency,
      signal: process.stop.signal,
      report: () => undefined,
    };
  }

  #judgeRun(end: RunEnd, process: SimulatedProcess, plan: RunPlan, request: SyncRequest): void {
    if (end === "killed") {
      return;
    }
    const problem = problemOf(end);
    if (problem?.kind === "fault") {
      this.#findings.push(`${process.name} ended with a fault: ${problem.message} ${problem.stack}`);
    }
    const said = `${problem?.message} ${problem?.hint} ${problem?.stack}`;
    if (this.#tokens.some((token) => said.includes(token.slice(0, 40)))) {
      this.#findings.push(`${process.name} prints the token`);
    }
    if (process.stoppedAt !== null && this.#clock.now() > process.stoppedAt + STOP_MS + (plan.suspend?.ms ?? 0)) {
      this.#findings.push(
        `${process.name} was asked to stop, but continued for ${this.#clock.now() - process.stoppedAt} ms`,
      );
    }
    if (problem !== null && mustCompleteAtOnce(this.#scenario, plan, process.hardFaults)) {
      this.#findings.push(`${process.name} is not complete, although nothing prevented it: ${problem.message}`);
    }
    if ("result" in end) {
      this.#judgeResult(end.result, process, request);
    }
  }

  #judgeResult(result: SyncResult, process: SimulatedProcess, request: SyncRequest): void {
    const { from, to, complete, problem, coverage, requests } = result;
    const most = mostRequests(this.#scenario);
    if (most !== null && requests > most) {
      this.#findings.push(`${process.name} sent ${requests} requests, more than the limit of ${most}`);
    }
    const asked = { from: request.from ?? from, to: request.to ?? to };
    const isCovered = covers(request.pace === "once" ? union(coverage) : coveredTwice(coverage), asked);
    if (complete !== (problem === null) || (complete && !isCovered)) {
      this.#findings.push(`${process.name}: complete is ${complete}, but its problem is ${problem?.message ?? "none"}`);
    }
  }

  async #inspect(end: RunEnd = "killed", looksBack = false): Promise<void> {
    const result = end !== "killed" && "result" in end ? end.result : null;
    const { from, to } = this.#widest;
    const { isLive, settleLagMs } = this.#scenario;
    const within = { from, to: isLive ? this.#clock.now() - settleLagMs : to };
    const now = this.#clock.now();
    const findings = await this.#inspector.inspect({ now, within, ended: result, looksBack });
    this.#findings.push(...findings);
  }

  async #judgeEnd(last: SyncResult): Promise<void> {
    const archive = await readArchive(this.#shared.objects, "main");
    const { dataFiles, coverage } = await readCurrent(this.#shared.objects, "main");
    this.#data = JSON.stringify([
      coveredTwice(coverage),
      dataFiles.map(({ kind, from, to, sha256, fills }) => [kind, from, to, sha256, fills]),
    ]);
    this.#findings.push(...(await verifyArchiveObjects(this.#shared.objects, archive, null)).findings);
    if (!last.complete && mustComplete(this.#scenario)) {
      this.#findings.push(`not complete, although the service can be read: ${last.problem?.message}`);
    }
    const { account, isLive } = this.#scenario;
    // Where no fill is known, a cut may hide all rows (Inspector).
    const isSeen = last.fills > 0 || this.#emulator.switches.clamp === null;
    const isWhole = !isLive && isSeen && last.from <= account.from && last.to >= account.to;
    if (last.complete && isWhole && this.#emulator.unfilable() > 0) {
      this.#findings.push(`complete, although ${this.#emulator.unfilable()} rows of the service cannot be filed`);
    }
    const misdated = this.#emulator.inSeconds().size;
    if (last.complete && isWhole && misdated > 0) {
      this.#findings.push(`complete, although ${misdated} rows of the service have their time in seconds`);
    }
  }
}

function problemOf(end: Exclude<RunEnd, "killed">): FillbookError | null {
  return "error" in end ? end.error : end.result.problem;
}

/** A message without the parts that differ from run to run. */
function classOf(message: string): string {
  return message
    .replaceAll(/\[\S+Z, \S+Z\)/g, "[…)")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
    .replaceAll(/[0-9a-f]{64}/g, "…")
    .replaceAll(/\d+/g, "n");
}
