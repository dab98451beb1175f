import { FillbookError } from "../core/errors.ts";
import type { TokenSource } from "../core/token.ts";
import { failureText, redirectTarget, serviceMessage } from "./messages.ts";
import { isRetryableStatus, networkFailure } from "./retry.ts";
import type { HttpOutcome, Transport } from "./transport.ts";

/** What one outcome of a request means: the answer, another attempt, or an error for a person. Pure. */
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
  readonly other?: (status: number, body: string) => { readonly answer: T } | undefined;
  /** What may have happened when the answer is lost; absent for a question that changes nothing, which is asked again. */
  readonly changes?: string;
}

type Answer = Extract<HttpOutcome, { kind: "answer" }>;

export type Step<T> =
  | { readonly kind: "done"; readonly answer: T }
  | { readonly kind: "refused" }
  | { readonly kind: "unauthorised"; readonly error: FillbookError }
  /** May pass. `received`: the service may have acted on the request. */
  | { readonly kind: "failed"; readonly reason: string; readonly hint: string; readonly received: boolean };

export const KEPT = "what was walked is kept; run again later";

/** @throws FillbookError when asking again does not help. */
export function classifyResponse<T>(host: Host, question: Question<T>, outcome: HttpOutcome): Step<T> {
  if (outcome.kind === "failed") {
    return judgeFailure(host, question, outcome.code);
  }
  const other = question.other?.(outcome.status, outcome.body);
  if (other !== undefined) {
    return { kind: "done", answer: other.answer };
  }
  if (outcome.status === 429) {
    return { kind: "refused" };
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
      return { kind: "failed", reason: text, hint: unmetHint(host), received: false };
    case "broken":
      return { kind: "failed", reason: text, hint: KEPT, received: true };
  }
}

/** Of a host that may not be the service at all. */
export function unmetHint({ option, address }: Host): string {
  return `check ${option} (${address.origin}), or run again when the service is there`;
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
