import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import process from "node:process";
import { setTimeout as after } from "node:timers/promises";

export interface Program {
  readonly pid: number;
  /** Resolves to the exit code, or to null if a signal ended it. Rejects if it cannot be started. */
  readonly ended: Promise<number | null>;
  /** Ends the program and everything that it started. Does nothing if it has ended. */
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** This process's streams, or a file for both of the program's streams. */
  readonly output: "inherit" | { readonly file: string };
}

const GRACE_MS = 5000;

/**
 * Starts a program as leader of its own process group. A Ctrl-C at the terminal then reaches only this
 * process, and ending the program also ends its children.
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
    closeSync(log); // the child keeps it open
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  ended.catch(() => undefined); // whoever awaits it gets the error
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
      signalGroup(pid, "SIGKILL"); // also processes that outlived the leader
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
    // No process of the group is left.
  }
}
