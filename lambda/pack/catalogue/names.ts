import { withNumbers } from "../../core/code-points.ts";
import { INCOMPLETE_MARK, type PackContext } from "../make/maker.ts";

/** A longer name is cut. */
const LONGEST = 120;

/** A name from outside within a sentence. The code point follows each character that is not ASCII. */
export function shownName(name: string): string {
  const marked = withNumbers(name);
  return marked.length <= LONGEST ? marked : `${marked.slice(0, LONGEST)}…`;
}

/** The name of a file in this pack. In an incomplete pack the name says so. */
export function fileName({ complete }: Pick<PackContext, "complete">, name: string): string {
  return complete ? name : INCOMPLETE_MARK + name;
}
