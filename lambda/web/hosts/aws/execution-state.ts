import { FillbookError } from "../../../core/errors.ts";
import { covers } from "../../../core/ranges.ts";
import { type Fields, fieldsIn, textIn } from "../../../core/record.ts";
import { counted } from "../../../core/text.ts";
import { BEGINNING_MS, DAY_MS, type TimeRange } from "../../../core/time.ts";
import type { ReadSoFar } from "../../../job/read-so-far.ts";
import { periodOf } from "../../make-request-form.ts";
import type { JobState, MakeRequest } from "../../ports.ts";
import { sentenceOf } from "../../sentence-of.ts";
import { dayText } from "../../views/format.ts";
import { readExecutionInput } from "./execution-request.ts";
import type { Execution } from "./machine.ts";

/** Characters of a period or a version. */
const LONGEST_NAME = 128;
const LONGEST_WARNING = 500;
const WARNINGS_SHOWN = 5;

/**
 * An execution as the page shows it; null if the page would not have started it. `archiveOf` is called only
 * for a running export or sync.
 */
export async function stateOf(
  account: string,
  execution: Execution,
  archiveOf: () => Promise<ReadSoFar>,
): Promise<JobState | null> {
  const asked = readExecutionInput(account, execution.input);
  if (asked === null) {
    return null;
  }
  const known = { id: execution.name, ...asked, startedAt: execution.startedAt };
  switch (execution.status) {
    case "SUCCEEDED":
      return { ...known, state: "done", covered: 1, ...doneWith(asked.request, fieldsIn(execution.output)) };
    case "ABORTED":
      return { ...known, state: "stopped", covered: null, note: stopNote(execution), pack: null };
    case "FAILED":
    case "TIMED_OUT":
      return { ...known, state: "failed", covered: null, note: failureNote(execution), pack: null };
    default:
      return {
        ...known,
        state: "running",
        pack: null,
        ...(await runningWith(asked.request, execution.startedAt, archiveOf)),
      };
  }
}

async function runningWith(
  request: MakeRequest,
  startedAt: number,
  archiveOf: () => Promise<ReadSoFar>,
): Promise<Pick<JobState, "covered" | "note">> {
  if (request.kind === "verify") {
    return { covered: null, note: "Every file of the archive is read and compared with its hash." };
  }
  const { coverage, fills, reached } = await archiveOf();
  // A share would need what was there when the job began: no slice passes that on.
  const soFar = (range: TimeRange) => {
    const time = reached(range);
    return `${counted(fills, "fill")} in the archive so far${time === null ? "" : `, read as far as ${dayText(time)}`}.`;
  };
  const period = rangeOf(request);
  if (period === null) {
    return { covered: null, note: soFar({ from: BEGINNING_MS, to: startedAt }) };
  }
  const all = readFor(period, startedAt);
  if (covers(coverage, all)) {
    return { covered: 1, note: "All fills were read. The files are being made." };
  }
  if (!covers(coverage, period)) {
    return { covered: null, note: soFar(period) };
  }
  const beyond = "The period was read. Earlier fills, which its opening positions need, are being read.";
  return { covered: null, note: `${beyond} ${soFar({ from: all.from, to: period.from })}` };
}

/**
 * The range that an export reads, as far as the archive's head tells: from the beginning of the account,
 * which realised PnL needs, to a day after the period. If the user declares opening positions, the export
 * reads less and ends without covering this range.
 */
function readFor({ from, to }: TimeRange, startedAt: number): TimeRange {
  return { from: Math.min(BEGINNING_MS, from), to: Math.max(to, Math.min(to + DAY_MS, startedAt)) };
}

/** The requested range; null if the request names none. */
function rangeOf(request: MakeRequest): TimeRange | null {
  try {
    return periodOf(request);
  } catch (error) {
    if (error instanceof FillbookError) {
      return null; // a sync of all, or something that the function refuses too
    }
    throw error;
  }
}

/** From the function's last answer. */
function doneWith({ account, kind }: MakeRequest, answer: Fields): Pick<JobState, "note" | "pack"> {
  const warnings = Array.isArray(answer["warnings"]) ? answer["warnings"].slice(0, WARNINGS_SHOWN) : [];
  const sentences = warnings
    .filter((one) => typeof one === "string")
    .map((one) => sentenceOf(one.slice(0, LONGEST_WARNING)));
  return {
    note: withoutPlaces([doneNote(kind, answer), ...sentences].join(" ")),
    pack: packIn(account, answer),
  };
}

function doneNote(kind: MakeRequest["kind"], answer: Fields): string {
  const count = (name: string, one: string) => {
    const value = answer[name];
    return typeof value === "number" && Number.isSafeInteger(value)
      ? counted(value, one)
      : `an unknown number of ${one}s`;
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

/** The pack that an export wrote, from its address: `…/<account>/packs/<period>/<version>`. */
function packIn(account: string, answer: Fields): JobState["pack"] {
  const [version, period, packs, owner] = (textIn(answer, "dir", 2000) ?? "").split("/").reverse();
  return packs === "packs" && owner === account && period !== undefined && version !== undefined
    ? { period, version }
    : null;
}

const LONGEST_CAUSE = 1000;

/**
 * Errors whose messages are for whoever deployed the page, because they name settings, roles and secrets.
 * Keys: the names that the function gives errors.
 */
const FOR_DEPLOYERS: Readonly<Record<string, string>> = {
  BadSettings: "The settings of this deployment, or this account's own files, are wrong",
  Fault: "The program failed",
};

function stopNote({ cause }: Execution): string {
  return `This job was stopped${cause === "" ? "" : ` (${shortened(cause)})`}. What was read is kept.`;
}

/**
 * The message of the failure: the function's own, which arrives as Lambda's JSON of an error, or the
 * machine's.
 */
function failureNote({ name, status, cause }: Execution): string {
  if (status === "TIMED_OUT") {
    return "The job exceeded its time limit and was ended. What was read is kept. Start it again to continue.";
  }
  const failure = fieldsIn(cause);
  const kind = textIn(failure, "errorType", LONGEST_NAME) ?? "";
  if (Object.hasOwn(FOR_DEPLOYERS, kind)) {
    return `${FOR_DEPLOYERS[kind]}. Ask whoever runs this page: the reason is in the function's log under ${name}.`;
  }
  const said = textIn(failure, "errorMessage", Number.POSITIVE_INFINITY) ?? (cause.startsWith("{") ? "" : cause);
  return said === "" ? "The job failed and gave no reason. Look in the function's log." : sentenceOf(shortened(said));
}

function shortened(text: string): string {
  const places = withoutPlaces(text);
  return places.length > LONGEST_CAUSE ? `${places.slice(0, LONGEST_CAUSE)}…` : places;
}

/** Removes addresses of resources, buckets and objects, which mean nothing to users of the page. */
function withoutPlaces(text: string): string {
  return text.replace(/\b(?:arn:|s3:\/\/)\S+/gi, "…");
}
