import { FillbookError } from "../../lambda/core/errors.ts";

/** The error that `act` must throw. It must be one made for people. */
export function refusal(act: () => unknown): FillbookError {
  try {
    act();
  } catch (error) {
    if (error instanceof FillbookError) {
      return error;
    }
    throw error;
  }
  throw new Error("nothing was refused");
}
