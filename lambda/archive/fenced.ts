import { FillbookError } from "../core/errors.ts";

/** Another run took the archive over: this one stops, deletes nothing and writes nothing more. */
export class FencedError extends FillbookError {
  constructor(where: string) {
    super("incomplete", `another run has taken over the archive ${where}`, {
      hint: "what this run had committed is kept; the other run goes on from there",
    });
  }
}
