import type { Fields } from "../core/record.ts";
import { counted } from "../core/text.ts";
import type { MakeRequest } from "./ports.ts";

/** A file's name, path or address is written as it is, also where a sentence begins. */
const FILE_NAME = /^(?:[\w./=-]+\.(?:csv|json)\b|[\w.:=-]*\/)/;

/** Messages of errors and packs begin in lower case and have no full stop. This makes them sentences. */
export function sentenceOf(said: string): string {
  const first = FILE_NAME.test(said) ? said.charAt(0) : said.charAt(0).toUpperCase();
  return `${first}${said.slice(1)}${/[.!?…]$/.test(said) ? "" : "."}`;
}

/** How a job ended, on each host. `result`: what the run says of itself. `notes`: what it says besides. */
export function doneNote(kind: MakeRequest["kind"], result: Fields, notes: readonly string[] = []): string {
  const count = (name: string, one: string) => {
    const value = result[name];
    return Number.isSafeInteger(value) ? counted(Number(value), one) : `an unknown number of ${one}s`;
  };
  const said = {
    export: "The pack is ready.",
    sync: `${count("fills", "fill")} in the archive, ${count("added", "fill")} of them new.`,
    verify: `${count("checked", "object")} checked. All are unchanged.`,
  };
  return [said[kind], ...notes.map(sentenceOf)].join(" ");
}

export const STOPPED = "This job was stopped. What was read is kept.";
