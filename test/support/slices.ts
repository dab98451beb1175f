import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { onTestFinished, vi } from "vitest";
import { systemClock } from "../../lambda/core/clock.ts";
import { handler } from "../../lambda/handler.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { type RunningEmulator, type ServerOptions, startEmulator } from "../emulator/server.ts";

export type LogLine = Readonly<Record<string, unknown>>;

export interface Slice {
  /** The execution's name. */
  readonly runId: string;
  readonly requestId: string;
  readonly event?: Readonly<Record<string, unknown>>;
  /** The time is up after this many requests to the service. Absent: there is enough time. */
  readonly requests?: number;
}

export interface SliceBench {
  readonly service: RunningEmulator;
  /** Returns the log lines of one slice. */
  readonly run: (slice: Slice) => Promise<readonly LogLine[]>;
  /** Sets the wall time from now on, ms UTC. */
  readonly setNow: (now: number) => void;
}

const AMPLE_MS = 900_000;
const NEAR_MS = 100; // the handler repeats this wait while it lasts
const WAIT_MS = 5000;
const STEP_MS = 1000;

/**
 * The handler as Lambda calls it, in this process, with its own service, an archive in a folder, and its
 * stdout. Short waits end at once. Each reading of the clock is a second later than the last, so that events
 * that come once a minute happen. It ends with the test. A test file can open it only once, because the
 * handler keeps its connections.
 */
export async function openSlices(options: Omit<ServerOptions, "now">, startsAt: number): Promise<SliceBench> {
  let now = startsAt;
  const service = await startEmulator({ ...options, now: () => now });
  const folder = mkdtempSync(join(tmpdir(), "fillbook-slices-"));
  const env = {
    FILLBOOK_STORE: folder,
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_TOKEN: SAMPLE_TOKEN,
    FILLBOOK_HURRY: "1",
  };
  for (const [name, value] of Object.entries(env)) {
    vi.stubEnv(name, value);
  }
  const { sleep } = systemClock;
  vi.spyOn(systemClock, "sleep").mockImplementation((ms, signal) => sleep(ms < WAIT_MS ? 0 : ms, signal));
  vi.spyOn(systemClock, "now").mockImplementation(() => now);
  let elapsed = 0;
  vi.spyOn(systemClock, "monotonic").mockImplementation(() => {
    elapsed += STEP_MS;
    return elapsed;
  });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const setNow = (then: number) => {
    now = then;
  };
  return { service, run: (slice) => runSlice(service, slice), setNow };
}

async function runSlice(service: RunningEmulator, slice: Slice): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  const asked = service.emulator.log.requests;
  const isOver = () => slice.requests !== undefined && service.emulator.log.requests - asked >= slice.requests;
  const remaining = () => (isOver() ? 0 : NEAR_MS);
  const context = {
    awsRequestId: slice.requestId,
    getRemainingTimeInMillis: slice.requests === undefined ? () => AMPLE_MS : remaining,
  };
  try {
    await handler({ action: "sync", account: "main", runId: slice.runId, ...slice.event }, context).catch(
      () => undefined,
    );
  } finally {
    stdout.mockRestore();
  }
  return lines;
}
