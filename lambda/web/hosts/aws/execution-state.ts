import { hash } from "node:crypto";
import type { DescribeExecutionOutput } from "@aws-sdk/client-sfn";
import { covers } from "../../../core/ranges.ts";
import { type Fields, fieldsIn, textIn } from "../../../core/record.ts";
import { counted } from "../../../core/text.ts";
import { BEGINNING_MS, DAY_MS, type TimeRange } from "../../../core/time.ts";
import type { ReadSoFar } from "../../../job/read-so-far.ts";
import { periodOf } from "../../make-request-form.ts";
import { sentenceOf } from "../../page-words.ts";
import { type JobState, KINDS, type MakeRequest, REQUEST_FIELDS } from "../../ports.ts";
import { dayText } from "../../views/format.ts";

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
    case "ABORTED": {
      const by = cause === "" ? "" : ` (${shortened(cause)})`;
      return { ...known, state: "stopped", note: `This job was stopped${by}. What was read is kept.` };
    }
    case "TIMED_OUT":
      return { ...known, state: "failed", note: TIMED_OUT };
    case "FAILED":
      return { ...known, state: "failed", note: failureNote(id, cause) };
    default:
      return request.kind === "verify"
        ? { ...known, state: "running", note: "Every file of the archive is read and compared with its hash." }
        : { ...known, state: "running", ...readingNote(request, startedAt, await archiveOf()) };
  }
}

const TIMED_OUT = "The job exceeded its time limit and was ended. What was read is kept. Start it again to continue.";

/** A share would need what was there when the job began: no slice passes that on. */
function readingNote(request: MakeRequest, startedAt: number, { coverage, fills, reached }: ReadSoFar) {
  const soFar = (range: TimeRange) => {
    const time = reached(range);
    return `${counted(fills, "fill")} in the archive so far${time === null ? "" : `, read as far as ${dayText(time)}`}.`;
  };
  if (request.kind === "sync") {
    return { note: soFar({ from: BEGINNING_MS, to: startedAt }) };
  }
  const period = periodOf(request);
  // An export reads all before its period, which realised PnL needs, and a day after it. If the user declares
  // opening positions, it reads less, and ends without covering this.
  const from = Math.min(BEGINNING_MS, period.from);
  const to = Math.max(period.to, Math.min(period.to + DAY_MS, startedAt));
  if (covers(coverage, { from, to })) {
    return { covered: 1, note: "All fills were read. The files are being made." };
  }
  const beyond = "The period was read. Earlier fills, which its opening positions need, are being read.";
  return { note: covers(coverage, period) ? `${beyond} ${soFar({ from, to: period.from })}` : soFar(period) };
}

/** From the function's last answer. */
function doneWith({ account, kind }: MakeRequest, answer: Fields): Pick<JobState, "note" | "pack"> {
  const warnings = Array.isArray(answer["warnings"]) ? answer["warnings"] : [];
  const sentences = warnings.filter((one) => typeof one === "string").map(sentenceOf);
  // An export names its pack's address: `…/<account>/packs/<period>/<version>`.
  const [version, period, packs, owner] = (textIn(answer, "dir", 2000) ?? "").split("/").reverse();
  const isPack = packs === "packs" && owner === account && period !== undefined && version !== undefined;
  return {
    note: shortened([doneNote(kind, answer), ...sentences].join(" ")),
    pack: isPack ? { period, version } : null,
  };
}

function doneNote(kind: MakeRequest["kind"], answer: Fields): string {
  const count = (name: string, one: string) => {
    const value = answer[name];
    return Number.isSafeInteger(value) ? counted(Number(value), one) : `an unknown number of ${one}s`;
  };
  switch (kind) {
    case "export":
      return "The pack is ready.";
    case "verify":
      return `${count("checked", "object")} checked. All are unchanged.`;
    case "sync":
      return `${count("fills", "fill")} in the archive, ${count("added", "fill")} of them new.`;
  }
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
