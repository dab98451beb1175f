import { count, counted, sizeText } from "../../../core/text.ts";
import type { CheckProgress, Progress } from "../../../job/context.ts";
import type { JobState } from "../../ports.ts";

/** All files are made only when the job is over. */
const MOST = 0.99;

/** What a job does now, and the share of that which is done. */
export function told(progress: Progress): Pick<JobState, "covered" | "note"> {
  const { stage, packed, covered } = progress;
  const packedShare = packed === undefined || packed.of === 0 ? null : Math.min(MOST, packed.fills / packed.of);
  return { covered: stage === "packing" ? packedShare : covered, note: noteOf(progress) };
}

function noteOf(progress: Progress): string {
  const { stage, note, pages, fillsSeen, packed, checked } = progress;
  if (stage === "waiting") {
    return note === undefined ? "Waiting." : `Waiting: ${note}.`;
  }
  if (stage === "packing") {
    const made = packed === undefined ? "" : `: ${count(packed.fills)} of ${counted(packed.of, "fill")}`;
    return `All fills were read. ${note === undefined ? "The files are" : `${note} is`} being made${made}.`;
  }
  if (checked !== undefined) {
    return checkNote(checked);
  }
  const what = note === undefined ? "" : ` of ${note}`;
  return `${counted(fillsSeen, "fill")}${what} read so far, in ${counted(pages, "page")} of the venue's answers.`;
}

function checkNote({ step, objects, done, of }: CheckProgress): string {
  const hashed = `${counted(objects, "object")} checked so far`;
  switch (step) {
    case "archive":
      return `${hashed}: ${count(done)} of ${counted(of, "fill")} of the archive.`;
    case "packs":
      return `${hashed}. Packs: ${sizeText(done)} of ${sizeText(of)}.`;
    case "rewalk":
      return `${hashed}. Asked again: ${count(done)} of ${counted(of, "fill")}.`;
  }
}
