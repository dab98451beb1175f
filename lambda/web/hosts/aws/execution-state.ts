import { hash } from "node:crypto";
import type { DescribeExecutionOutput } from "@aws-sdk/client-sfn";
import { covers } from "../../../core/ranges.ts";
import { type Fields, fieldsIn, textIn } from "../../../core/record.ts";
import { counted } from "../../../core/text.ts";
import type { ArchiveView } from "../../data/archives.ts";
import { periodOf } from "../../make-request-form.ts";
import { type JobState, KINDS, type MakeRequest, REQUEST_FIELDS } from "../../ports.ts";
import { doneNote, STOPPED, sentenceOf } from "../../words.ts";

type ReadSoFar = Pick<ArchiveView, "coverage" | "fills">;

/** The request of an execution that the page started, and who started it. */
export interface Asked {
  readonly request: MakeRequest;
  readonly startedBy: string;
}

/** Characters of a name or a time. */
const LONGEST_TEXT = 128;
/** Longer than the list of executions lags behind. Two equal requests within this time mean one job. */
const SAME_MOMENT_MS = 5000;

const NAME = /^(?<account>[a-z0-9-]{1,32})\.[0-9a-f]{12}\.[0-9a-z]{1,11}$/;

/**
 * An execution's name: `<account>.<the request's hash>.<when>`. No other execution of the machine has the
 * name for 90 days. `now`: ms UTC.
 */
export function executionName(request: MakeRequest, now: number): string {
  return `${nameBegin(request)}${Math.floor(now / SAME_MOMENT_MS).toString(36)}`;
}

/** True if the name has the page's form and belongs to this account. */
export function isOfAccount(account: string, name: string): boolean {
  return NAME.exec(name)?.groups?.["account"] === account;
}

/** What names of executions with this request begin with. */
export function nameBegin(request: MakeRequest): string {
  const { account, kind } = request;
  const fields = [account, kind, ...REQUEST_FIELDS.map((field) => request[field] ?? null)];
  return `${account}.${hash("sha256", JSON.stringify(fields)).slice(0, 12)}.`;
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

/** As Step Functions reports it. Its texts are untrusted. */
export interface Execution
  extends Pick<DescribeExecutionOutput, "status" | "startDate" | "input" | "output" | "cause"> {
  readonly name: string;
}

/**
 * An execution as the page shows it; null if the page would not have started it. `archiveOf` is called only
 * for a running export or sync.
 */
export async function stateOf(
  account: string,
  { name: id, status, startDate, input = "", output = "", cause = "" }: Execution,
  archiveOf: () => Promise<ReadSoFar>,
): Promise<JobState | null> {
  const asked = readExecutionInput(account, input);
  if (asked === null) {
    return null;
  }
  const { request } = asked;
  const startedAt = startDate?.getTime() ?? 0;
  const known = { id, ...asked, startedAt, covered: null, pack: null };
  switch (status) {
    case "SUCCEEDED":
      return { ...known, state: "done", covered: 1, ...doneWith(request, fieldsIn(output)) };
    case "ABORTED":
      return { ...known, state: "stopped", note: STOPPED };
    case "TIMED_OUT":
      return { ...known, state: "failed", note: TIMED_OUT };
    case "FAILED":
      return { ...known, state: "failed", note: failureNote(id, cause) };
    default:
      return {
        ...{ ...known, state: "running" },
        note:
          request.kind === "verify"
            ? "Every file of the archive is read and compared with its hash."
            : readingNote(request, await archiveOf()),
      };
  }
}

const TIMED_OUT = "The job exceeded its time limit and was ended. What was read is kept. Start it again to continue.";

/** What is in the archive by now; no slice passes on what was there when the job began. */
function readingNote(request: MakeRequest, { coverage, fills }: ReadSoFar): string {
  const soFar = `${counted(fills, "fill")} in the archive so far.`;
  const isRead = request.kind === "export" && covers(coverage, periodOf(request));
  return isRead ? `The period was read. What its pack needs besides is read, then its files are made. ${soFar}` : soFar;
}

/** From the function's last answer. */
function doneWith({ account, kind }: MakeRequest, answer: Fields): Pick<JobState, "note" | "pack"> {
  const warnings = Array.isArray(answer["warnings"]) ? answer["warnings"] : [];
  const notes = warnings.filter((one) => typeof one === "string");
  // An export names its pack's address: `…/<account>/packs/<period>/<version>`.
  const [version, period, packs, owner] = (textIn(answer, "dir", 2000) ?? "").split("/").reverse();
  const isPack = packs === "packs" && owner === account && period !== undefined && version !== undefined;
  return {
    note: shortened(doneNote(kind, answer, notes)),
    pack: isPack ? { period, version } : null,
  };
}

/**
 * Errors whose messages are for whoever deployed the page, because they name settings, roles and secrets.
 * Keys: the names that the function gives errors.
 */
const FOR_DEPLOYERS: ReadonlyMap<unknown, string> = new Map([
  ["BadSettings", "The settings of this deployment, or this account's own files, are wrong"],
  ["Fault", "The program failed"],
]);

/** The function's own message, which arrives as Lambda's JSON of an error, or the machine's. */
function failureNote(name: string, cause: string): string {
  const failure = fieldsIn(cause);
  const hidden = FOR_DEPLOYERS.get(failure["errorType"]);
  if (hidden !== undefined) {
    return `${hidden}. Ask whoever runs this page: the reason is in the function's log under ${name}.`;
  }
  const said = textIn(failure, "errorMessage", Number.POSITIVE_INFINITY) ?? (cause.startsWith("{") ? "" : cause);
  return said === "" ? "The job failed and gave no reason. Look in the function's log." : sentenceOf(shortened(said));
}

const LONGEST_NOTE = 2500;

/** Without addresses of resources, buckets and objects, which mean nothing to users of the page. */
function shortened(text: string): string {
  const places = text.replace(/\b(?:arn:|s3:\/\/)\S+/gi, "…");
  return places.length > LONGEST_NOTE ? `${places.slice(0, LONGEST_NOTE)}…` : places;
}
