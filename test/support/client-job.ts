import { StoppedError } from "../../lambda/core/errors.ts";
import { fixedToken, Token } from "../../lambda/core/token.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { createLimiter, type Limiter, type LimiterOptions } from "../../lambda/service/limiter.ts";
import { createReader, type ReaderOptions } from "../../lambda/service/reader.ts";
import type { ServiceReader } from "../../lambda/service/service.ts";
import { LIMITS, type Transport } from "../../lambda/service/transport.ts";
import { type Emulator, SAMPLE_TOKEN } from "../emulator/core.ts";
import { IN_PROCESS_URL, inProcess } from "../emulator/in-process.ts";
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

/** The emulator in this process, with the client's own limits of time and size. */
export function emulatorTransport(emulator: Emulator, clock: FakeClock): Transport {
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    await clock.sleep(Math.min(Math.trunc(ms), LIMITS.headersMs), signal);
    if (ms > LIMITS.headersMs) {
      throw Object.assign(new Error("no answer in time"), { code: "UND_ERR_HEADERS_TIMEOUT" });
    }
  };
  const send = inProcess(emulator, { now: clock.now, sleep });
  return {
    close: () => Promise.resolve(),
    async send(request, signal) {
      try {
        const { status, headers, body } = await send({ ...request, signal });
        return body.length > LIMITS.maxBytes
          ? { kind: "failed", code: "UND_ERR_RES_EXCEEDED_MAX_SIZE" }
          : { kind: "answer", status, header: (name) => headers[name], body };
      } catch (error) {
        if (error instanceof StoppedError) {
          throw error;
        }
        return { kind: "failed", code: (error as { readonly code?: string }).code ?? "" };
      }
    },
  };
}
