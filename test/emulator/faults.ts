import { hashText, share } from "../support/prng.ts";
import type { EmulatorAnswer, HttpAnswer } from "./wire.ts";

/**
 * Faults between the service's good answer and the client, after which it may ask again. `reset`: before the answer;
 * `cut`: in the middle of the body, short of its content-length; `html`, `half-json`, `not-object`, `error-body`: 200
 * with a page of HTML, with JSON that ends too soon, is no object or has only `{message}`; `hang`: never answered;
 * `slow`: the body in small pieces.
 */
export const PASSING_FAULTS = [
  ...(["408", "500", "502", "503", "504", "reset", "cut", "html"] as const),
  ...(["half-json", "not-object", "error-body", "hang", "slow"] as const),
] as const;

/** `huge`: 100 MB; `redirect`: 302 to another URL. */
export type FaultKind = (typeof PASSING_FAULTS)[number] | "huge" | "redirect";

/**
 * Two ways to plan faults. By chance: each attempt of a request fails with probability `rate`, with a kind
 * drawn from `kinds`, but at most `maxInARow` times in a row for the same request, so that a client that
 * retries makes progress. By schedule: the nth request of all, counted from 1, and the `times − 1` requests
 * after it.
 */
export interface FaultPlan {
  readonly rate?: number;
  readonly kinds?: readonly FaultKind[];
  /** default 2 */
  readonly maxInARow?: number;
  readonly schedule?: readonly { readonly nth: number; readonly times?: number; readonly kind: FaultKind }[];
  /** Size of `huge`; default 100 MB. */
  readonly hugeBytes?: number;
}

export type FaultState = ReturnType<typeof newFaultState>;

export function newFaultState() {
  /** `failed`: attempts so far, by request */
  return { requests: 0, failed: new Map<string, number>() };
}

/** The fault of this request, or null. `key` identifies the request: method, host, path and query. */
export function drawFault(plan: FaultPlan, state: FaultState, seed: number, key: string): FaultKind | null {
  state.requests += 1;
  const nth = state.requests;
  const planned = plan.schedule?.find((entry) => nth >= entry.nth && nth < entry.nth + (entry.times ?? 1));
  return planned === undefined ? drawByChance(plan, state, seed, key) : planned.kind;
}

/**
 * The draw depends on the request and its attempts, not on the order of arrival, so that the order in which
 * workers send requests changes nothing.
 */
function drawByChance(plan: FaultPlan, state: FaultState, seed: number, key: string): FaultKind | null {
  const kinds = plan.kinds ?? [];
  const failed = state.failed.get(key) ?? 0;
  const hash = hashText(key);
  const fails = failed < (plan.maxInARow ?? 2) && share(seed, hash, failed, 1) < (plan.rate ?? 0);
  if (!fails || kinds.length === 0) {
    state.failed.delete(key);
    return null;
  }
  state.failed.set(key, failed + 1);
  return kinds[Math.floor(share(seed, hash, failed, 2) * kinds.length)] ?? null;
}

/** The answer as the client sees it with this fault. */
export function applyFault(kind: FaultKind, good: HttpAnswer, plan: FaultPlan): EmulatorAnswer {
  switch (kind) {
    case "408":
    case "500":
    case "502":
    case "503":
    case "504":
      return { ...good, status: Number(kind), headers: TEXT, body: `error ${kind}` };
    case "reset":
    case "hang":
      return { fault: kind, latencyMs: good.latencyMs };
    case "cut":
      return { fault: "cut", latencyMs: good.latencyMs, answer: good };
    case "html":
      return {
        ...good,
        status: 200,
        headers: { "content-type": "text/html" },
        body: "<html><body>Be right back</body></html>",
      };
    case "half-json":
      return { ...good, body: good.body.slice(0, Math.floor(good.body.length / 2)) };
    case "not-object":
      return { ...good, status: 200, body: '"maintenance"' };
    case "error-body":
      return { ...good, status: 200, body: '{"message":"Internal server error"}' };
    case "slow":
      return { ...good, slow: { pieces: 5, everyMs: 20 } };
    case "huge":
      return { ...good, paddingBytes: plan.hugeBytes ?? 100_000_000 };
    case "redirect":
      return { ...good, status: 302, headers: { location: "/elsewhere" }, body: "" };
  }
}

const TEXT = { "content-type": "text/plain" };
