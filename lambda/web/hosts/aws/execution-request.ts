import { hash } from "node:crypto";
import { fieldsIn, textIn } from "../../json.ts";
import { KINDS, type MakeRequest, REQUEST_FIELDS } from "../../ports.ts";

/** What an execution of the page was asked to do, and for whom. */
export interface Asked {
  readonly request: MakeRequest;
  readonly startedBy: string;
}

/** Of a name or a time. */
const LONGEST_TEXT = 128;
/** What the list of executions lags behind by, and more: who asks twice within it means one job. */
const SAME_MOMENT_MS = 5000;

const NAME = /^(?<account>[a-z0-9-]{1,32})\.(?<request>[0-9a-f]{12})\.[0-9a-z]{1,11}$/;

/** An execution's name: `<account>.<the request's hash>.<when>`. No other of the machine has it in 90 days. `now`: ms UTC. */
export function executionName(request: MakeRequest, now: number): string {
  return `${request.account}.${requestHash(request)}.${Math.floor(now / SAME_MOMENT_MS).toString(36)}`;
}

/** Whether a name is of the page's form, and of this account. */
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

/** The function's event. */
export function executionInput({ request: { kind, ...rest }, startedBy }: Asked): string {
  return JSON.stringify({ action: kind, ...rest, startedBy: startedBy.slice(0, LONGEST_TEXT) });
}

/** The same read back. Null for what the page would not have started for this account: anybody may start the machine with anything. */
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
  const startedBy = textIn(fields, "startedBy", LONGEST_TEXT) ?? "the command line";
  return { request: { account, kind, ...Object.fromEntries(given) }, startedBy };
}
