import process from "node:process";
import type { Clock } from "../../core/clock.ts";
import { isoTime, SECOND_MS } from "../../core/time.ts";
import type { Progress } from "../context.ts";
import { METRICS } from "./metrics.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** One JSON line a call: time, level, what the log is bound to, message, fields. What looks like a credential is not in it. */
export interface Log {
  readonly info: (message: string, fields?: Fields) => void;
  readonly error: (message: string, fields?: Fields) => void;
  /** The same with a message of its own: for the embedded metric format, which takes other fields beside its own. */
  readonly record: (record: Fields) => void;
}

export interface LogPorts {
  readonly clock: Pick<Clock, "now">;
  /** Takes known secrets out of the finished line. */
  readonly redact: (text: string) => string;
  readonly write?: (line: string) => void;
}

const SECRET_NAME = /token|authorization|secret|password|cookie/i;
const BEARER = /\bBearer\s+[\w.~+/=-]+/gi;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/** Past console, which the Lambda runtime patches: it would wrap each line, and metrics would not be found. */
const toStdout = (line: string): void => {
  process.stdout.write(line);
};

/** What all lines of an invocation begin with. As the event says it, understood or not: a slice that is refused is found by its run, too. */
export function boundTo(event: unknown, requestId: string): Fields {
  const given = new Map<string, unknown>(typeof event === "object" && event !== null ? Object.entries(event) : []);
  const text = (name: string) => {
    const value = given.get(name);
    return typeof value === "string" ? value : null;
  };
  return { runId: text("runId"), requestId, account: text("account") };
}

export function createLog({ clock, redact, write = toStdout }: LogPorts, bound: Fields): Log {
  const put = (record: Fields) => {
    write(`${redact(withoutCredentials(JSON.stringify(record, withoutSecrets)))}\n`);
  };
  const line = (level: string, fields: Fields) => put({ time: isoTime(clock.now()), level, ...bound, ...fields });
  return {
    info: (message, fields) => line("INFO", { message, ...fields }),
    error: (message, fields) => line("ERROR", { message, ...fields }),
    record: (record) => line("INFO", record),
  };
}

/** A metric may have a name like a secret's, and is a number. */
function withoutSecrets(name: string, value: unknown): unknown {
  return SECRET_NAME.test(name) && !Object.hasOwn(METRICS, name) ? "[redacted]" : value;
}

/** Text without what has the form of a bearer header or of a JWT, whether it is known or not. */
export function withoutCredentials(text: string): string {
  return text.replace(BEARER, "Bearer [redacted]").replace(JWT, "[redacted]");
}

const PROGRESS_EVERY_MS = 60 * SECOND_MS;

/** Where a run is, once a minute: progress comes with every page. */
export function progressLog(log: Pick<Log, "info">, clock: Pick<Clock, "monotonic">): (progress: Progress) => void {
  let loggedAt = clock.monotonic();
  return (progress) => {
    if (clock.monotonic() - loggedAt >= PROGRESS_EVERY_MS) {
      loggedAt = clock.monotonic();
      log.info("progress", { ...progress });
    }
  };
}
