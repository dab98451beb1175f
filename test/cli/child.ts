import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A child's environment: only PATH, and no variable that could be a setting or a credential. */
export function bareEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", ...more };
}

/** Starts a program as a child process. `ended` resolves to its exit code and all of its output. */
export function start(
  command: string,
  args: readonly string[],
  options: { readonly environment?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: bareEnvironment(options.environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([code, stdout, stderr]) => ({
    code,
    stdout,
    stderr,
  }));
  return { child, ended };
}

/** The flags of the script `fillbook` in package.json. */
export const NODE_FLAGS = ["--max-semi-space-size=16"];

/** Starts the command line as a person runs it from the repository. */
export function startCli(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return start(process.execPath, [...NODE_FLAGS, "lambda/cli/package-entry.mjs", ...args], { environment });
}
