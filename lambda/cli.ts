import process from "node:process";
import { createInterface, type Interface } from "node:readline";
import { main } from "./cli/main.ts";
import { processEnvironment } from "./job/settings.ts";

// The process around `main`: only this file touches its streams, its signals and its exit code.

const STOPPED_AT_ONCE = 130; // 128 + SIGINT, as a shell expects
const stop = new AbortController();

function onSignal(): void {
  if (stop.signal.aborted) {
    process.exit(STOPPED_AT_ONCE);
  }
  stop.abort();
  // Erases the ^C that a terminal prints at the cursor.
  process.stderr.write(process.stderr.isTTY ? "\r\u001b[2K" : "");
  process.stderr.write("fillbook: stopping (press Ctrl-C again to stop at once)\n");
}

/** A closed reader (`fillbook markets | head`) is not an error; a full disk behind stdout is. */
function onOutputError(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") {
    process.stderr.write(`fillbook: the output cannot be written: ${error.message}\n`);
    process.exitCode = 1;
  }
}

/**
 * The lines that the user types, from the first question on. A line typed ahead answers the next question.
 */
const typed: { lines: AsyncIterator<string> | null; screen: Interface | null } = { lines: null, screen: null };

/** Asks on stderr, because stdout is for the result. Null if the user ends the input or stops the program. */
async function ask(question: string): Promise<string | null> {
  const screen = typed.screen ?? createInterface({ input: process.stdin, output: process.stderr });
  if (typed.screen === null) {
    typed.screen = screen;
    screen.on("SIGINT", () => {
      stop.abort();
      screen.close();
    });
  }
  typed.lines ??= screen[Symbol.asyncIterator]();
  screen.setPrompt(question);
  screen.prompt();
  const { done, value } = await typed.lines.next();
  if (done === true) {
    process.stderr.write("\n"); // what is said next is not said behind the question
  }
  return done === true ? null : value;
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
typed.screen?.close(); // an open one would keep the process
process.exitCode ??= code;
