import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { FilterLogEventsCommand } from "@aws-sdk/client-cloudwatch-logs";
import { GetFunctionConfigurationCommand, UpdateFunctionConfigurationCommand } from "@aws-sdk/client-lambda";
import { DescribeExecutionCommand, StartExecutionCommand } from "@aws-sdk/client-sfn";
import { type Clients, until } from "./cloud.ts";

const execute = promisify(execFile);

export interface RunEnd {
  readonly status: string;
  /** The function's last answer. */
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
  readonly cause: string | null;
}

/** The expected end of a successful run. If the run failed, the difference shows the cause. */
export const SUCCEEDED = { status: "SUCCEEDED", error: null, cause: null } as const;

/** Starts a run by hand as the runbook says, and returns the execution's ARN. */
export async function startRun(clients: Clients, machine: string, input: object): Promise<string> {
  const command = new StartExecutionCommand({ stateMachineArn: machine, input: JSON.stringify(input) });
  const { executionArn: arn } = await clients.states.send(command);
  if (arn === undefined) {
    throw new Error("the execution has no ARN");
  }
  return arn;
}

export async function endOfRun(clients: Clients, arn: string, withinMs: number): Promise<RunEnd> {
  return await until(`the end of ${arn}`, withinMs, async () => {
    const found = await clients.states.send(new DescribeExecutionCommand({ executionArn: arn }));
    return found.status === undefined || found.status === "RUNNING"
      ? null
      : {
          status: found.status,
          output: found.output === undefined ? null : JSON.parse(found.output),
          error: found.error ?? null,
          cause: found.cause ?? null,
        };
  });
}

/** Sets the time limit of a slice. The function stops a fifth of it earlier, at most half a minute. */
export async function setSliceSeconds(clients: Clients, fn: string, seconds: number): Promise<void> {
  await clients.lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName: fn, Timeout: seconds }));
  await until("the function's new time limit", 30_000, async () => {
    const found = await clients.lambda.send(new GetFunctionConfigurationCommand({ FunctionName: fn }));
    return found.LastUpdateStatus === "InProgress" ? null : found;
  });
}

/**
 * Kills the processes that run functions, as Lambda may do at any time. `emulatorPid` leads their process
 * group. Throws if there is none.
 */
export async function killFunctions(emulatorPid: number): Promise<void> {
  const { stdout } = await execute("ps", ["-A", "-o", "pid=,pgid=,args="]);
  const pids = stdout.split("\n").flatMap((line) => {
    const [, pid, group, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return Number(group) === emulatorPid && /^node .*_worker\.js$/.test(args) ? [Number(pid)] : [];
  });
  if (pids.length === 0) {
    throw new Error("no function is running");
  }
  for (const pid of pids) {
    process.kill(pid, "SIGKILL");
  }
}

export type LogLine = Readonly<Record<string, unknown>>;

/** The lines that the function wrote, parsed. The platform's own lines (START, END, REPORT) are left out. */
export async function logLines(clients: Clients, logGroup: string, sinceMs = 0): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  let next: string | undefined;
  do {
    const command = new FilterLogEventsCommand({ logGroupName: logGroup, startTime: sinceMs, nextToken: next });
    const { events = [], nextToken } = await clients.logs.send(command);
    lines.push(...events.flatMap(({ message = "" }) => (message.startsWith("{") ? [JSON.parse(message)] : [])));
    next = nextToken;
  } while (next !== undefined);
  return lines;
}
