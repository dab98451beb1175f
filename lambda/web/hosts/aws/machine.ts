import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  type ListExecutionsCommandInput,
  SFNClient,
  StartExecutionCommand,
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

/** The state machine that runs one account. Calls reject with `usage` when they are not allowed, `incomplete` when they may be tried again. */
export interface Machine {
  /** "exists": an execution has the name, or had it in the last 90 days. Asked again with the same input while it runs, it is the same. */
  readonly start: (name: string, input: string) => Promise<{ readonly startedAt: number } | "exists">;
  /** Null: there is none. */
  readonly describe: (name: string) => Promise<Execution | null>;
  /** Names, newest first, the newest thousand; what was started or ended some seconds ago may be missing. */
  readonly list: (which: "running" | "all") => Promise<readonly string[]>;
}

const MOST_LISTED = 1000;
const TIMEOUTS = { connectionTimeout: 3000, requestTimeout: 8000, throwOnRequestTimeout: true } as const;

/** `arn`: the machine's. */
export function openMachine(arn: string): Machine {
  const client = new SFNClient({ requestHandler: TIMEOUTS });
  const arnOf = (name: string) => `${arn.replace(":stateMachine:", ":execution:")}:${name}`;
  return {
    async start(name, input) {
      try {
        const { startDate } = await client.send(new StartExecutionCommand({ stateMachineArn: arn, name, input }));
        return { startedAt: startDate?.getTime() ?? 0 };
      } catch (error) {
        if (nameOf(error) === "ExecutionAlreadyExists") {
          return "exists";
        }
        throw machineError(error, "start a job");
      }
    },
    async describe(name) {
      try {
        const found = await client.send(new DescribeExecutionCommand({ executionArn: arnOf(name) }));
        const { status = "", startDate, input = "", output = "", cause = "" } = found;
        return { name, status, startedAt: startDate?.getTime() ?? 0, input, output, cause };
      } catch (error) {
        if (nameOf(error) === "ExecutionDoesNotExist") {
          return null;
        }
        throw machineError(error, "look at a job");
      }
    },
    async list(which) {
      const asked: ListExecutionsCommandInput = {
        stateMachineArn: arn,
        maxResults: MOST_LISTED,
        ...(which === "running" ? { statusFilter: "RUNNING" } : {}),
      };
      try {
        const { executions = [] } = await client.send(new ListExecutionsCommand(asked));
        return executions.flatMap(({ name }) => (name === undefined ? [] : [name]));
      } catch (error) {
        throw machineError(error, "list the jobs");
      }
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
  if (BUSY.test(name)) {
    return new FillbookError("incomplete", `cannot ${what}: Step Functions is busy (${name})`, {
      hint: "try again in a minute",
      cause: error,
    });
  }
  if (FORBIDDEN.test(name)) {
    return new FillbookError("usage", `cannot ${what}: the page may not do that (${name})`, {
      hint: "whoever runs this page deploys its stacks again",
      cause: error,
    });
  }
  const isPassing = status === null || status >= 500;
  return new FillbookError(isPassing ? "incomplete" : "fault", `cannot ${what}: ${name || "no answer"}`, {
    ...(isPassing ? { hint: "Step Functions did not answer: try again in a minute" } : {}),
    cause: error,
  });
}
