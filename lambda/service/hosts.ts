import { systemAfter } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import type { TokenSource } from "../core/token.ts";
import { checkAddress } from "./address.ts";
import type { Host } from "./classify-response.ts";
import type { Limiter } from "./limiter.ts";
import { createTransport, type Transport, type TransportOptions } from "./transport.ts";

/** The hosts of one face of the service, each opened when it is first asked. */
export interface Hosts {
  /** @throws FillbookError `usage` when its address, or the token that it needs, is not set. */
  get(option: string, endpoint: string): Host;
  readonly close: () => Promise<void>;
}

export interface HostAddress {
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
export function openHosts(options: HostOptions, addresses: readonly HostAddress[]): Hosts {
  const { tokens, limiter, connect = createTransport, limits = {} } = options;
  const urls = new Map(addresses.map((one) => [one.option, one.address && checkAddress(one.address, one.option)]));
  const open = new Map<string, Host>();
  return {
    get(option, endpoint) {
      const known = open.get(option);
      if (known !== undefined) {
        return known;
      }
      const address = urls.get(option);
      if (!(address instanceof URL)) {
        throw new FillbookError("usage", `${endpoint}: the address of its host is not set`, {
          hint: `give it with ${option}, or in FILLBOOK_${option.slice(2).toUpperCase().replaceAll("-", "_")}`,
        });
      }
      const showsToken = addresses.some((one) => one.option === option && one.showsToken);
      if (showsToken && tokens === null) {
        throw new FillbookError("usage", `${endpoint}: there is no token`, {
          hint: "set FILLBOOK_TOKEN, or FILLBOOK_TOKEN_SECRET to the name of the secret that holds it",
        });
      }
      const transport = connect({
        address: address.href,
        connections: limiter.maxInFlight,
        after: systemAfter,
        limits,
      });
      const host = { option, address, transport, tokens: showsToken ? tokens : null };
      open.set(option, host);
      return host;
    },
    async close() {
      await Promise.all([...open.values()].map(({ transport }) => transport.close()));
    },
  };
}
