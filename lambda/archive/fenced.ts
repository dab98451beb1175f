import { FillbookError } from "../core/errors.ts";

/** Another run has taken over the archive. This run stops; it deletes and writes nothing more. */
export class FencedError extends FillbookError {
  constructor(where: string) {
    super("incomplete", `another run has taken over the archive ${where}`, {
      hint: "everything that this run committed is kept; the other run continues from there",
    });
  }
}
