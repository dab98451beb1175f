import process from "node:process";
import type { Clock } from "../clock.ts";
import type { Progress } from "../job.ts";
import { isoTime, SECOND_MS } from "../model/time.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** One JSON line a call: time, level, what the log is bound to, message, fields. What looks like a credential is not in it. */
export interface Log {
  readonly info: (message: string, fields?: Fields) => void;
  readonly error: (message: string, fields?: Fields) => void;
  /** A line as it is, for the embedded metric format, whose first level belongs to CloudWatch. */
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

export function createLog({ clock, redact, write = toStdout }: LogPorts, bound: Fields): Log {
  const put = (record: Fields) => {
    write(`${redact(withoutCredentials(JSON.stringify(record, withoutSecrets)))}\n`);
  };
  const line =
    (level: string) =>
    (message: string, fields: Fields = {}) => {
      put({ time: isoTime(clock.now()), level, ...bound, message, ...fields });
    };
  return { info: line("INFO"), error: line("ERROR"), record: put };
}

function withoutSecrets(name: string, value: unknown): unknown {
  return SECRET_NAME.test(name) ? "[redacted]" : value;
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
