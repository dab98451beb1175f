import { fixedToken, Token } from "../../lambda/core/token.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { createLimiter, type Limiter, type LimiterOptions } from "../../lambda/service/limiter.ts";
import { createReader, type ReaderOptions } from "../../lambda/service/reader.ts";
import type { ServiceReader } from "../../lambda/service/service.ts";
import { type HttpOutcome, LIMITS, type Transport } from "../../lambda/service/transport.ts";
import { type Emulator, SAMPLE_TOKEN } from "../emulator/core.ts";
import type { EmulatorAnswer } from "../emulator/wire.ts";
import type { FakeClock } from "./fake-clock.ts";
import { namedRandom } from "./prng.ts";

/**
 * The program's own client with limiter and retries, as in a new process. It is connected to the emulator in
 * this process.
 */
export function freshClient(
  emulator: Emulator,
  job: { clock: FakeClock } & Pick<RunContext, "random" | "concurrency">,
): ServiceReader {
  return clientOver(emulatorTransport(emulator, job.clock), { ...job, maxRps: null, tokens: TOKENS });
}

const TOKENS = fixedToken(new Token(SAMPLE_TOKEN));

/** The same without a limiter: only the service and the walk take time. */
export function unlimitedClient(emulator: Emulator, clock: FakeClock): ServiceReader {
  const nothing = () => undefined;
  const limiter: Limiter = {
    acquire: () => Promise.resolve({ release: nothing }),
    maxInFlight: 16,
    hasRoom: () => true,
    begin: nothing,
    learned: () => ({ ratePerSecond: null, pausedUntil: null, notedAt: 0 }),
  };
  return readerOver(emulatorTransport(emulator, clock), { clock, random: namedRandom("id"), tokens: TOKENS, limiter });
}

type Client = Omit<LimiterOptions, "maxWaitMs"> & Pick<ReaderOptions, "tokens">;

export function clientOver(transport: Transport, { tokens, ...limits }: Client): ServiceReader {
  const { clock, random } = limits;
  return readerOver(transport, { clock, random, tokens, limiter: createLimiter(limits) });
}

function readerOver(
  transport: Transport,
  options: Pick<ReaderOptions, "clock" | "random" | "tokens" | "limiter">,
): ServiceReader {
  return createReader({ accountUrl: IN_PROCESS_URL, marketDataUrl: null, connect: () => transport, ...options });
}

/** The account's host in a simulation. No network resolves it. */
export const IN_PROCESS_URL = "https://account.emulator.invalid";

/**
 * The emulator in this process, with the client's own limits of time and size, and the codes with which undici tells
 * what failed. It waits for the latency on the given clock; no socket or timer is used.
 */
export function emulatorTransport(emulator: Emulator, clock: FakeClock): Transport {
  return {
    close: () => Promise.resolve(),
    async send({ path, headers }, signal) {
      const { pathname, searchParams: query } = new URL(path, IN_PROCESS_URL);
      const request = { method: "GET", host: "account", path: pathname, query, headers } as const;
      const answer = emulator.handle(request, clock.now());
      const ms = durationOf(answer);
      if (ms > 0) {
        await clock.sleep(Math.min(Math.trunc(ms), LIMITS.headersMs), signal);
      }
      return ms > LIMITS.headersMs ? { kind: "failed", code: "UND_ERR_HEADERS_TIMEOUT" } : outcomeOf(answer);
    },
  };
}

function durationOf(answer: EmulatorAnswer): number {
  if ("fault" in answer) {
    return answer.fault === "hang" ? Number.POSITIVE_INFINITY : answer.latencyMs;
  }
  const { latencyMs, slow = { pieces: 0, everyMs: 0 } } = answer;
  return latencyMs + slow.pieces * slow.everyMs;
}

function outcomeOf(answer: EmulatorAnswer): HttpOutcome {
  if ("fault" in answer) {
    return { kind: "failed", code: answer.fault === "reset" ? "ECONNRESET" : "UND_ERR_RES_CONTENT_LENGTH_MISMATCH" };
  }
  const body = answer.body + " ".repeat(answer.paddingBytes ?? 0);
  return body.length > LIMITS.maxBytes
    ? { kind: "failed", code: "UND_ERR_RES_EXCEEDED_MAX_SIZE" }
    : { kind: "answer", status: answer.status, header: (name) => answer.headers[name], body };
}
