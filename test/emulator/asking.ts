import { type Emulator, SAMPLE_TOKEN } from "./core.ts";
import type { CompletedOrder, EmulatorAnswer, EmulatorHost, EmulatorRequest, HttpAnswer } from "./wire.ts";

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

/** The same, where no transport fault is expected. */
export function answerOf(emulator: Emulator, request: Ask, nowMs = NOW_MS): HttpAnswer {
  const answer = ask(emulator, request, nowMs);
  if ("fault" in answer) {
    throw new Error(`the emulator answered with a ${answer.fault}`);
  }
  return answer;
}

export interface Page {
  readonly completedOrders: readonly CompletedOrder[];
  readonly last?: string | null;
}

export interface Chain {
  readonly pages: readonly Page[];
  readonly rows: readonly CompletedOrder[];
  /** of every page that had one */
  readonly cursors: readonly string[];
  /** `end`: absent `last`. A status: of the request that was not answered with a page. `bound`: `maxPages` were read. */
  readonly outcome: "end" | "bound" | number;
}

export interface ChainOptions {
  readonly startDate?: number;
  readonly endDate?: number;
  readonly nowMs?: number;
  /** per page; default 0 */
  readonly stepMs?: number;
  readonly maxPages?: number;
  /** Whether the dates go with the cursor; default true. */
  readonly datesWithCursor?: boolean;
}

/** Follows `last` by its presence until it is absent, or null. */
export function readChain(emulator: Emulator, options: ChainOptions = {}): Chain {
  const { startDate, endDate, nowMs = NOW_MS, stepMs = 0, maxPages = 2000, datesWithCursor = true } = options;
  const dates = {
    ...(startDate === undefined ? {} : { startDate: String(startDate) }),
    ...(endDate === undefined ? {} : { endDate: String(endDate) }),
  };
  const pages: Page[] = [];
  let query: Readonly<Record<string, string>> = dates;
  const ended = (outcome: Chain["outcome"]): Chain => ({
    pages,
    rows: pages.flatMap((page) => page.completedOrders),
    cursors: pages.flatMap((page) => (typeof page.last === "string" ? [page.last] : [])),
    outcome,
  });
  while (pages.length < maxPages) {
    const answer = answerOf(emulator, { path: "/api/v1/completed-orders", query }, nowMs + pages.length * stepMs);
    if (answer.status !== 200) {
      return ended(answer.status);
    }
    const page: Page = JSON.parse(answer.body);
    pages.push(page);
    if (typeof page.last !== "string") {
      return ended("end");
    }
    query = { ...(datesWithCursor ? dates : {}), start: page.last };
  }
  return ended("bound");
}
