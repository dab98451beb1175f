import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";

/** What runtime.mjs writes to each of both streams before it answers: an answer may overtake the output. */
const END = "\0";

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

export interface Invocation {
  readonly requestId?: string;
  /** The deadline is reached when this resolves; if absent, there is ample time. */
  readonly timeIsUp?: Promise<void>;
}

export interface Invoked {
  readonly answer?: Readonly<Record<string, unknown>> & {
    readonly complete: boolean;
    readonly stalled: boolean;
    readonly retryAfterSeconds: number;
    readonly error?: { readonly kind: string; readonly message: string };
  };
  readonly error?: { readonly name: string; readonly message: string; readonly cause?: unknown };
}

/** The bundle in a child process, with the flags of Lambda's runtime and only the given environment. */
export async function openSandbox(folder: string, env: Readonly<Record<string, string>>) {
  const child = fork(join(import.meta.dirname, "runtime.mjs"), [join(folder, "index.mjs")], {
    cwd: folder,
    env: { TZ: ":UTC", NODE_OPTIONS: "--enable-source-maps", ...env },
    execArgv: ["--no-experimental-require-module", "--no-experimental-detect-module"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  let [ends, due] = [0, 0];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      ends += text.split(END).length - 1;
      output += text.replaceAll(END, "");
    });
  }
  await nextMessage(child, () => output); // the first message: the handler is imported
  return {
    /** All output until the last answer, of both streams. */
    output: () => output,
    async invoke(event: unknown, { requestId = "a-request", timeIsUp }: Invocation = {}) {
      due += 2;
      const answered = nextMessage<Invoked>(child, () => output);
      child.send({ event, requestId, nearDeadline: timeIsUp !== undefined });
      if (timeIsUp !== undefined) {
        await Promise.race([timeIsUp, answered]);
        child.send({ over: true });
      }
      const answer = await answered;
      while (ends < due) {
        await turn();
      }
      return answer;
    },
    async close() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) {
        await once(child, "exit");
      }
    },
  };
}

function nextMessage<T>(child: ChildProcess, output: () => string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`the process ended: ${output()}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T);
    });
  });
}
