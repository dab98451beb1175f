import { StoppedError } from "../../../lambda/core/errors.ts";
import type { Token, TokenSource } from "../../../lambda/core/token.ts";
import type { ServiceReader } from "../../../lambda/service/service.ts";
import type { Transport } from "../../../lambda/service/transport.ts";
import type { Emulator } from "../../emulator/core.ts";
import type { History } from "../../emulator/history.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { clientOver, emulatorTransport } from "../../support/client-job.ts";
import type { FakeClock } from "../../support/fake-clock.ts";
import type { SimulatedProcess } from "./process.ts";
import type { RunPlan } from "./scenario.ts";

/** Of one run. */
const MAX_REQUESTS = 25_000;

export interface SimulatedService {
  readonly emulator: Emulator;
  readonly clock: FakeClock;
  readonly tokens: TokenSource;
  readonly echoesToken: boolean;
}

/** The program's real client, with its retries and limiter, connected to the emulator in this process. */
export function simulatedReader(service: SimulatedService, process: SimulatedProcess, plan: RunPlan): ServiceReader {
  const { emulator, clock, tokens, echoesToken } = service;
  const network = emulatorTransport(emulator, clock);
  let sent = 0;
  const transport: Transport = {
    ...network,
    send(request, signal) {
      if (signal.aborted) {
        return Promise.reject(new StoppedError());
      }
      sent += 1;
      if (sent > MAX_REQUESTS) {
        throw new Error("a run sends requests without end");
      }
      return process.effect(`GET ${request.path}`, async () => {
        const outcome = await network.send(request, signal);
        if (outcome.kind === "failed") {
          return outcome;
        }
        process.note(`${outcome.status} ${outcome.body.length}`);
        const isEchoed = echoesToken && outcome.status >= 400;
        const echo = isEchoed ? ` you sent ${request.headers["authorization"]}` : "";
        return { ...outcome, body: outcome.body + echo };
      });
    },
  };
  const { random } = process;
  const { concurrency, maxRps } = plan;
  return clientOver(transport, { clock: process.clock, random, concurrency, maxRps, tokens });
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
