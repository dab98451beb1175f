import type { Clock } from "../clock.ts";
import { asFillbookError, FillbookError } from "../errors.ts";
import type { Random } from "../random.ts";
import type { Token, TokenSource } from "../token.ts";
import { type Answered, type Limiter, MAX_WAIT_MS, tooLong } from "./limiter.ts";
import { failureText, redirectTarget, serviceMessage, withoutToken } from "./messages.ts";
import { isRetryableStatus, MAX_ATTEMPTS, networkFailure, nextDelayMs, retryAfterMs } from "./retry.ts";
import type { HttpOutcome, Transport } from "./transport.ts";

/** Asks one question until it is answered, or cannot be: the limiter's turn, the retries, the token read again. */
export interface Host {
  /** The option that sets its address, for messages. */
  readonly option: string;
  readonly address: URL;
  readonly transport: Transport;
  /** null: this host is never shown the token. */
  readonly tokens: TokenSource | null;
}

export interface Question<T> {
  /** Names the endpoint in messages. */
  readonly endpoint: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** JSON, of a POST. */
  readonly body?: string;
  /** The answer in a body of status 200. Throws a FillbookError: `incomplete` when asking again may help. */
  readonly decode: (body: string) => T;
  /** What another status means here; undefined when it is an error as elsewhere. */
  readonly other?: (status: number) => { readonly answer: T } | undefined;
  /** What may have happened when the answer is lost; absent for a question that changes nothing, which is asked again. */
  readonly changes?: string;
}

export interface AskPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly limiter: Limiter;
  /** How long refusals of one request are waited out; default one hour. */
  readonly maxWaitMs?: number;
}

export interface Asker {
  ask<T>(host: Host, question: Question<T>, signal: AbortSignal): Promise<T>;
  /** Requests sent, retries included; and those of them refused with 429. */
  readonly counts: { readonly requests: number; readonly refused: number };
}

type Answer = Extract<HttpOutcome, { kind: "answer" }>;

type Step<T> =
  | { readonly kind: "done"; readonly answer: T }
  | { readonly kind: "refused"; readonly waitMs: number }
  | { readonly kind: "unauthorised"; readonly error: FillbookError }
  /** May pass. `received`: the service may have acted on the request. */
  | { readonly kind: "failed"; readonly reason: string; readonly hint: string; readonly received: boolean };

const KEPT = "what was walked is kept; run again later";

