import { main } from "../../../lambda/cli/main.ts";
import type { Components } from "../../../lambda/job/components.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly components?: Partial<Components>;
  readonly signal?: AbortSignal;
  readonly tty?: boolean;
}

/** Runs a command line in this process, with nothing but what it is given. */
export async function run(line: readonly string[], options: RunOptions = {}): Promise<Ran> {
  let stdout = "";
  let stderr = "";
  const code = await main(
    line,
    {
      stdout: {
        write(text) {
          stdout += text;
        },
      },
      stderr: {
        write(text) {
          stderr += text;
        },
        isTTY: options.tty ?? false,
        columns: 80,
      },
      environment: options.environment ?? {},
      signal: options.signal ?? new AbortController().signal,
    },
    options.components,
  );
  return { code, stdout, stderr };
}
