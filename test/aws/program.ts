import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import process from "node:process";
import { setTimeout as after } from "node:timers/promises";

export interface Program {
  readonly pid: number;
  /** Its exit code; null when a signal ended it. Rejects when it cannot be started. */
  readonly ended: Promise<number | null>;
  /** Ends it and all that it started. It may have ended. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** This process's streams, or a file for both of its own. */
  readonly output: "inherit" | { readonly file: string };
}

const GRACE_MS = 5000;

/**
 * Leads a process group of its own: a Ctrl-C at the terminal reaches only us, and what we end, ends with its
 * children.
 */
export function startProgram(command: string, args: readonly string[], options: ProgramOptions): Program {
  const log = options.output === "inherit" ? "inherit" : openSync(options.output.file, "a");
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.environment,
    stdio: ["ignore", log, log],
    detached: true,
  });
  if (log !== "inherit") {
    closeSync(log); // the child has it
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  ended.catch(() => undefined); // whoever waits hears of it
  const { pid } = child;
  if (pid === undefined) {
    return { pid: 0, ended, stop: () => Promise.resolve() };
  }
  return {
    pid,
    ended,
    async stop() {
      signalGroup(pid, "SIGTERM");
      const over = new AbortController();
      const isEnded = await Promise.race([
        ended.then(() => true),
        after(GRACE_MS, false, { signal: over.signal }).catch(() => false),
      ]);
      over.abort();
      signalGroup(pid, "SIGKILL"); // also what outlived its leader
      if (!isEnded) {
        await ended;
      }
    },
  };
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody of the group is left.
  }
}
