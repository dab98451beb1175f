import { FillbookError, StoppedError } from "../../lambda/core/errors.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { decodePage } from "../../lambda/service/decode.ts";
import type { PageAnswer, PageRequest, ServiceReader } from "../../lambda/service/service.ts";
import { stubReader } from "../cli/commands/stub-reader.ts";
import { createEmulator, type Emulator, type EmulatorOptions, SAMPLE_TOKEN } from "../emulator/core.ts";
import { inProcess } from "../emulator/in-process.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { memoryStore } from "./memory-store.ts";

export type Bench = ReturnType<typeof makeBench>;

/** Wall time at which the runs of a test begin. */
export const NOW = Date.UTC(2026, 1, 1);

/**
 * A job against the emulator in this process, on virtual time. It uses a memory store unless the test gives
 * another.
 */
export function makeBench(options: EmulatorOptions & { job?: Partial<RunContext>; emulator?: Emulator } = {}) {
  const clock = fakeClock({ now: NOW, auto: true });
  const emulator = options.emulator ?? createEmulator(options);
  let ids = 0;
  const job: RunContext = {
    account: "main",
    reader: inProcessReader(emulator, clock),
    store: memoryStore(),
    packStore: null,
    clock,
    random: {
      next: () => 0.5,
      id: () => {
        ids += 1;
        return `id-${ids}-${Math.abs(clock.now())}`;
      },
    },
    settleLagMs: 0,
    lookBackMs: 0,
    concurrency: 4,
    signal: new AbortController().signal,
    report: () => undefined,
    ...options.job,
  };
  return { job, emulator, clock };
}

/** Only the requests of the walk, without retries. The client has its own tests. */
export function inProcessReader(emulator: Emulator, clock: FakeClock): ServiceReader {
  const send = inProcess(emulator, clock);
  const counts = { requests: 0, refused: 0 };
  return stubReader({
    counts,
    async completedOrders(request: PageRequest, signal: AbortSignal): Promise<PageAnswer> {
      if (signal.aborted) {
        throw new StoppedError();
      }
      counts.requests += 1;
      const query = new URLSearchParams(
        Object.entries(request).map(([key, value]): [string, string] => [key, String(value)]),
      );
      const answer = await send({
        path: `/api/v1/completed-orders?${query}`,
        headers: { authorization: `Bearer ${SAMPLE_TOKEN}` },
        signal,
      });
      if (answer.status === 200) {
        return { kind: "page", body: answer.body, ...decodePage(answer.body) };
      }
      if (request.start !== undefined && (answer.status === 400 || answer.status === 410)) {
        return { kind: "cursor-refused", status: answer.status };
      }
      if (request.start === undefined && [400, 413, 416, 422].includes(answer.status)) {
        return { kind: "range-refused", problem: new FillbookError("usage", `refused (${answer.status})`) };
      }
      throw new FillbookError("incomplete", `the service answered ${answer.status}`);
    },
  });
}
