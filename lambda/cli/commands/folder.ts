import { FillbookError } from "../../core/errors.ts";
import type { Args } from "./command.ts";

/** The folder that a flag names; undefined if the flag was not given. */
export function readFolder(given: Args, flag: string, example: string): string | undefined {
  const typed = given.text(flag);
  if (typed === "") {
    throw new FillbookError("usage", `--${flag} is empty`, {
      hint: `name a folder, for example: --${flag} ${example}`,
    });
  }
  return typed;
}
