import type { Clock } from "../core/clock.ts";
import { asFillbookError, FillbookError } from "../core/errors.ts";
import type { Random } from "../core/random.ts";
import { isoTime, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { Token, TokenSource } from "../core/token.ts";
import { classifyResponse, type Host, KEPT, type Question, type Step, unmetHint } from "./classify-response.ts";
import { type Limiter, MAX_WAIT_MS } from "./limiter.ts";
import { withoutToken } from "./messages.ts";
import { httpDate, rateLimitOf, retryAfterMs } from "./rate-limit-headers.ts";
import type { Answered } from "./rate-state.ts";
import { FIRST_ATTEMPTS, MAX_ATTEMPTS, nextDelayMs } from "./retry.ts";
import type { HttpOutcome, Transport, TransportOptions } from "./transport.ts";

/**
 * How far this machine's clock may be ahead. A sync ends this long before now (`FILLBOOK_SETTLE_LAG`), and so
 * before the service's own now.
 */
const MOST_AHEAD_MS = 5 * MINUTE_MS;

export interface ServiceOptions {
  /** Null: a question that needs a token rejects with `usage`. */
  readonly tokens: TokenSource | null;
  readonly clock: Clock;
  readonly random: Random;
  /** Shared by everything that uses the same token. */
  readonly limiter: Limiter;
  /** How long refusals of one request are waited out. Default: one hour. */
  readonly maxWaitMs?: number;
  /** How a host is reached; default: over the network. */
  readonly connect?: (options: TransportOptions) => Transport;
  readonly limits?: TransportOptions["limits"];
}

/**
 * Asks one question until it is answered or cannot be: waits for the limiter, retries, reads the token again.
 */
export interface Requester {
  ask<T>(host: Host, question: Question<T>, signal: AbortSignal): Promise<T>;
  /** The requests sent, retries included, and how many of them were refused with 429. */
  readonly counts: { readonly requests: number; readonly refused: number };
}

export function createRequester(options: Omit<ServiceOptions, "tokens">): Requester {
  const { clock, random, limiter, maxWaitMs = MAX_WAIT_MS } = options;
  const counts = { requests: 0, refused: 0 };
  /** Hosts that have answered like the service, or said that they cannot at the moment. */
  const met = new Set<Host>();
  return { ask, counts };

  async function ask<T>(host: Host, question: Question<T>, signal: AbortSignal): Promise<T> {
    let token = (await host.tokens?.current()) ?? null;
    let isRenewed = false;
    let failures = 0;
    let refusedSince: number | null = null;
    try {
      while (true) {
        const outcome = await send(host, question, token, signal);
        const step = classifyResponse(host, question, outcome);
        if (step.kind !== "failed" || (outcome.kind === "answer" && outcome.status >= 400)) {
          met.add(host);
        }
        switch (step.kind) {
          case "done":
            return step.answer;
          case "unauthorised":
            token = await otherToken(host, token, isRenewed, step.error);
            isRenewed = true;
            break;
          case "refused":
            refusedSince ??= clock.monotonic();
            checkWaited(question.endpoint, clock.monotonic() - refusedSince);
            break;
          case "failed":
            failures += 1;
            await clock.sleep(pauseAfter(host, question, step, failures), signal);
        }
      }
    } catch (error) {
      throw withoutToken(asFillbookError(error), token);
    }
  }

  async function send<T>(
    host: Host,
    question: Question<T>,
    token: Token | null,
    signal: AbortSignal,
  ): Promise<HttpOutcome> {
    const { method, path, body } = question;
    const permit = await limiter.acquire(signal);
    let answered: Answered = { kind: "failed" };
    try {
      const sentAt = clock.now();
      counts.requests += 1;
      const request = {
        method,
        path,
        headers: headersOf(token, body !== undefined),
        ...(body === undefined ? {} : { body }),
      };
      const outcome = await host.transport.send(request, signal);
      answered = answeredBy(outcome, clock.now());
      counts.refused += outcome.kind === "answer" && outcome.status === 429 ? 1 : 0;
      checkClock(question, outcome, sentAt);
      return outcome;
    } finally {
      permit.release(answered);
    }
  }

  /**
   * Refusals are waited out up to a time, not a count: the limiter paces them, and a count would give up
   * before a quota of a minute is renewed.
   */
  function checkWaited(endpoint: string, waitedMs: number): void {
    if (waitedMs >= maxWaitMs) {
      const seconds = Math.ceil(waitedMs / SECOND_MS);
      throw new FillbookError("incomplete", `${endpoint}: the service has refused the request (429) for ${seconds} s`, {
        hint: KEPT,
      });
    }
  }

  /** How long to wait before the question is asked again, ms. */
  function pauseAfter<T>(
    host: Host,
    { endpoint, changes }: Question<T>,
    { reason, hint, received }: Extract<Step<T>, { kind: "failed" }>,
    failures: number,
  ): number {
    if (changes !== undefined && received) {
      throw new FillbookError("incomplete", `${endpoint}: ${reason}; ${changes}`, { hint });
    }
    const isMet = met.has(host);
    const delayMs = nextDelayMs(failures, random, isMet ? MAX_ATTEMPTS : FIRST_ATTEMPTS);
    if (delayMs === null) {
      throw new FillbookError("incomplete", `${endpoint}: gave up after ${failures} attempts: ${reason}`, {
        hint: isMet ? hint : unmetHint(host),
      });
    }
    return delayMs;
  }
}

/**
 * If this machine's clock is ahead, the future would count as covered and a period as over. An answer's Date
 * is never older than its request. `sentAt`: ms UTC.
 */
function checkClock({ changes }: Question<unknown>, outcome: HttpOutcome, sentAt: number): void {
  // A request that has already changed something must not be reported as failed.
  if (outcome.kind !== "answer" || outcome.status !== 200 || changes !== undefined) {
    return;
  }
  const date = httpDate(outcome.header("date") ?? "");
  if (date !== null && sentAt - date > MOST_AHEAD_MS) {
    throw new FillbookError(
      "usage",
      `the clock of this machine is ahead: it says ${isoTime(sentAt)}, the service's says ${isoTime(date)}`,
      { hint: "set the clock and run again" },
    );
  }
}

function headersOf(token: Token | null, hasBody: boolean): Record<string, string> {
  return {
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "fillbook",
    ...(hasBody ? { "content-type": "application/json" } : {}),
    ...(token === null ? {} : { authorization: `Bearer ${token.reveal()}` }),
  };
}

/** What the limiter learns at `now` (ms UTC). It also keeps a wait that a status other than 429 asks for. */
export function answeredBy(outcome: HttpOutcome, now: number): Answered {
  if (outcome.kind === "failed") {
    return { kind: "failed" };
  }
  const { status, header } = outcome;
  const waitMs = retryAfterMs(header("retry-after"), header("date"), now);
  const quota = rateLimitOf(header, now);
  if (status === 429) {
    return { kind: "refused", retryAfterMs: waitMs ?? (quota?.remaining === 0 ? quota.resetMs : null) };
  }
  if (status >= 400 && status !== 401 && waitMs !== null) {
    return { kind: "refused", retryAfterMs: waitMs };
  }
  return status >= 500 ? { kind: "failed" } : { kind: "answered", quota };
}

/**
 * A token other than the refused one: another request may have fetched it already; else the source is read
 * again, once.
 */
async function otherToken(
  host: Host,
  refused: Token | null,
  isRenewed: boolean,
  error: FillbookError,
): Promise<Token | null> {
  if (host.tokens === null || refused === null || isRenewed) {
    throw error;
  }
  const known = await host.tokens.current();
  const token = known.equals(refused) ? await host.tokens.refresh() : known;
  if (token.equals(refused)) {
    throw error;
  }
  return token;
}
