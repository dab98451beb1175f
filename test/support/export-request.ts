import type { Period } from "../../lambda/core/period.ts";

/** Requests a pack of the period by average cost, as the user's own choice. */
export function exportRequest(period: Period) {
  return { period, method: "average", isMethodChosen: true, basis: "fill", allowIncomplete: false } as const;
}
