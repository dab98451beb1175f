import type { Clock } from "../../lambda/core/clock.ts";
import { StoppedError } from "../../lambda/core/errors.ts";
import type { Random } from "../../lambda/core/random.ts";
import { fixedToken, Token, type TokenSource } from "../../lambda/core/token.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { createLimiter } from "../../lambda/service/limiter.ts";
import { createReader } from "../../lambda/service/reader.ts";
import type { ServiceReader } from "../../lambda/service/service.ts";
import { LIMITS, type Transport } from "../../lambda/service/transport.ts";
import { type Emulator, SAMPLE_TOKEN } from "../emulator/core.ts";
import { IN_PROCESS_URL, inProcess } from "../emulator/in-process.ts";
import type { FakeClock } from "./fake-clock.ts";

/**
 * The program's own client with limiter and retries, as in a new process. It is connected to the emulator in
 * this process.
 */
export function freshClient(
  emulator: Emulator,
  job: { clock: FakeClock } & Pick<RunContext, "random" | "concurrency">,
): ServiceReader {
  const tokens = fixedToken(new Token(SAMPLE_TOKEN));
  return clientOver(emulatorTransport(emulator, job.clock), { ...job, maxRps: null, tokens });
}

interface Client {
  readonly clock: Clock;
  readonly random: Random;
  readonly concurrency: number;
  readonly maxRps: number | null;
  readonly tokens: TokenSource;
}

export function clientOver(transport: Transport, { tokens, ...limits }: Client): ServiceReader {
  const { clock, random } = limits;
  const hosts = { accountUrl: IN_PROCESS_URL, marketDataUrl: null };
  const limiter = createLimiter(limits);
  return createReader({ ...hosts, tokens, clock, random, limiter, connect: () => transport });
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
