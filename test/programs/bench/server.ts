import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { bareEnvironment } from "../../cli/child.ts";

export interface Server {
  /** `http://127.0.0.1:<port>` */
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Starts a program of test/programs/ (`script` is relative to it) as a child process, and resolves when it
 * has printed its address.
 */
export async function startServer(script: string, args: readonly string[]): Promise<Server> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "..", script), ...args], {
    env: bareEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let said = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    said += String(chunk);
    const address = /http:\/\/127\.0\.0\.1:\d+\b(?=\s)/.exec(said)?.[0];
    if (address !== undefined) {
      return {
        address,
        async stop() {
          child.kill();
          await closed;
        },
      };
    }
  }
  throw new Error(`${script} ended before it printed an address`);
}
