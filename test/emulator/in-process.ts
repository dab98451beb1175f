import type { Emulator } from "./core.ts";
import type { EmulatorHost } from "./wire.ts";

/** Addresses of the emulator in a simulation. No network resolves them; no socket or timer is used. */
export const IN_PROCESS_URLS = {
  accountUrl: "http://account.emulator.invalid",
  orderUrl: "http://order.emulator.invalid",
  marketDataUrl: "http://market-data.emulator.invalid",
} as const;

export interface InProcessRequest {
  readonly method: string;
  /** a URL under one of IN_PROCESS_URLS */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface InProcessAnswer {
  readonly status: number;
  /** names in lower case */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The simulation's clock: the methods of the program's Clock that are needed here. */
export interface InProcessClock {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const HANG_MS = 2 ** 31 - 1;

/**
 * Returns a function that sends a request to the emulator. It waits for the latency on the given clock. A
 * reset rejects with code ECONNRESET, a cut body with UND_ERR_RES_CONTENT_LENGTH_MISMATCH (as undici does). A
 * hang ends only when the signal aborts.
 */
export function inProcess(
  emulator: Emulator,
  clock: InProcessClock,
): (request: InProcessRequest) => Promise<InProcessAnswer> {
  return async (request) => {
    const url = new URL(request.url);
    const headers = Object.fromEntries(
      Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const answer = emulator.handle(
      {
        method: request.method,
        host: hostOf(url),
        path: url.pathname,
        query: url.searchParams,
        headers,
        body: request.body ?? "",
      },
      clock.now(),
    );
    const slow = "fault" in answer ? undefined : answer.slow;
    const hangs = "fault" in answer && answer.fault === "hang";
    const tookMs = hangs ? HANG_MS : answer.latencyMs + (slow === undefined ? 0 : slow.pieces * slow.everyMs);
    if (tookMs > 0) {
      await clock.sleep(tookMs, request.signal);
    }
    if ("fault" in answer) {
      throw transportError(answer.fault);
    }
    const padding = " ".repeat(answer.paddingBytes ?? 0);
    return { status: answer.status, headers: answer.headers, body: answer.body + padding };
  };
}

function hostOf(url: URL): EmulatorHost {
  const name = url.hostname.split(".")[0];
  if (name === "account" || name === "order" || name === "market-data") {
    return name;
  }
  throw new RangeError(`${url.origin} is not a host of the emulator`);
}

function transportError(fault: string): Error {
  return Object.assign(new Error(`emulated ${fault}`), {
    code: fault === "reset" ? "ECONNRESET" : "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
  });
}
