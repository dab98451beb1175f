import type { EmulatorAnswer, EmulatorRequest } from "./wire.ts";

/** The requests that the emulator received, for tests that count them. */
export interface RequestLog {
  requests: number;
  /** number of answers by status, or by the name of the transport fault */
  readonly byOutcome: Record<string, number>;
  /** Every completed-orders request, including refused ones. */
  readonly completedOrders: LoggedPage[];
}

interface LoggedPage {
  /** ms, as text; null when not given */
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly start: string | null;
  readonly nowMs: number;
  /** Status, or the name of the transport fault. */
  outcome: string;
}

export function newRequestLog(): RequestLog {
  return { requests: 0, byOutcome: {}, completedOrders: [] };
}

/** Notes a request, and its answer as soon as there is one. */
export function noted(log: RequestLog, { path, query }: EmulatorRequest, nowMs: number, answer: () => EmulatorAnswer) {
  log.requests += 1;
  const [startDate, endDate, start] = [query.get("startDate"), query.get("endDate"), query.get("start")];
  const page: LoggedPage = { startDate, endDate, start, nowMs, outcome: "" };
  if (path === "/api/v1/completed-orders") {
    log.completedOrders.push(page);
  }
  const given = answer();
  page.outcome = "fault" in given ? given.fault : String(given.status);
  log.byOutcome[page.outcome] = (log.byOutcome[page.outcome] ?? 0) + 1;
  return given;
}
