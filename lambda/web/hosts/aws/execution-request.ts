import { hash } from "node:crypto";
import { fieldsIn, textIn } from "../../../core/record.ts";
import { periodOf } from "../../make-request-form.ts";
import { KINDS, type MakeRequest, REQUEST_FIELDS } from "../../ports.ts";

/** The request of an execution that the page started, and who started it. */
export interface Asked {
  readonly request: MakeRequest;
  readonly startedBy: string;
}

/** Characters of a name or a time. */
const LONGEST_TEXT = 128;
/** Longer than the list of executions lags behind. Two equal requests within this time mean one job. */
const SAME_MOMENT_MS = 5000;

const NAME = /^(?<account>[a-z0-9-]{1,32})\.(?<request>[0-9a-f]{12})\.[0-9a-z]{1,11}$/;

/**
 * An execution's name: `<account>.<the request's hash>.<when>`. No other execution of the machine has the
 * name for 90 days. `now`: ms UTC.
 */
export function executionName(request: MakeRequest, now: number): string {
  return `${request.account}.${requestHash(request)}.${Math.floor(now / SAME_MOMENT_MS).toString(36)}`;
}

/** True if the name has the page's form and belongs to this account. */
export function isOfAccount(account: string, name: string): boolean {
  return NAME.exec(name)?.groups?.["account"] === account;
}

export function isOfRequest(request: MakeRequest, name: string): boolean {
  return isOfAccount(request.account, name) && NAME.exec(name)?.groups?.["request"] === requestHash(request);
}

function requestHash(request: MakeRequest): string {
  const { account, kind } = request;
  return hash(
    "sha256",
    JSON.stringify([account, kind, ...REQUEST_FIELDS.map((field) => request[field] ?? null)]),
    "hex",
  ).slice(0, 12);
}

/** The event for the function. */
export function executionInput({ request: { kind, ...rest }, startedBy }: Asked): string {
  return JSON.stringify({ action: kind, ...rest, startedBy: startedBy.slice(0, LONGEST_TEXT) });
}

/**
 * Parses an execution's input. Null if the page would not have started it for this account: anybody with
 * access may start the machine with any input.
 */
export function readExecutionInput(account: string, input: string): Asked | null {
  const fields = fieldsIn(input);
  const kind = KINDS.find((one) => one === fields["action"]);
  if (kind === undefined || fields["account"] !== account) {
    return null;
  }
  const given = REQUEST_FIELDS.flatMap((field) => {
    const text = textIn(fields, field, LONGEST_TEXT);
    return text === null ? [] : [[field, text]];
  });
  const request: MakeRequest = { account, kind, ...Object.fromEntries(given) };
  const startedBy = textIn(fields, "startedBy", LONGEST_TEXT) ?? "the command line";
  return kind !== "export" || hasPeriod(request) ? { request, startedBy } : null;
}

function hasPeriod(request: MakeRequest): boolean {
  try {
    return periodOf(request) !== null;
  } catch {
    return false;
  }
}
