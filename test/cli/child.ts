import { type ChildProcess, spawn } from "node:child_process";
import { text } from "node:stream/consumers";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a child may see of this machine's environment: nothing that could be a setting or a credential. */
export function bareEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", ...more };
}

/** A program in a process of its own, and what it will have said when it ends. */
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

/** Those of the script `fillbook` in package.json. */
export const NODE_FLAGS = ["--max-semi-space-size=16"];

/** The command line as a person runs it from the repository. */
export function startCli(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return start(process.execPath, [...NODE_FLAGS, "lambda/cli.ts", ...args], { environment });
}
