import { FillbookError } from "../../lambda/core/errors.ts";
import type { Random } from "../../lambda/core/random.ts";
import { fixedToken, Token } from "../../lambda/core/token.ts";
import { createLimiter, type LimiterOptions } from "../../lambda/service/limiter.ts";
import { createReader, type ReaderOptions } from "../../lambda/service/reader.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { answer, closedAfterwards, type Scripted, serving } from "./scripted-server.ts";

/** No eight characters of this token in a row occur in any message. */
export const CANARY = "eyJhbGciOiJIUzI1NiJ9.Q0FOQVJZY2FuYXJ5Q0FOQVJZ.c2lnbmF0dXJl-CANARY_zz";

/** Always draws the same number; by default the longest jitter. */
export function constantRandom(value = 0.999_999): Random {
  return { next: () => value, id: () => "id" };
}

export const never = new AbortController().signal;

export function makeReader(
  accountUrl: string,
  options: Partial<ReaderOptions & LimiterOptions> & { clock?: FakeClock } = {},
) {
  const clock = options.clock ?? fakeClock({ auto: true });
  const random = options.random ?? constantRandom();
  const limiter = createLimiter({ concurrency: 4, maxRps: null, ...options, clock, random });
  const reader = createReader({
    accountUrl,
    marketDataUrl: accountUrl,
    tokens: fixedToken(new Token(CANARY)),
    limiter,
    ...options,
    clock,
    random,
  });
  return { reader, clock };
}

/** The error that a promise rejects with. It must be one made for people. */
export async function errorOf(promise: Promise<unknown>): Promise<FillbookError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof FillbookError) {
      return error;
    }
    throw error;
  }
  throw new Error("it did not reject");
}

export const EMPTY_PAGE = answer(200, { completedOrders: [] });

/** Closes the reader when the test ends. */
export function readerOf(url: string, options: Parameters<typeof makeReader>[1] = {}) {
  const made = makeReader(url, options);
  closedAfterwards(made.reader);
  return made;
}

/** A reader, and a server of its own that answers by the script. */
export async function readerTo(script: Scripted[], options: Parameters<typeof makeReader>[1] = {}) {
  const server = await serving(...script);
  return { server, ...readerOf(server.url, options) };
}
