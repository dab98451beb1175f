import { systemAfter } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import { checkAddress } from "./address.ts";
import type { Host, Question } from "./classify-response.ts";
import type { Requester, ServiceOptions } from "./request-with-retry.ts";
import { createTransport } from "./transport.ts";

/** A host of the service that is opened at its first request. */
export interface LazyHost {
  /** Rejects with `usage` if its address or its token is not set; else as a Requester does. */
  ask<T>(question: Question<T>, signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

interface HostAddress {
  readonly option: string;
  readonly address: string | null;
  /** Whether requests to the host carry the token. */
  readonly showsToken: boolean;
}

/** @throws FillbookError `usage` for an invalid address. */
export function lazyHost(
  options: ServiceOptions,
  requester: Requester,
  { option, address, showsToken }: HostAddress,
): LazyHost {
  const { tokens, limiter, connect = createTransport, limits = {} } = options;
  const url = address ? checkAddress(address, option) : null;
  let host: Host | null = null;
  return {
    async ask(question, signal) {
      host ??= open(question.endpoint);
      return await requester.ask(host, question, signal);
    },
    async close() {
      await host?.transport.close();
    },
  };

  function open(endpoint: string): Host {
    if (url === null) {
      throw new FillbookError("usage", `${endpoint}: the address of its host is not set`, {
        hint: `give it with ${option}, or in FILLBOOK_${option.slice(2).toUpperCase().replaceAll("-", "_")}`,
      });
    }
    if (showsToken && tokens === null) {
      throw new FillbookError("usage", `${endpoint}: there is no token`, {
        hint: "set FILLBOOK_TOKEN, or FILLBOOK_TOKEN_SECRET to the name of the secret that holds it",
      });
    }
    const connections = limiter.maxInFlight;
    const transport = connect({ address: url.href, connections, after: systemAfter, limits });
    return { option, address: url, transport, tokens: showsToken ? tokens : null };
  }
}