export function createAsker(ports: AskPorts): Asker {
  const { clock, random, limiter, maxWaitMs = MAX_WAIT_MS } = ports;
  const counts = { requests: 0, refused: 0 };
  return { ask, counts };

  async function ask<T>(host: Host, question: Question<T>, signal: AbortSignal): Promise<T> {
    let token = host.tokens === null ? null : await host.tokens.current();
    let renewed = false;
    let failures = 0;
    let refusedSince: number | null = null;
    try {
      while (true) {
        const outcome = await send(host, question, token, signal);
        const step = judge(host, question, outcome, clock.now());
        if (step.kind === "done") {
          return step.answer;
        }
        if (step.kind === "unauthorised") {
          token = await otherToken(host, token, renewed, step.error);
          renewed = true;
        } else if (step.kind === "refused") {
          refusedSince ??= clock.monotonic();
          checkWait(question.endpoint, clock.monotonic() - refusedSince, step.waitMs);
        } else {
          failures += 1;
          await pauseAfter(question, step, failures, signal);
        }
      }
    } catch (error) {
      throw withoutToken(asFillbookError(error), token);
    }
  }

  async function send<T>(
    host: Host,
    { method, path, body }: Question<T>,
    token: Token | null,
    signal: AbortSignal,
  ): Promise<HttpOutcome> {
    const permit = await limiter.acquire(signal);
    let answered: Answered = { kind: "failed" };
    try {
      counts.requests += 1;
      const headers = headersOf(token, body !== undefined);
      const request = body === undefined ? { method, path, headers } : { method, path, headers, body };
      const outcome = await host.transport.send(request, signal);
      answered = answeredBy(outcome, clock.now());
      counts.refused += outcome.kind === "answer" && outcome.status === 429 ? 1 : 0;
      return outcome;
    } finally {
      permit.release(answered);
    }
  }

  /** Refusals are waited out, and bounded by time: the limiter paces them, and a count would give up before a quota of a minute is over. */
  function checkWait(endpoint: string, waitedMs: number, waitMs: number): void {
    if (waitMs > maxWaitMs) {
      throw tooLong(waitMs, maxWaitMs);
    }
    if (waitedMs + waitMs > maxWaitMs) {
      const seconds = Math.ceil(waitedMs / 1000);
      throw new FillbookError("incomplete", `${endpoint}: the service has refused the request (429) for ${seconds} s`, {
        hint: KEPT,
      });
    }
  }

  async function pauseAfter<T>(
    question: Question<T>,
    step: Extract<Step<T>, { kind: "failed" }>,
    failures: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { endpoint, changes } = question;
    if (changes !== undefined && step.received) {
      throw new FillbookError("incomplete", `${endpoint}: ${step.reason}; ${changes}`, { hint: step.hint });
    }
    const delayMs = nextDelayMs(failures, random);
    if (delayMs === null) {
      const message = `${endpoint}: gave up after ${MAX_ATTEMPTS} attempts: ${step.reason}`;
      throw new FillbookError("incomplete", message, { hint: step.hint });
    }
    await clock.sleep(delayMs, signal);
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

/** What the limiter learns. A wait that another status than 429 asks for is kept as well. */
function answeredBy(outcome: HttpOutcome, now: number): Answered {
  if (outcome.kind === "failed") {
    return { kind: "failed" };
  }
  const waitMs = waitOf(outcome, now);
  if (outcome.status === 429 || (isRetryableStatus(outcome.status) && waitMs !== null)) {
    return { kind: "refused", retryAfterMs: waitMs };
  }
  return { kind: outcome.status >= 500 ? "failed" : "answered" };
}

function waitOf({ header }: Answer, now: number): number | null {
  return retryAfterMs(header("retry-after"), header("date"), now);
}

/** A token that is not the one refused: one that another request has fetched meanwhile, or the source's, read again once. */
async function otherToken(
  host: Host,
  refused: Token | null,
  renewed: boolean,
  error: FillbookError,
): Promise<Token | null> {
  if (host.tokens === null || refused === null || renewed) {
    throw error;
  }
  const known = await host.tokens.current();
  const token = known.equals(refused) ? await host.tokens.refresh() : known;
  if (token.equals(refused)) {
    throw error;
  }
  return token;
}

function judge<T>(host: Host, question: Question<T>, outcome: HttpOutcome, now: number): Step<T> {
  if (outcome.kind === "failed") {
    return judgeFailure(host, question, outcome.code);
  }
  const other = question.other?.(outcome.status);
  if (other !== undefined) {
    return { kind: "done", answer: other.answer };
  }
  if (outcome.status === 429) {
    return { kind: "refused", waitMs: waitOf(outcome, now) ?? 0 };
  }
  if (isRetryableStatus(outcome.status)) {
    const reason = `the service answered ${outcome.status}${serviceMessage(outcome.body)}`;
    return { kind: "failed", reason, hint: KEPT, received: true };
  }
  return outcome.status >= 200 && outcome.status < 300 ? decoded(question, outcome) : denied(host, question, outcome);
}

function judgeFailure<T>(host: Host, { endpoint }: Question<T>, code: string): Step<T> {
  const text = failureText(code);
  const hint = `check ${host.option} (${host.address.origin})`;
  switch (networkFailure(code)) {
    case "wrong-address":
      throw new FillbookError("usage", `${endpoint}: no connection to ${host.address.host}: ${reasonOf(code)}`, {
        hint,
      });
    case "too-large":
      throw new FillbookError("untrusted", `${endpoint}: the answer is larger than a client should take`, { hint });
    case "fault":
      throw new FillbookError("fault", `${endpoint}: the request could not be sent${code === "" ? "" : ` (${code})`}`);
    case "refused":
      return { kind: "failed", reason: text, hint: `${hint}, or run again when the service is there`, received: false };
    case "broken":
      return { kind: "failed", reason: text, hint: KEPT, received: true };
  }
}

function reasonOf(code: string): string {
  return code === "ENOTFOUND" ? failureText(code) : `its certificate is not accepted (${code})`;
}

function decoded<T>(question: Question<T>, { status, body }: Answer): Step<T> {
  try {
    return { kind: "done", answer: question.decode(body) };
  } catch (error) {
    if (error instanceof FillbookError && error.kind === "incomplete") {
      const reason = `status ${status}, but ${error.message.replace(`${question.endpoint}: `, "")}`;
      return { kind: "failed", reason, hint: KEPT, received: true };
    }
    throw error;
  }
}

/** Statuses that stay as they are, however often one asks. */
function denied<T>(host: Host, { endpoint }: Question<T>, { status, body, header }: Answer): Step<T> {
  const said = serviceMessage(body);
  if (status === 401 || status === 403) {
    const message = `${endpoint}: the service refused the token (${status})${said}`;
    const hint = "it may have expired: set FILLBOOK_TOKEN, or the secret of FILLBOOK_TOKEN_SECRET, to a new one";
    const shown = new FillbookError("token", message, { hint });
    if (status === 401) {
      return { kind: "unauthorised", error: shown };
    }
    throw shown;
  }
  if (status >= 300 && status < 400) {
    const target = redirectTarget(header("location"), host.address);
    throw new FillbookError("usage", `${endpoint}: the service answered ${status} and points to ${target}`, {
      hint: `redirects are not followed; if it has moved, set ${host.option}`,
    });
  }
  if (status === 404) {
    throw new FillbookError("usage", `${endpoint}: ${host.address.host} does not know this endpoint (404)${said}`, {
      hint: `check ${host.option}: it may not be the service's address`,
    });
  }
  throw new FillbookError("usage", `${endpoint}: the service answered ${status}${said}`, {
    hint: `check what was asked, and ${host.option}`,
  });
}
