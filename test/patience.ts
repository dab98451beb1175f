import process from "node:process";

/** What the work below takes on the machine that the limits were set on, while it does nothing else: ms. */
const UNIT_MS = 150;

/** Work of the kind that tests do: integers, texts, a map. */
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
 * How many times slower this machine is now. Measured once, by the process that reads vitest's configuration:
 * those that it starts find it in their environment.
 */
const SLOWNESS = Number(process.env["FILLBOOK_SLOWNESS"] ?? measured());
process.env["FILLBOOK_SLOWNESS"] = String(SLOWNESS);

/** A limit of wall time, ms, of what takes well below `seconds` on a quiet machine. */
export function patienceMs(seconds: number): number {
  return Math.ceil(seconds * 1000 * SLOWNESS);
}
