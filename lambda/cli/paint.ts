import type { Environment } from "../job/settings.ts";

/** Colours for one stream. The texts must already be safe to print. */
export interface Paint {
  readonly heading: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly error: (text: string) => string;
  readonly next: (text: string) => string;
}

// Select Graphic Rendition, ECMA-48 8.3.117.
const BOLD = 1;
const RED = 31;
const YELLOW = 33;
const CYAN = 36;

/**
 * Uses colour on a terminal, unless it cannot show colour (TERM=dumb) or NO_COLOR is set to anything
 * (https://no-color.org).
 */
export function createPaint(stream: { readonly isTTY?: boolean }, environment: Environment): Paint {
  const isPlain = stream.isTTY !== true || (environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb";
  const painted = (code: number) => (text: string) => (isPlain ? text : `\u001b[${code}m${text}\u001b[0m`);
  return { heading: painted(BOLD), warning: painted(YELLOW), error: painted(RED), next: painted(CYAN) };
}
