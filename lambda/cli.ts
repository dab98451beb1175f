import process from "node:process";
import { createInterface } from "node:readline/promises";
import { main } from "./cli/main.ts";
import { processEnvironment } from "./job/settings.ts";

// The process around `main`: the only place that knows its streams, its signals and its exit code.

const STOPPED_AT_ONCE = 130; // 128 + SIGINT, as a shell expects
const stop = new AbortController();

function onSignal(): void {
  if (stop.signal.aborted) {
    process.exit(STOPPED_AT_ONCE);
  }
  stop.abort();
  process.stderr.write("\nfillbook: stopping; what was walked is being kept (once more stops at once)\n");
}

/** A reader that went away (`fillbook markets | head`) is not an error; a full disk behind stdout is. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") {
    process.stderr.write(`fillbook: the output cannot be written: ${error.message}\n`);
    process.exitCode = 1;
  }
}

/** Asks on stderr, since stdout is for the result; null when the person ends the input, or stops. */
async function ask(question: string): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on("SIGINT", () => stop.abort());
  const ended = new Promise<null>((resolve) => lines.once("close", () => resolve(null)));
  try {
    return await Promise.race([lines.question(question, { signal: stop.signal }).catch(() => null), ended]);
  } finally {
    lines.close();
  }
}

process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);
process.stdout.on("error", onOutputError);
process.stderr.on("error", () => undefined); // there is nowhere left to say it

const code = await main(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : null,
  environment: processEnvironment(),
  folder: ".",
  signal: stop.signal,
});
process.exitCode ??= code;
