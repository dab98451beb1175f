import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { FillbookError } from "../../../core/errors.ts";
import { nameOf, statusOf } from "../../../storage/s3-errors.ts";

/** One run of the state machine, as Step Functions tells it; texts as somebody wrote them. */
export interface Execution {
  readonly name: string;
  /** `RUNNING`, `SUCCEEDED`, … */
  readonly status: string;
  /** ms UTC */
  readonly startedAt: number;
  readonly input: string;
  /** Empty: there is none. */
  readonly output: string;
  readonly cause: string;
}

const MOST_LISTED = 1000;
const TIMEOUTS = { connectionTimeout: 3000, requestTimeout: 8000, throwOnRequestTimeout: true } as const;

export type Machine = ReturnType<typeof openMachine>;

/**
 * The state machine that runs one account; `arn`: its own. Calls reject with `usage` when they are not allowed, `incomplete` when they may be tried again.
 */
export function openMachine(arn: string) {
  const client = new SFNClient({ requestHandler: TIMEOUTS });
  const arnOf = (name: string) => `${arn.replace(":stateMachine:", ":execution:")}:${name}`;

  /** Null: the error that is `expected`. */
  async function ask<Answer>(what: string, call: () => Promise<Answer>, expected?: string): Promise<Answer | null> {
    try {
      return await call();
    } catch (error) {
      if (nameOf(error) === expected) {
        return null;
      }
      throw machineError(error, what);
    }
  }

  return {
    /** When it was started, ms UTC. Null: an execution has the name, or had it in the last 90 days. Asked again with the same input while it runs, it is the same. */
    async start(name: string, input: string): Promise<number | null> {
      const command = new StartExecutionCommand({ stateMachineArn: arn, name, input });
      const started = await ask("start a job", () => client.send(command), "ExecutionAlreadyExists");
      return started === null ? null : (started.startDate?.getTime() ?? 0);
    },
    /** One that has ended, or is not there, stays as it is. */
    async stop(name: string): Promise<void> {
      const command = new StopExecutionCommand({ executionArn: arnOf(name), cause: "on the page" });
      await ask("stop a job", () => client.send(command), "ExecutionDoesNotExist");
    },
    /** Null: there is none. */
    async describe(name: string): Promise<Execution | null> {
      const command = new DescribeExecutionCommand({ executionArn: arnOf(name) });
      const found = await ask("look at a job", () => client.send(command), "ExecutionDoesNotExist");
      if (found === null) {
        return null;
      }
      const { status = "", startDate, input = "", output = "", cause = "" } = found;
      return { name, status, startedAt: startDate?.getTime() ?? 0, input, output, cause };
    },
    /** Names, newest first, the newest thousand; what was started or ended some seconds ago may be missing. */
    async list(which: "running" | "all"): Promise<readonly string[]> {
      const filter = which === "running" ? ({ statusFilter: "RUNNING" } as const) : {};
      const command = new ListExecutionsCommand({ stateMachineArn: arn, maxResults: MOST_LISTED, ...filter });
      const { executions = [] } = (await ask("list the jobs", () => client.send(command))) ?? {};
      return executions.flatMap(({ name }) => (name === undefined ? [] : [name]));
    },
  };
}

const BUSY = /Throttl|TooManyRequests|LimitExceeded/i;
const FORBIDDEN =
  /AccessDenied|UnrecognizedClient|InvalidClientToken|ExpiredToken|NotAuthorized|StateMachineDoesNotExist/;

/** Names no ARN: who reads it may be a user of the page. */
function machineError(error: unknown, what: string): FillbookError {
  const name = nameOf(error);
  const status = statusOf(error);
  const failed = (kind: FillbookError["kind"], why: string, hint?: string) =>
    new FillbookError(kind, `cannot ${what}: ${why}`, { ...(hint === undefined ? {} : { hint }), cause: error });
  if (BUSY.test(name)) {
    return failed("incomplete", `Step Functions is busy (${name})`, "try again in a minute");
  }
  if (FORBIDDEN.test(name)) {
    return failed("usage", `the page may not do that (${name})`, "whoever runs this page deploys its stacks again");
  }
  return status === null || status >= 500
    ? failed("incomplete", name || "no answer", "Step Functions did not answer: try again in a minute")
    : failed("fault", name || "no answer");
}
