import type { FillbookError } from "../../lambda/core/errors.ts";
import type { Random } from "../../lambda/core/random.ts";
import { fixedToken, Token } from "../../lambda/core/token.ts";
import { createLimiter, type LimiterOptions } from "../../lambda/service/limiter.ts";
import { createReader, type ReaderOptions } from "../../lambda/service/reader.ts";
import { type FakeClock, fakeClock } from "../support/fake-clock.ts";
import { refusal } from "../support/refusal.ts";
import { answer, closedAfterwards, type Scripted, serving } from "./scripted-server.ts";

/** No eight characters of this token in a row occur in any message. */
export const CANARY = "eyJhbGciOiJIUzI1NiJ9.Q0FOQVJZY2FuYXJ5Q0FOQVJZ.c2lnbmF0dXJl-CANARY_zz";

/** Always draws the same number; by default the longest jitter. */
export function constantRandom(value = 0.999_999): Random {
  return { next: () => value, id: () => "id" };
}

export const never = new AbortController().signal;

/** The error that a promise rejects with. It must be one made for people. */
export async function errorOf(promise: Promise<unknown>): Promise<FillbookError> {
  const [settled] = await Promise.allSettled([promise]);
  return refusal(() => {
    if (settled.status === "rejected") {
      throw settled.reason;
    }
  });
}

export const EMPTY_PAGE = answer(200, { completedOrders: [] });

type Options = Partial<ReaderOptions & LimiterOptions> & { readonly clock?: FakeClock };

/** Closes the reader when the test ends. */
export function readerOf(accountUrl: string, options: Options = {}) {
  const { clock = fakeClock({ auto: true }), random = constantRandom() } = options;
  const limiter = createLimiter({ concurrency: 4, maxRps: null, ...options, clock, random });
  const tokens = fixedToken(new Token(CANARY));
  const hosts = { accountUrl, marketDataUrl: accountUrl };
  const reader = createReader({ ...hosts, tokens, limiter, ...options, clock, random });
  return { reader: closedAfterwards(reader), clock };
}

/** A reader, and a server of its own that answers by the script. */
export async function readerTo(script: Scripted[], options: Options = {}) {
  const server = await serving(...script);
  return { server, ...readerOf(server.url, options) };
}
