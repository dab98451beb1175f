import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher, Pool } from "undici";
import type { After } from "../core/clock.ts";
import { StoppedError, stopIfAborted } from "../core/errors.ts";
import { SECOND_MS } from "../core/time.ts";
import type { RateLimitHeader } from "./rate-limit-headers.ts";

/**
 * One host of the service over HTTP/1.1. It follows no redirect, repeats nothing and decompresses nothing.
 */
export interface Transport {
  /** Rejects with StoppedError when the signal aborts; every other outcome is a value. */
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpOutcome>;
  /** Ends requests in flight and frees the sockets. */
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
      readonly header: (name: "retry-after" | "location" | RateLimitHeader | "date") => string | undefined;
      readonly body: string;
    }
  /**
   * `code` as the operating system, TLS or undici names it; "": none. Never the error itself, which may hold
   * what was sent or received.
   */
  | { readonly kind: "failed"; readonly code: string };

export interface TransportOptions {
  /** An address that `checkAddress` accepts. */
  readonly address: string;
  /** The most sockets at once. */
  readonly connections: number;
  /** Limits the whole request. Sockets live in real time, so this must too. */
  readonly after: After;
  readonly limits?: Partial<Limits>;
}

export interface Limits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly bodyMs: number;
  /** From the first byte sent to the last byte received. Limits a body that drips. */
  readonly totalMs: number;
  /** Of one body. */
  readonly maxBytes: number;
}

export const LIMITS: Limits = {
  connectMs: 10 * SECOND_MS,
  headersMs: 30 * SECOND_MS,
  bodyMs: 30 * SECOND_MS,
  totalMs: 120 * SECOND_MS,
  maxBytes: 8 * 1024 * 1024, // a page is some 50 kB
};

/** Our own codes: a body that is not UTF-8 text, a request that took too long, an answer that is not HTTP. */
const NOT_TEXT = "NOT_UTF8";
const TOO_SLOW = "TOO_SLOW";
const NOT_HTTP = "NOT_HTTP";

export function createTransport(options: TransportOptions): Transport {
  const { address, connections, after } = options;
  const limits = { ...LIMITS, ...options.limits };
  const url = new URL(address);
  const prefix = url.pathname.replace(/\/+$/, "");
  let opened: Promise<Pool> | null = null;
  const open = async () => {
    const undici = await import("undici"); // most commands need none
    return new undici.Pool(url.origin, {
      connections,
      pipelining: 1,
      allowH2: false, // a lost connection then costs one request
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.bodyMs,
      maxResponseSize: limits.maxBytes,
    });
  };
  return {
    async send({ method, path, headers, body = null }, signal) {
      opened ??= open();
      const pool = await opened;
      stopIfAborted(signal);
      const { promise, resolve, reject } = Promise.withResolvers<HttpOutcome>();
      const exchange = new Exchange(resolve);
      const stop = () => {
        reject(new StoppedError());
        exchange.cut();
      };
      const expire = () => {
        resolve({ kind: "failed", code: TOO_SLOW });
        exchange.cut();
      };
      signal.addEventListener("abort", stop);
      const cancel = after(limits.totalMs, expire);
      pool.dispatch({ method, path: prefix + path, headers, body }, exchange);
      try {
        return await promise;
      } finally {
        signal.removeEventListener("abort", stop);
        cancel();
      }
    },
    close: async () => await (await opened)?.destroy(),
  };
}

/**
 * One request, as undici reports it step by step. (undici's own `request` would make a stream and a signal
 * for it.) Events after the outcome are ignored.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: (outcome: HttpOutcome) => void;
  readonly #pieces: Buffer[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #isCut = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};

  constructor(settle: (outcome: HttpOutcome) => void) {
    this.#settle = settle;
  }

  /** Frees the socket, also for a request that still waits for one. */
  cut(): void {
    this.#isCut = true;
    this.#controller?.abort(new StoppedError());
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isCut) {
      this.cut();
    }
  }

  /** Also called for an interim answer (1xx). The last call counts. */
  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces.push(piece);
  }

  onResponseEnd(): void {
    this.#settle(answerOf(this.#status, this.#headers, Buffer.concat(this.#pieces)));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#settle({ kind: "failed", code: codeOf(error) });
  }
}

function answerOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): HttpOutcome {
  if (!isUtf8(bytes)) {
    return { kind: "failed", code: NOT_TEXT };
  }
  const header = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return { kind: "answer", status, header, body: bytes.toString("utf8") };
}

function codeOf(error: unknown): string {
  if (error instanceof Error && error.name === "HTTPParserError") {
    return NOT_HTTP; // undici gives it a code sometimes
  }
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
