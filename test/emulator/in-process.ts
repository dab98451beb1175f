import type { FakeClock } from "../support/fake-clock.ts";
import type { Emulator } from "./core.ts";

/** The account's host in a simulation. No network resolves it; no socket or timer is used. */
export const IN_PROCESS_URL = "https://account.emulator.invalid";

interface InProcessRequest {
  /** From the host's root, query included. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const HANG_MS = 2 ** 31 - 1;

/**
 * Returns a function that gets something from the emulator. It waits for the latency on the given clock. A
 * reset rejects with code ECONNRESET, a cut body with UND_ERR_RES_CONTENT_LENGTH_MISMATCH (as undici does). A
 * hang ends only when the signal aborts.
 */
export function inProcess(emulator: Emulator, clock: Pick<FakeClock, "now" | "sleep">) {
  return async ({ path, headers, signal }: InProcessRequest) => {
    const { pathname, searchParams: query } = new URL(path, IN_PROCESS_URL);
    const request = { method: "GET", host: "account", path: pathname, query, headers } as const;
    const answer = emulator.handle(request, clock.now());
    const slow = "fault" in answer ? undefined : answer.slow;
    const hangs = "fault" in answer && answer.fault === "hang";
    const tookMs = hangs ? HANG_MS : answer.latencyMs + (slow === undefined ? 0 : slow.pieces * slow.everyMs);
    if (tookMs > 0) {
      await clock.sleep(tookMs, signal);
    }
    if ("fault" in answer) {
      throw transportError(answer.fault);
    }
    const padding = " ".repeat(answer.paddingBytes ?? 0);
    return { status: answer.status, headers: answer.headers, body: answer.body + padding };
  };
}

function transportError(fault: string): Error {
  const code = fault === "reset" ? "ECONNRESET" : "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
  return Object.assign(new Error(`emulated ${fault}`), { code });
}
