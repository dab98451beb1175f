import { StoppedError } from "../../../lambda/core/errors.ts";
import type { Token, TokenSource } from "../../../lambda/core/token.ts";
import { createLimiter } from "../../../lambda/service/limiter.ts";
import { createReader } from "../../../lambda/service/reader.ts";
import type { ServiceReader } from "../../../lambda/service/service.ts";
import { type HttpOutcome, type HttpRequest, LIMITS, type Transport } from "../../../lambda/service/transport.ts";
import type { Emulator } from "../../emulator/core.ts";
import type { History } from "../../emulator/history.ts";
import { type InProcessAnswer, inProcess } from "../../emulator/in-process.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import type { SimulatedClock } from "./clock.ts";
import type { SimulatedProcess } from "./process.ts";
import type { RunPlan } from "./scenario.ts";

const ACCOUNT_URL = "https://account.emulator.invalid";

/** Of one run. */
const MAX_REQUESTS = 25_000;

export interface SimulatedService {
  readonly emulator: Emulator;
  readonly clock: SimulatedClock;
  readonly tokens: TokenSource;
  readonly echoesToken: boolean;
}

/** The program's real client, with its retries and limiter, connected to the emulator in this process. */
export function simulatedReader(service: SimulatedService, process: SimulatedProcess, plan: RunPlan): ServiceReader {
  const { clock, random } = process;
  const limiter = createLimiter({ clock, random, concurrency: plan.concurrency, maxRps: plan.maxRps });
  return createReader({
    accountUrl: ACCOUNT_URL,
    marketDataUrl: null,
    tokens: service.tokens,
    clock,
    random,
    limiter,
    connect: () => simulatedTransport(service, process),
  });
}

function simulatedTransport(service: SimulatedService, process: SimulatedProcess): Transport {
  const send = inProcess(service.emulator, networkClock(service.clock));
  let sent = 0;
  return {
    close: () => Promise.resolve(),
    send(request, signal) {
      if (signal.aborted) {
        return Promise.reject(new StoppedError());
      }
      sent += 1;
      if (sent > MAX_REQUESTS) {
        service.clock.giveUp("a run sends requests without end");
      }
      return process.effect(`GET ${request.path}`, async () => {
        try {
          return outcomeOf(await send({ ...request, url: ACCOUNT_URL + request.path, signal }), service, request);
        } catch (error) {
          if (error instanceof StoppedError) {
            throw error;
          }
          return { kind: "failed", code: (error as { code?: string }).code ?? "" };
        }
      });
    },
  };

  function outcomeOf(answer: InProcessAnswer, { echoesToken }: SimulatedService, request: HttpRequest): HttpOutcome {
    const { status, headers } = answer;
    process.note(`${status} ${answer.body.length}`);
    if (answer.body.length > LIMITS.maxBytes) {
      return { kind: "failed", code: "UND_ERR_RES_EXCEEDED_MAX_SIZE" };
    }
    const echo = echoesToken && status >= 400 ? ` you sent ${request.headers["authorization"]}` : "";
    return { kind: "answer", status, header: (name) => headers[name], body: answer.body + echo };
  }
}

/** An answer that never comes is given up after the client's own time limit. */
function networkClock(clock: SimulatedClock): {
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
} {
  return {
    now: () => clock.now(),
    async sleep(ms, signal) {
      if (ms <= LIMITS.headersMs) {
        await clock.sleep(ms, signal);
        return;
      }
      await clock.sleep(LIMITS.headersMs, signal);
      throw Object.assign(new Error("no answer in time"), { code: "UND_ERR_HEADERS_TIMEOUT" });
    },
  };
}

/** Acts as Secrets Manager's source: a token that was read is kept until it is refused. */
export function simulatedTokens(current: () => Token): TokenSource {
  let known = Promise.resolve(current());
  return {
    current: () => known,
    refresh: () => {
      known = Promise.resolve(current());
      return known;
    },
  };
}

/** Creates each fill only once, because many answers and the judge need it. */
export function remembered(history: History): History {
  const items = new Map<number, CompletedOrder>();
  const item = (index: number): CompletedOrder => {
    const known = items.get(index) ?? history.item(index);
    items.set(index, known);
    return known;
  };
  return { ...history, item };
}
