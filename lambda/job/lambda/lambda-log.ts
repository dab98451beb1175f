import process from "node:process";
import type { Clock } from "../../core/clock.ts";
import { isoTime, SECOND_MS } from "../../core/time.ts";
import type { Progress } from "../context.ts";
import { METRICS } from "./metrics.ts";

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Writes one JSON line per call: time, level, the bound fields, message, fields. Anything that looks like a
 * credential is removed.
 */
export interface Log {
  readonly info: (message: string, fields?: Fields) => void;
  readonly error: (message: string, fields?: Fields) => void;
  /**
   * As `info`, with a message of its own. For the embedded metric format, which allows other fields beside
   * its own.
   */
  readonly record: (record: Fields) => void;
}

export interface LogPorts {
  readonly clock: Pick<Clock, "now">;
  /** Removes known secrets from the finished line. */
  readonly redact: (text: string) => string;
  readonly write?: (line: string) => void;
}

const SECRET_NAME = /token|authorization|secret|password|cookie/i;
const BEARER = /\bBearer\s+[\w.~+/=-]+/gi;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;

/**
 * Bypasses console. The Lambda runtime patches it to wrap each line, and CloudWatch would not find the
 * metrics.
 */
const toStdout = (line: string): void => {
  process.stdout.write(line);
};

/**
 * The fields at the start of every line of an invocation. They are taken from the event even if it is
 * refused, so that a refused slice can be found by its run.
 */
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

/** A metric is a number, so it is kept even if its name looks like a secret's. */
function withoutSecrets(name: string, value: unknown): unknown {
  return SECRET_NAME.test(name) && !Object.hasOwn(METRICS, name) ? "[redacted]" : value;
}

/** Removes everything that has the form of a bearer header or a JWT, known or not. */
export function withoutCredentials(text: string): string {
  return text.replace(BEARER, "Bearer [redacted]").replace(JWT, "[redacted]");
}

const PROGRESS_EVERY_MS = 60 * SECOND_MS;

/** Logs a run's progress once a minute. Progress is reported with every page. */
export function progressLog(log: Pick<Log, "info">, clock: Pick<Clock, "monotonic">): (progress: Progress) => void {
  let loggedAt = clock.monotonic();
  return (progress) => {
    if (clock.monotonic() - loggedAt >= PROGRESS_EVERY_MS) {
      loggedAt = clock.monotonic();
      log.info("progress", { ...progress });
    }
  };
}
