import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { bareEnvironment } from "../../cli/child.ts";

export interface Cost {
  readonly seconds: number;
  /** user and system, all threads */
  readonly cpuSeconds: number;
  /** maximum resident set */
  readonly peakBytes: number;
}

/** A program to run. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a program in a folder, and measures it. Rejects if it fails. */
export async function costOf(command: Command, folder: string): Promise<Cost> {
  return await started(command, folder).ended;
}

/** `firstOutput`: what it printed first. */
export function started({ program, args, environment = {} }: Command, folder: string) {
  const file = join(folder, "usage.json");
  const child = spawn("python3", [join(import.meta.dirname, "usage.py"), file, program, ...args], {
    cwd: folder,
    env: bareEnvironment({ HOME: folder, ...environment }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = text(child.stderr);
  const closed = once(child, "close");
  const cost = async (): Promise<Cost> => {
    const [code] = await closed;
    if (code !== 0) {
      throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${(await said).slice(-1000)}`);
    }
    return JSON.parse(readFileSync(file, "utf8"));
  };
  const firstOutput = once(child.stdout, "data").then(([chunk]) => String(chunk));
  child.stdout.resume();
  return { firstOutput, stop: () => child.kill(), ended: cost() };
}
