import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { start } from "../../cli/child.ts";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { type RunningEmulator, startEmulator } from "../../emulator/server.ts";
import { type Counts, countRows } from "./count.ts";
import { beginningOf, type Service } from "./services.ts";
import type { Place, Tool } from "./tools.ts";

/** Maximum number of runs. A run that reports a failure is repeated, as a person or a schedule would do. */
const MOST_RUNS = 3;
/** Ends a run that does not end by itself. */
const RUN_LIMIT_MS = 120_000;

export interface Run {
  /** null: killed */
  readonly code: number | null;
  readonly seconds: number;
  readonly requests: number;
  /** user and system; 0 for a killed process, which cannot report it */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
  readonly stderr: string;
}

/** One tool with one service, from nothing to the rows that it keeps at the end. */
export interface Trial {
  readonly tool: string;
  readonly service: string;
  readonly runs: readonly Run[];
  readonly counts: Counts;
}

export async function tryTool(tool: Tool, service: Service): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), "fillbook-compare-"));
  const clock = serviceClock();
  const running = await startEmulator({ history: service.history, switches: service.switches, now: clock.now });
  const place: Place = {
    accountUrl: running.accountUrl,
    token: SAMPLE_TOKEN,
    sinceMs: beginningOf(service),
    folder,
  };
  const stage: Stage = { tool, place, running, clock };
  try {
    const runs: Run[] = [];
    if (service.killedAt !== undefined) {
      const { killedAt } = service;
      runs.push(await runOnce(stage, (kill) => clock.atRequest(killedAt, kill)));
    }
    runs.push(...(await runUntilDone(stage)));
    if (service.later !== undefined) {
      running.emulator.setSwitches(service.later);
      clock.aheadMs = DAY_MS;
      runs.push(...(await runUntilDone(stage)));
    }
    const counts = countRows(await tool.held(place), running.emulator.truthItems(Date.now() + clock.aheadMs));
    return { tool: tool.name, service: service.name, runs, counts };
  } finally {
    await running.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Stage {
  readonly tool: Tool;
  readonly place: Place;
  readonly running: RunningEmulator;
  readonly clock: ServiceClock;
}

async function runUntilDone(stage: Stage): Promise<readonly Run[]> {
  const runs: Run[] = [];
  while (runs.length < MOST_RUNS && runs.at(-1)?.code !== 0) {
    runs.push(await runOnce(stage));
  }
  return runs;
}

async function runOnce(
  { tool, place, running, clock }: Stage,
  whenStarted: (kill: () => void) => void = () => undefined,
): Promise<Run> {
  const usage = join(place.folder, "usage.json");
  await rm(usage, { force: true });
  const { program, args, environment } = tool.command(place);
  const before = running.emulator.log.requests;
  const startedAt = performance.now();
  const { child, ended } = start(program, args, {
    environment: { ...environment, USAGE: usage, AHEAD_MS: String(clock.aheadMs) },
    cwd: place.folder,
  });
  const kill = () => {
    child.kill("SIGKILL");
  };
  const limit = setTimeout(kill, RUN_LIMIT_MS);
  whenStarted(kill);
  const { code, stderr } = await ended;
  clearTimeout(limit);
  return {
    code,
    seconds: (performance.now() - startedAt) / 1000,
    requests: running.emulator.log.requests - before,
    ...(existsSync(usage) ? JSON.parse(readFileSync(usage, "utf8")) : { cpuSeconds: 0, peakBytes: 0 }),
    stderr,
  };
}

/** The service's clock, which also counts the requests. */
interface ServiceClock {
  /** How far it is ahead of this machine's clock. The tools' own clocks are moved by the same time. */
  aheadMs: number;
  readonly now: () => number;
  /** Calls `happens` when the nth request arrives. */
  atRequest(nth: number, happens: () => void): void;
}

function serviceClock(): ServiceClock {
  let requests = 0;
  const planned = new Map<number, () => void>();
  const clock = {
    aheadMs: 0,
    now() {
      requests += 1;
      planned.get(requests)?.();
      return Date.now() + clock.aheadMs;
    },
    atRequest(nth: number, happens: () => void) {
      planned.set(nth, happens);
    },
  };
  return clock;
}
