import { nameOf, statusOf } from "../storage/s3-errors.ts";

/** How long a client of the SDK waits, ms: a call that hangs must not take a whole slice. As the SDK's handlers take it. */
export interface Timeouts {
  readonly connectionTimeout: number;
  /** Until the answer begins. */
  readonly requestTimeout: number;
  /** Without it the SDK only warns. */
  readonly throwOnRequestTimeout: boolean;
}

/** Of calls with small answers; each is sent three times at most. */
export const SHORT_CALLS: Timeouts = { connectionTimeout: 5000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** Services say it with several statuses, 400 among them. */
const BUSY = /throttl|too ?many ?requests|request ?limit ?exceeded|slow ?down|request ?timeout/i;

/** Whether a call of AWS may go well at another time, with nothing changed: it was not answered, or with a fault of AWS's own. */
export function mayPass(error: unknown): boolean {
  const [status, name] = [statusOf(error), nameOf(error)];
  if (status === null) {
    return !isUnset(error);
  }
  return status >= 500 || status === 429 || BUSY.test(name);
}

/** Never asked, for want of credentials or of a region. */
function isUnset(error: unknown): boolean {
  const message = error instanceof Error ? error.message : "";
  return nameOf(error) === "CredentialsProviderError" || message.startsWith("Region is missing");
}
