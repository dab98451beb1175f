import { nameOf, statusOf } from "../storage/s3-errors.ts";

/**
 * How long an SDK client waits, ms, in the form of the SDK's request handlers. A call that hangs must not
 * take a whole slice.
 */
export interface Timeouts {
  readonly connectionTimeout: number;
  /** Until the answer begins. */
  readonly requestTimeout: number;
  /** Without it, the SDK only logs a warning. */
  readonly throwOnRequestTimeout: boolean;
}

/** For calls with small answers. The SDK sends each at most three times. */
export const SHORT_CALLS: Timeouts = { connectionTimeout: 5000, requestTimeout: 10_000, throwOnRequestTimeout: true };

/** AWS services report throttling with several statuses, 400 among them. */
const BUSY = /throttl|too ?many ?requests|request ?limit ?exceeded|slow ?down|request ?timeout/i;

/**
 * True if an AWS call may succeed later without any change: it was not answered, it was throttled, or AWS had
 * a fault.
 */
export function mayPass(error: unknown): boolean {
  const [status, name] = [statusOf(error), nameOf(error)];
  if (status === null) {
    return !isUnset(error);
  }
  return status >= 500 || status === 429 || BUSY.test(name);
}

/** True if the call was never sent, because credentials or the region are missing. */
function isUnset(error: unknown): boolean {
  const message = error instanceof Error ? error.message : "";
  return nameOf(error) === "CredentialsProviderError" || message.startsWith("Region is missing");
}
