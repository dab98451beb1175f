import type { FillbookError } from "../../../core/errors.ts";
import { counted } from "../../../core/text.ts";
import type { Progress } from "../../../job/context.ts";

/** Where a job is, in a sentence. */
export function progressNote({ stage, note, pages, fillsSeen }: Progress): string {
  if (stage === "waiting") {
    return note === undefined ? "Waiting." : `Waiting: ${note}.`;
  }
  if (stage === "packing") {
    return "All of it is read: the files are being made.";
  }
  return `Reading from the service: ${counted(fillsSeen, "fill")} in ${counted(pages, "page")} so far.`;
}

/** What went wrong, and what to do. */
export function sentence({ message, hint }: FillbookError): string {
  return hint === undefined ? `${message}.` : `${message}: ${hint}.`;
}
