import type { EmulatorAnswer, EmulatorRequest } from "./wire.ts";

/** The requests that the emulator received, for tests that count them. */
export interface RequestLog {
  requests: number;
  /** number of answers by status, or by the name of the transport fault */
  readonly byOutcome: Record<string, number>;
  /** Every completed-orders request, including refused ones. */
  readonly completedOrders: LoggedPage[];
}

export interface LoggedPage {
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

export function noteRequest(log: RequestLog, request: EmulatorRequest, nowMs: number): void {
  log.requests += 1;
  if (isCompletedOrders(request)) {
    log.completedOrders.push({
      startDate: request.query.get("startDate"),
      endDate: request.query.get("endDate"),
      start: request.query.get("start"),
      nowMs,
      outcome: "",
    });
  }
}

export function noteAnswer(log: RequestLog, request: EmulatorRequest, answer: EmulatorAnswer): void {
  const outcome = "fault" in answer ? answer.fault : String(answer.status);
  log.byOutcome[outcome] = (log.byOutcome[outcome] ?? 0) + 1;
  const newest = log.completedOrders.at(-1);
  if (newest !== undefined && isCompletedOrders(request)) {
    newest.outcome = outcome;
  }
}

function isCompletedOrders(request: EmulatorRequest): boolean {
  return request.path === "/api/v1/completed-orders";
}
