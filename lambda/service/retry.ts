import type { Random } from "../core/random.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";

/** What may be asked again, and when. Pure: undici's own retries know too few failures and shorten Retry-After (so they are not used). */
export const MAX_ATTEMPTS = 8;
/** At a host that has not answered yet in this run: its address may be wrong, and a person waits. */
export const FIRST_ATTEMPTS = 3;
const BASE_MS = 500;
const CAP_MS = 30 * SECOND_MS;

/** How a request failed without an answer that can be read. */
export type NetworkFailure =
  /** The host's name is not known, or its certificate is not accepted: the address is wrong, asking again does not help. */
  | "wrong-address"
  /** Nothing listens there: the request was not received. */
  | "refused"
  /** Cut, reset, timed out: the request may have been received. */
  | "broken"
  /** The answer is larger than its limit. */
  | "too-large"
  /** None of the network's: a fault of ours. */
  | "fault";

const CERTIFICATE =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT|ERR_SSL_|EPROTO$|HOSTNAME_MISMATCH)/;
const OURS = /^(?:UND_ERR_INVALID_|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_|ERR_INVALID_|ERR_HTTP_|$)/;

/** The failure behind the `code` of an error of the operating system, TLS or undici; "" for none. */
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

/** Whether a status may be another one a moment later. 429 may as well, but its wait is the limiter's. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status <= 599);
}

/** ms to wait before the next attempt after `failures` failed ones, with full jitter; null: give up. */
export function nextDelayMs(failures: number, random: Random, attempts = MAX_ATTEMPTS): number | null {
  return failures >= attempts ? null : random.next() * backoffMs(failures);
}

/** 500 ms doubled with every failure after the first, at most 30 s. */
export function backoffMs(failures: number): number {
  return Math.min(CAP_MS, BASE_MS * 2 ** (failures - 1));
}

/**
 * The wait that a Retry-After header asks for, ms, however long; null when there is none that can be read. A date counts from the answer's own
 * Date when the two clocks differ by less than an hour, so that ours, being ahead, does not shorten the wait.
 */
export function retryAfterMs(retryAfter: string | undefined, date: string | undefined, now: number): number | null {
  if (retryAfter === undefined) {
    return null;
  }
  const text = retryAfter.trim();
  if (/^\d{1,12}(?:\.\d+)?$/.test(text)) {
    return Math.ceil(Number(text) * SECOND_MS);
  }
  const until = httpDate(text);
  if (until === null) {
    return null;
  }
  return Math.max(0, until - serverTime(date, now));
}

/** The time by which the service counts, ms UTC: the answer's own Date where it is earlier than our `now`, by less than an hour. */
export function serverTime(date: string | undefined, now: number): number {
  const serverNow = httpDate(date ?? "");
  return serverNow !== null && Math.abs(serverNow - now) < HOUR_MS ? Math.min(serverNow, now) : now;
}

/** ms UTC; null for what is no date. RFC 9110, 5.6.7. The obsolete forms are read as Date.parse reads them, in UTC. */
export function httpDate(text: string): number | null {
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) {
    return null;
  }
  const time = Date.parse(/GMT$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : time;
}
