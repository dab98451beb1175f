import { systemAfter } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import type { TokenSource } from "../core/token.ts";
import { checkAddress } from "./address.ts";
import type { Host } from "./classify-response.ts";
import type { Limiter } from "./limiter.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport.ts";

/** A host of the service, opened when it is first asked. */
export interface LazyHost {
  /** @throws FillbookError `usage` when its address, or the token that it needs, is not set. */
  get(endpoint: string): Host;
  close(): Promise<void>;
}

interface HostAddress {
  readonly option: string;
  readonly address: string | null;
  /** Whether requests to it carry the token. */
  readonly showsToken: boolean;
}

interface HostOptions {
  readonly tokens: TokenSource | null;
  readonly limiter: Limiter;
  readonly connect?: (options: TransportOptions) => Transport;
  readonly limits?: TransportOptions["limits"];
}

/** @throws FillbookError `usage` for an address that is none. */
export function lazyHost(options: HostOptions, { option, address, showsToken }: HostAddress): LazyHost {
  const { tokens, limiter, connect = createTransport, limits = {} } = options;
  const url = address ? checkAddress(address, option) : null;
  let host: Host | null = null;
  return {
    get(endpoint) {
      host ??= open(endpoint);
      return host;
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
