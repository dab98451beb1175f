import { type Emulator, SAMPLE_TOKEN } from "./core.ts";
import type { EmulatorAnswer, EmulatorHost, EmulatorRequest } from "./wire.ts";

/** One request as a test writes it. */
export interface Ask {
  readonly path: string;
  readonly host?: EmulatorHost;
  readonly method?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** null: none is sent */
  readonly token?: string | null;
  readonly body?: string;
}

/** After every history of these tests. */
export const NOW_MS = Date.UTC(2026, 0, 15);

export function requestOf({
  path,
  host = "account",
  method = "GET",
  query = {},
  token = SAMPLE_TOKEN,
  body = "",
}: Ask): EmulatorRequest {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  return { method, host, path, query: new URLSearchParams(query), headers, body };
}

export function ask(emulator: Emulator, request: Ask, nowMs = NOW_MS): EmulatorAnswer {
  return emulator.handle(requestOf(request), nowMs);
}
