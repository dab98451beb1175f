import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { FillbookError } from "../../../core/errors.ts";
import { mayPass, SHORT_CALLS } from "../../../job/aws-faults.ts";
import { nameOf } from "../../../storage/s3-errors.ts";

/** One execution of the state machine, as Step Functions reports it. Its texts are untrusted. */
export interface Execution {
  readonly name: string;
  /** `RUNNING`, `SUCCEEDED`, … */
  readonly status: string;
  /** ms UTC */
  readonly startedAt: number;
  readonly input: string;
  /** Empty if there is none. */
  readonly output: string;
  readonly cause: string;
}

const MOST_LISTED = 1000;

export type Machine = ReturnType<typeof openMachine>;

/**
 * Calls to the state machine that runs one account. `arn`: the machine's. Calls reject with `incomplete` if they
 * may be retried, otherwise with `usage`.
 */
export function openMachine(arn: string) {
  const client = new SFNClient({ requestHandler: SHORT_CALLS });
  const arnOf = (name: string) => `${arn.replace(":stateMachine:", ":execution:")}:${name}`;

  /** Null if the call fails with the error named `expected`. */
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
    /**
     * Returns when the execution started, ms UTC. Null if another execution has the name, or had it in the
     * last 90 days. Starting it again with the same input while it runs returns the same execution.
     */
    async start(name: string, input: string): Promise<number | null> {
      const command = new StartExecutionCommand({ stateMachineArn: arn, name, input });
      const started = await ask("start a job", () => client.send(command), "ExecutionAlreadyExists");
      return started === null ? null : (started.startDate?.getTime() ?? 0);
    },
    /** Does nothing if the execution has ended or does not exist. */
    async stop(name: string): Promise<void> {
      const command = new StopExecutionCommand({ executionArn: arnOf(name), cause: "on the page" });
      await ask("stop a job", () => client.send(command), "ExecutionDoesNotExist");
    },
    /** Null if there is no such execution. */
    async describe(name: string): Promise<Execution | null> {
      const command = new DescribeExecutionCommand({ executionArn: arnOf(name) });
      const found = await ask("read a job", () => client.send(command), "ExecutionDoesNotExist");
      if (found === null) {
        return null;
      }
      const { status = "", startDate, input = "", output = "", cause = "" } = found;
      return { name, status, startedAt: startDate?.getTime() ?? 0, input, output, cause };
    },
    /**
     * The names of the newest thousand executions, newest first. Executions that started or ended some
     * seconds ago may be missing.
     */
    async list(which: "running" | "all"): Promise<readonly string[]> {
      const filter = which === "running" ? ({ statusFilter: "RUNNING" } as const) : {};
      const command = new ListExecutionsCommand({ stateMachineArn: arn, maxResults: MOST_LISTED, ...filter });
      const { executions = [] } = (await ask("list the jobs", () => client.send(command))) ?? {};
      return executions.flatMap(({ name }) => (name === undefined ? [] : [name]));
    },
  };
}

/** The message contains no ARN, because users of the page may read it. */
function machineError(error: unknown, what: string): FillbookError {
  const message = `cannot ${what}: ${nameOf(error) || "no answer"}`;
  return mayPass(error)
    ? new FillbookError("incomplete", message, { hint: "try again in a minute", cause: error })
    : new FillbookError("usage", message, {
        hint: "ask whoever runs this page to deploy its stacks again",
        cause: error,
      });
}
