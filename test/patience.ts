import process from "node:process";

/** How long `work` takes on the otherwise idle machine for which the limits were set: ms. */
const UNIT_MS = 150;

/** A mix like that of the tests: integers, strings, a map. */
function work(): number {
  const texts = new Map<number, string>();
  let number = 1;
  for (let at = 0; at < 1_000_000; at += 1) {
    number = (Math.imul(number, 1_664_525) + 1_013_904_223) >>> 0;
    texts.set(number % 1000, String(number));
  }
  return texts.size;
}

function measured(): number {
  const startedAt = performance.now();
  work();
  return Math.max(1, (performance.now() - startedAt) / UNIT_MS);
}

/**
 * How many times slower this machine is now. The process that reads vitest's configuration measures it once.
 * The processes that it starts find the value in their environment.
 */
const SLOWNESS = Number(process.env["FILLBOOK_SLOWNESS"] ?? measured());
process.env["FILLBOOK_SLOWNESS"] = String(SLOWNESS);

/** A limit in ms of wall time, for something that takes well under `seconds` on a quiet machine. */
export function patienceMs(seconds: number): number {
  return Math.ceil(seconds * 1000 * SLOWNESS);
}
