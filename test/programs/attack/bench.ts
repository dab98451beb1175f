import type { Clock } from "../../../lambda/core/clock.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { fixedToken, Token } from "../../../lambda/core/token.ts";
import type { Components } from "../../../lambda/job/components.ts";
import { createLimiter } from "../../../lambda/service/limiter.ts";
import { createReader } from "../../../lambda/service/reader.ts";
import type { HttpOutcome, HttpRequest, Transport, TransportOptions } from "../../../lambda/service/transport.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { type Ran, run } from "../../cli/commands/run.ts";
import { createEmulator, type Emulator } from "../../emulator/core.ts";
import { type History, makeHistory } from "../../emulator/history.ts";
import { IN_PROCESS_URLS, inProcess } from "../../emulator/in-process.ts";
import { audit, SOUND } from "../../support/auditor.ts";
import { type MemoryStore, memoryStore } from "../../support/memory-store.ts";
import { seededRandom } from "../../support/prng.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { CANARY, endedIn, equal, law } from "./attack.ts";

export const FROM = Date.UTC(2025, 0, 1);
export const TO = Date.UTC(2025, 2, 1);
const NOW = Date.UTC(2025, 5, 1);
export const SYNC = ["sync", "--from", "2025-01-01", "--to", "2025-03-01"];
export const EXPORT = ["export", "--period", "month-2025-01"];
/** The location that the memory store reports. Only archives on S3 have lists of data files. */
export const S3 = "s3://bucket/fillbook";
export const FILLS = 120;

/**
 * An undisturbed sync of the account takes about 20 requests and waits for seconds. A run that exceeds these
 * bounds counts as hanging.
 */
const MOST_REQUESTS = 5000;
const MOST_VIRTUAL_MS = 24 * 3_600_000;

/** The service that the client is connected to. `honest` returns what the emulator would answer. */
export type Answering = (request: HttpRequest, honest: () => Promise<HttpOutcome>, nth: number) => Promise<HttpOutcome>;

export interface Bench {
  readonly store: MemoryStore;
  readonly emulator: Emulator;
  readonly type: (line: readonly string[], more?: TypeOptions) => Promise<Ran>;
  /** Requires that the archive holds every fill of the service once, and nothing else. */
  readonly isWhole: (fills?: number) => Promise<void>;
  /** Requires that everything in the archive is true, even if it is not complete. */
  readonly isSound: () => Promise<void>;
}

export interface TypeOptions {
  readonly account?: string;
  readonly answering?: Answering;
  /** A connection that replaces the emulator's. */
  readonly connect?: (options: TransportOptions) => Transport;
  readonly environment?: Readonly<Record<string, string>>;
  readonly store?: Store;
  /** The number of the request at which the run is stopped, as by Ctrl-C. */
  readonly stopAt?: number;
  /** The time when the run begins, ms UTC. */
  readonly now?: number;
  /** Replaces the virtual clock. A store in a folder needs the real clock. */
  readonly clock?: Clock;
}

export function accountHistory(seed = 11, fills = FILLS): History {
  return makeHistory({ seed, fills, from: FROM, to: TO });
}

/** Runs the command line in this process in virtual time, with a store in memory and the emulator. */
export function openBench({
  store = memoryStore(S3),
  history = accountHistory(),
}: Partial<{ store: MemoryStore; history: History }> = {}): Bench {
  const emulator = createEmulator({ history, tokens: [CANARY] });
  const isSound = async () => {
    const { lost, doubled, invented, wrong } = await audit(store, "main", emulator.truth());
    equal({ lost, doubled, invented, wrong }, SOUND, "the archive against the service");
  };
  return {
    store,
    emulator,
    isSound,
    async isWhole(fills = history.count) {
      await isSound();
      equal((await audit(store, "main", emulator.truth())).rows, fills, "fills in the archive");
    },
    type: (line, more = {}) => typed(line, more, more.store ?? store, emulator),
  };
}

async function typed(line: readonly string[], more: TypeOptions, store: Store, emulator: Emulator): Promise<Ran> {
  const virtual = new VirtualClock(more.now ?? NOW);
  const clock = more.clock ?? virtual;
  const random = seededRandom(5);
  const stop = new AbortController();
  const bounds = { requests: 0, isOver: false };
  const connect = more.connect ?? connectionTo(emulator, virtual, more.answering);
  const reader = createReader({
    accountUrl: "https://account.example.com",
    marketDataUrl: "https://market-data.example.com",
    tokens: fixedToken(new Token(CANARY)),
    clock,
    random,
    limiter: createLimiter({ clock, random, concurrency: 4, maxRps: null }),
    connect(options) {
      const transport = connect(options);
      return {
        close: () => transport.close(),
        send(request, signal) {
          bounds.requests += 1;
          if (bounds.requests === more.stopAt) {
            stop.abort();
          }
          if (bounds.requests > MOST_REQUESTS || virtual.monotonic() > MOST_VIRTUAL_MS) {
            bounds.isOver = true;
            stop.abort();
          }
          return transport.send(request, signal);
        },
      };
    },
  });
  const components: Partial<Components> = {
    clock,
    random,
    reader: () => reader,
    store: () => Promise.resolve(store),
    packStore: () => Promise.resolve(null),
  };
  const environment = {
    FILLBOOK_ACCOUNT: more.account ?? "main",
    FILLBOOK_ACCOUNT_URL: "https://account.example.com",
    FILLBOOK_MARKET_DATA_URL: "https://market-data.example.com",
    FILLBOOK_TOKEN: CANARY,
    FILLBOOK_JSON: "1",
    FILLBOOK_QUIET: "1",
    ...more.environment,
  };
  const ran = await run(line, { environment, components, signal: stop.signal });
  await reader.close();
  law(!bounds.isOver, `the run hangs: ${bounds.requests} requests, ${virtual.monotonic() / 3_600_000} virtual hours`);
  return ran;
}

function connectionTo(emulator: Emulator, clock: VirtualClock, answering: Answering | undefined) {
  const send = inProcess(emulator, clock);
  let nth = 0;
  return ({ address }: TransportOptions): Transport => {
    const base = address.includes("market-data") ? IN_PROCESS_URLS.marketDataUrl : IN_PROCESS_URLS.accountUrl;
    return {
      close: () => Promise.resolve(),
      async send(request, signal) {
        nth += 1;
        const honest = async (): Promise<HttpOutcome> => {
          const { status, headers, body } = await send({ ...request, url: base + request.path, signal });
          return { kind: "answer", status, header: (name) => headers[name], body };
        };
        return answering === undefined ? await honest() : await answering(request, honest, nth);
      },
    };
  };
}

/**
 * Requires that an undisturbed run two days later, when no wait of the service can still apply, ends complete
 * with every fill once.
 */
export async function recovers(bench: Bench): Promise<void> {
  const shown = endedIn(await bench.type(SYNC, { now: NOW + 2 * DAY_MS }), [0]);
  equal([shown["complete"], shown["fills"]], [true, bench.emulator.history.count], "the next run");
  await bench.isWhole();
}
