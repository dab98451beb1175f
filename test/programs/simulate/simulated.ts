import { FillbookError, StoppedError } from "../../../lambda/core/errors.ts";
import type { Token, TokenSource } from "../../../lambda/core/token.ts";
import type { ServiceReader } from "../../../lambda/service/service.ts";
import type { Transport } from "../../../lambda/service/transport.ts";
import { goneError, type Store, StoreUnknownError } from "../../../lambda/storage/store.ts";
import type { Emulator } from "../../emulator/core.ts";
import type { History } from "../../emulator/history.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { clientOver, emulatorTransport } from "../../support/client-job.ts";
import type { FakeClock } from "../../support/fake-clock.ts";
import { aroundStore, type StoreMethod } from "../../support/faulty-store.ts";
import type { MemoryStore } from "../../support/memory-store.ts";
import { hash32, prng } from "../../support/prng.ts";
import type { LandedHead } from "./housekeeping.ts";
import type { SimulatedProcess } from "./process.ts";
import type { RunPlan, StoreFate } from "./scenario.ts";

/** Of one run. */
const MAX_REQUESTS = 25_000;

interface SimulatedService {
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

/**
 * The parts of the store that all runs share: the objects, every head that was written, and pending writes.
 */
export interface SharedStore {
  readonly objects: MemoryStore;
  /** In the order in which they were written. */
  readonly heads: LandedHead[];
  readonly underWay: Promise<unknown>[];
}

/** How long a client waits for an answer at most, and how much later a write may take effect, ms. */
const CLIENT_TIMEOUT_MS = 5000;
const LATE_MS: readonly number[] = [1, 300, 5000, 40_000, 1_800_000];

/** The answer to a client that retries a write by itself and finds its own change. Reads have none. */
const REPEATED = new Map<StoreMethod, unknown>([
  ["createNew", "exists"],
  ["replaceIf", null],
  ["remove", undefined],
]);

/** Whether a run cannot overcome the fate by reading back or retrying. */
function isHard(fate: StoreFate | null): boolean {
  return fate === "fail-before" || fate === "fail-after" || fate === "gone";
}

/** The store as one process sees it. */
export function simulatedStore(
  shared: SharedStore,
  process: SimulatedProcess,
  ports: { clock: FakeClock; seed: number; plan: RunPlan["store"]; callMs: number },
): Store {
  const draw = prng(hash32(ports.seed, process.number, 72));
  let calls = 0;

  const fateOf = (isWrite: boolean): StoreFate | null => {
    const planned = ports.plan.at.find(({ call }) => call === calls)?.fate;
    calls += 1;
    const { rate, fates } = ports.plan;
    const drawn = rate > 0 && draw.next() < rate ? fates[draw.int(fates.length)] : undefined;
    const fate = planned ?? drawn ?? null;
    // Only the answer to a write can be lost. The client repeats a read, or the read fails.
    if (isWrite) {
      return fate;
    }
    return isHard(fate) ? "fail-before" : null;
  };

  const half = async (): Promise<void> => {
    if (ports.callMs > 0) {
      await ports.clock.sleep(Math.trunc(ports.callMs / 2));
    }
  };

  const call = <T>(method: StoreMethod, key: string, perform: () => Promise<T>): Promise<T> =>
    process.effect(`${method} ${key}`, async () => {
      const fate = fateOf(REPEATED.has(method));
      await half();
      if (fate === null) {
        const done = await perform();
        await half();
        return done;
      }
      process.note(fate);
      process.hardFaults += isHard(fate) ? 1 : 0;
      return await meet(fate, method, key, perform);
    });

  const meet = async <T>(fate: StoreFate, method: StoreMethod, key: string, perform: () => Promise<T>): Promise<T> => {
    const what = `${method} ${key}`;
    if (fate.endsWith("-after")) {
      await perform();
    }
    if (fate === "late") {
      shared.underWay.push(later(perform));
    }
    if (fate === "fail-before" || fate === "fail-after") {
      throw new FillbookError("incomplete", `simulated: ${what} failed`);
    }
    if (fate === "conflict-after" || (fate === "conflict" && method === "replaceIf")) {
      return REPEATED.get(method) as T;
    }
    if (fate === "gone" && method === "replaceIf") {
      throw goneError(shared.objects.location, key);
    }
    await ports.clock.sleep(CLIENT_TIMEOUT_MS);
    throw new StoreUnknownError(`simulated: the answer to ${what} was lost`);
  };

  const later = async (perform: () => Promise<unknown>): Promise<void> => {
    await ports.clock.sleep(LATE_MS[draw.int(LATE_MS.length)] ?? 0);
    process.note("a late write lands");
    await perform().catch(() => undefined); // a swap whose object has changed meanwhile
  };

  const replaceIf = async (key: string, body: Uint8Array, tag: string | null): Promise<string | null> => {
    const landed = await shared.objects.replaceIf(key, body, tag);
    if (landed !== null && key === "main/head.json") {
      shared.heads.push({ at: ports.clock.now(), body: new TextDecoder().decode(body) });
    }
    return landed;
  };

  return aroundStore({ ...shared.objects, replaceIf }, call);
}
