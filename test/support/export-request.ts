import type { Period } from "../../lambda/core/period.ts";

/** A pack of the period by average cost, which was chosen. */
export function exportRequest(period: Period) {
  return { period, method: "average", isMethodChosen: true, basis: "fill", allowIncomplete: false } as const;
}
