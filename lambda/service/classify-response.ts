import { FillbookError } from "../core/errors.ts";
import type { TokenSource } from "../core/token.ts";
import { serviceMessage } from "./messages.ts";
import type { HttpOutcome, Transport } from "./transport.ts";

/**
 * Decides what one outcome of a request means: an answer, another attempt, or an error for a person. Pure.
 */
export interface Host {
  /** The option that sets the host's address, for messages. */
  readonly option: string;
  readonly address: URL;
  readonly transport: Transport;
  /** Null: this host never gets the token. */
  readonly tokens: TokenSource | null;
}

export interface Question<T> {
  /** Names the endpoint in messages. */
  readonly endpoint: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** JSON, for a POST. */
  readonly body?: string;
  /**
   * Decodes the body of an answer with status 200. Throws a FillbookError: `incomplete` if asking again may
   * help.
   */
  readonly decode: (body: string) => T;
  /** What another status means for this question. Undefined: it is an error, as usual. */
  readonly other?: (status: number, body: string) => { readonly answer: T } | undefined;
  /**
   * What may have happened if the answer is lost. Absent for a question that changes nothing: it is asked
   * again.
   */
  readonly changes?: string;
}

type Answer = Extract<HttpOutcome, { kind: "answer" }>;

export type Step<T> =
  | { readonly kind: "done"; readonly answer: T }
  | { readonly kind: "refused" }
  | { readonly kind: "unauthorised"; readonly error: FillbookError }
  /** This may pass. `received`: the service may have acted on the request. */
  | { readonly kind: "failed"; readonly reason: string; readonly hint: string; readonly received: boolean };

export const KEPT = "what was read is kept; run again later";

/** @throws FillbookError if asking again does not help. */
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
  if (isFromBetween(outcome)) {
    // A proxy or a guard in front of the service, not the service: its token is not in question.
    const reason = `something in front of the service answered ${outcome.status}${serviceMessage(outcome.body)}`;
    return { kind: "failed", reason, hint: KEPT, received: false };
  }
  return outcome.status >= 200 && outcome.status < 300
    ? decoded(host, question, outcome)
    : denied(host, question, outcome);
}

/** 403 with a page of HTML, or a 4xx that says when to come again. */
function isFromBetween({ status, body, header }: Answer): boolean {
  const isPage = status === 403 && /^\s*</.test(body);
  const isLater = status >= 400 && status < 500 && status !== 401 && header("retry-after") !== undefined;
  return isPage || isLater;
}

function judgeFailure<T>(host: Host, { endpoint }: Question<T>, code: string): Step<T> {
  const text = failureText(code);
  const hint = `check ${host.option} (${host.address.origin})`;
  switch (networkFailure(code)) {
    case "wrong-address":
      throw new FillbookError("usage", `${endpoint}: no connection to ${host.address.host}: ${reasonOf(code)}`, {
        hint: code === "ENOTFOUND" ? `${hint}, and that this machine has a network` : hint,
      });
    case "too-large":
      throw new FillbookError("untrusted", `${endpoint}: the answer exceeds the size limit`, { hint });
    case "fault":
      throw new FillbookError("fault", `${endpoint}: the request could not be sent${code === "" ? "" : ` (${code})`}`);
    case "refused":
      return { kind: "failed", reason: text, hint: unmetHint(host), received: false };
    case "broken":
      return { kind: "failed", reason: text, hint: KEPT, received: true };
  }
}

/** A hint for a host that may not be the service at all. */
export function unmetHint({ option, address }: Host): string {
  return `check ${option} (${address.origin}), or run again when the service is up`;
}

function reasonOf(code: string): string {
  return code === "ENOTFOUND" ? failureText(code) : `its certificate is not accepted (${code})`;
}

function decoded<T>(host: Host, question: Question<T>, { status, body }: Answer): Step<T> {
  try {
    return { kind: "done", answer: question.decode(body) };
  } catch (error) {
    if (error instanceof FillbookError && error.kind === "incomplete") {
      const reason = `status ${status}, but ${error.message.replace(`${question.endpoint}: `, "")}`;
      return { kind: "failed", reason, hint: KEPT, received: true };
    }
    throw error instanceof FillbookError && error.hint === undefined ? withHint(error, host) : error;
  }
}

/** Adds the host to the error of an answer that breaks the interface: a decoder does not know it. */
function withHint({ kind, message }: FillbookError, { option, address }: Host): FillbookError {
  return new FillbookError(kind, message, {
    hint: `check that ${option} (${address.origin}) is the service; if it is, tell its support: what was walked before is kept`,
  });
}

/** Handles statuses that stay the same however often one asks. */
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
    throw new FillbookError("usage", `${endpoint}: the service answered ${status} with a redirect to ${target}`, {
      hint: `redirects are not followed; if it has moved, set ${host.option}`,
    });
  }
  if (status === 404) {
    throw new FillbookError("usage", `${endpoint}: ${host.address.host} does not know this endpoint (404)${said}`, {
      hint: `check ${host.option}: it may not be the service's address`,
    });
  }
  throw new FillbookError("usage", `${endpoint}: the service answered ${status}${said}`, {
    hint: `check the request and ${host.option}`,
  });
}

/** How a request failed without a readable answer. */
export type NetworkFailure =
  /**
   * The host's name is unknown, or its certificate is not accepted. The address is wrong; asking again does
   * not help.
   */
  | "wrong-address"
  /** Nothing listens there, so the request was not received. */
  | "refused"
  /** Cut, reset or timed out. The request may have been received. */
  | "broken"
  /** The answer is larger than its limit. */
  | "too-large"
  /** Not a network failure: a fault of fillbook. */
  | "fault";

const CERTIFICATE =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT|ERR_SSL_|EPROTO$|HOSTNAME_MISMATCH)/;
const OURS = /^(?:UND_ERR_INVALID_|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_|ERR_INVALID_|ERR_HTTP_|$)/;

/** Classifies the `code` of an error of the operating system, TLS or undici. "": it has none. */
export function networkFailure(code: string): NetworkFailure {
  if (code === "ENOTFOUND" || CERTIFICATE.test(code)) {
    return "wrong-address";
  }
  if (code === "ECONNREFUSED") {
    return "refused";
  }
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    return "too-large";
  }
  return OURS.test(code) ? "fault" : "broken";
}

/** Whether the status may change in a moment. 429 may too, but the limiter handles its wait. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status <= 599);
}

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens at the address",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  ETIMEDOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  UND_ERR_BODY_TIMEOUT: "the answer stopped coming",
  TOO_SLOW: "the answer came too slowly",
  NOT_UTF8: "the answer is not UTF-8 text",
  NOT_HTTP: "the answer is not HTTP",
  ENOTFOUND: "the host's name is not known",
};

function failureText(code: string): string {
  const text = FAILURES[code] ?? "the connection failed";
  return `${text}${code === "" ? "" : ` (${code})`}`;
}

/** The host of a redirect. Its path is not shown, because it may contain anything. */
function redirectTarget(location: string | undefined, from: URL): string {
  const url = location === undefined ? null : URL.parse(location, from.href);
  return url === null ? "nowhere" : url.host;
}
