import type { InputFile } from "../../lambda/inputs/files.ts";
import { type Inputs, inputsOf } from "../../lambda/inputs/inputs.ts";

/** A user's file. Its hash is empty, because the readers do not look at it. */
export function fileOf(name: string, content: string | Uint8Array): InputFile {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return { name, bytes, sha256: "" };
}

/** The inputs of a user who gives one file. */
export function fileIn(name: string, content: string, zone = "UTC"): Inputs {
  return inputsOf([fileOf(name, content)], "inputs", zone);
}
