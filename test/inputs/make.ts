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

/** Texts known to do harm in other programs. None of them holds a carriage return. */
export const HOSTILE: readonly string[] = [
  "=cmd|' /C calc'!A0",
  '"',
  '""',
  '",\n"',
  "a,b",
  "line\nbreak\n\nand more",
  "\u202Eevil",
  "<script>alert(1)</script>",
  "é ü 漢字 🙂",
  "'; DROP TABLE fills; --",
  "__proto__",
];
