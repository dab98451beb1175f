import { isUtf8 } from "node:buffer";
import { type Dispatcher, Pool } from "undici";
import type { Clock } from "../clock.ts";
import { StoppedError } from "../errors.ts";
import { SECOND_MS } from "../model/time.ts";
import type { AllowanceHeader } from "./allowance.ts";

/** One host of the service, over HTTP/1.1. Nothing is followed, retried or decompressed here. */
export interface Transport {
  /** Rejects with StoppedError when the signal aborts; every other outcome is a value. */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpOutcome>;
  /** Ends requests in flight, and frees the sockets. */
  close(): Promise<void>;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** From the host's root: begins with a slash, query included. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type HttpOutcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly header: (name: "retry-after" | "location" | AllowanceHeader | "date") => string | undefined;
      readonly body: string;
    }
  /** `code` as the operating system, TLS or undici names it; "" for none. Never the error itself, which may hold what was sent or received. */
  | { readonly kind: "failed"; readonly code: string };

export interface TransportOptions {
  /** An address that `checkAddress` of address.ts accepts. */
  readonly address: string;
  /** Most sockets at once. */
  readonly connections: number;
  /** For the deadline of a whole request. Sockets live in real time: so should this. */
  readonly clock: Clock;
  readonly limits?: Partial<Limits>;
}

export interface Limits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** between two pieces of the body */
  readonly bodyMs: number;
  /** from the first byte sent to the last received: bounds a body that drips */
  readonly totalMs: number;
  /** of one body */
  readonly maxBytes: number;
}

export const LIMITS: Limits = {
  connectMs: 10 * SECOND_MS,
  headersMs: 30 * SECOND_MS,
  bodyMs: 30 * SECOND_MS,
  totalMs: 120 * SECOND_MS,
  maxBytes: 8 * 1024 * 1024, // a page is some 50 kB
};

/** Codes of our own: a body that is not UTF-8 text, a request that took too long altogether, an answer that is not HTTP. */
const NOT_TEXT = "NOT_UTF8";
const TOO_SLOW = "TOO_SLOW";
const NOT_HTTP = "NOT_HTTP";

export function createTransport(options: TransportOptions): Transport {
  const limits = { ...LIMITS, ...options.limits };
  const url = new URL(options.address);
  const prefix = url.pathname.replace(/\/+$/, "");
  const pool = new Pool(url.origin, {
    connections: options.connections,
    pipelining: 1,
    allowH2: false, // a lost connection then costs one request
    connect: { timeout: limits.connectMs },
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
    maxResponseSize: limits.maxBytes,
  });
  return {
    send: (request, signal) =>
      withDeadline(options.clock, limits.totalMs, signal, async (ended) => {
        const { path, body, ...rest } = request;
        const answer = await pool.request({ ...rest, path: prefix + path, body: body ?? null, signal: ended });
        return readAnswer(answer);
      }),
    close: () => pool.destroy(),
  };
}

async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<HttpOutcome> {
  const bytes = Buffer.from(await body.arrayBuffer());
  if (!isUtf8(bytes)) {
    return { kind: "failed", code: NOT_TEXT };
  }
  return {
    kind: "answer",
    status: statusCode,
    header: (name) => [headers[name]].flat()[0],
    body: bytes.toString("utf8"),
  };
}

/** Runs `work` with a signal that follows `signal` and the deadline. */
async function withDeadline(
  clock: Clock,
  totalMs: number,
  signal: AbortSignal,
  work: (ended: AbortSignal) => Promise<HttpOutcome>,
): Promise<HttpOutcome> {
  if (signal.aborted) {
    throw new StoppedError();
  }
  const cut = new AbortController();
  const done = new AbortController();
  const stop = () => cut.abort();
  signal.addEventListener("abort", stop);
  clock.sleep(totalMs, done.signal).then(stop, () => undefined);
  try {
    return await work(cut.signal);
  } catch (error) {
    if (signal.aborted) {
      throw new StoppedError();
    }
    return { kind: "failed", code: cut.signal.aborted ? TOO_SLOW : codeOf(error) };
  } finally {
    signal.removeEventListener("abort", stop);
    done.abort();
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === "HTTPParserError") {
    return NOT_HTTP; // undici gives it a code sometimes
  }
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
