import { main } from "../../../lambda/cli/main.ts";
import { type Clock, systemClock } from "../../../lambda/core/clock.ts";
import type { Components } from "../../../lambda/job/components.ts";
import type { RunContext } from "../../../lambda/job/context.ts";
import type { Store } from "../../../lambda/storage/store.ts";

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
  /** The folder of fillbook.json; if absent, the file is not looked for. */
  readonly folder?: string;
  /** Answers to the questions, in order; if absent, nobody answers. */
  readonly answers?: readonly string[];
}

/** What a command line needs that only reads this store. */
export function over(store: Store, clock: Clock = systemClock) {
  return { clock, store: () => Promise.resolve(store), packStore: () => Promise.resolve(null) };
}

/** What a command line needs that also asks the job's service. */
export function asking({ store, clock, reader }: RunContext) {
  return {
    ...over(store, clock),
    reader: () => Promise.resolve(reader),
    requireAccountAccess: () => Promise.resolve(),
  };
}

/** Runs a command line in this process. It sees only what `options` gives it. */
export async function run(line: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const stream = () => {
    const said: string[] = [];
    return { said, write: (text: string) => void said.push(text), isTTY: options.tty ?? false, columns: 80 };
  };
  const [stdout, stderr] = [stream(), stream()];
  const answers = [...(options.answers ?? [])];
  const code = await main(
    line,
    {
      stdout,
      stderr,
      ask:
        options.answers === undefined
          ? null
          : (question) => {
              stderr.write(question);
              return Promise.resolve(answers.shift() ?? null);
            },
      environment: options.environment ?? {},
      folder: options.folder ?? null,
      signal: options.signal ?? new AbortController().signal,
    },
    options.components,
  );
  return { code, stdout: stdout.said.join(""), stderr: stderr.said.join("") };
}
