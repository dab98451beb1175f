import {
  DescribeExecutionCommand,
  ListExecutionsCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from "@aws-sdk/client-sfn";
import { FillbookError } from "../../../core/errors.ts";
import { counted } from "../../../core/text.ts";
import { mayPass, SHORT_CALLS } from "../../../job/aws-faults.ts";
import { nameOf } from "../../../storage/s3-errors.ts";
import type { ArchiveView } from "../../data/archives.ts";
import { mapConcurrent } from "../../data/map-concurrent.ts";
import type { JobState, Jobs, MakeRequest, User } from "../../ports.ts";
import { executionInput, executionName, isOfAccount, nameBegin, stateOf } from "./execution-state.ts";

const MOST_RUNNING = 5;
const MOST_SHOWN = 10;
const LOOKS_AT_ONCE = 5;
const MOST_LISTED = 1000;

export interface ExecutionParts {
  /** The ARN of the state machine that runs one account. */
  readonly machine: string;
  readonly archiveOf: (account: string) => Promise<Pick<ArchiveView, "coverage" | "fills">>;
  /** ms UTC */
  readonly now: () => number;
}

/**
 * Jobs as executions of the state machine, which keeps them for 90 days. A job's id is its execution's name,
 * which contains the account. Calls reject with `incomplete` if they may be retried, otherwise with `usage`.
 */
export function executions({ machine, archiveOf, now }: ExecutionParts): Jobs {
  const client = new SFNClient({ requestHandler: SHORT_CALLS });
  const arnOf = (name: string) => `${machine.replace(":stateMachine:", ":execution:")}:${name}`;

  async function look(
    account: string,
    id: string,
    archive: () => ReturnType<typeof archiveOf>,
  ): Promise<JobState | null> {
    const command = new DescribeExecutionCommand({ executionArn: arnOf(id) });
    const found = await ask("read a job", () => client.send(command), "ExecutionDoesNotExist");
    return found && (await stateOf(account, { ...found, name: id }, archive));
  }

  async function find(account: string, id: string): Promise<JobState | null> {
    return isOfAccount(account, id) ? await look(account, id, () => archiveOf(account)) : null;
  }

  /** Names of the account's among the newest thousand, newest first. Those of the last seconds may be missing. */
  async function list(account: string, filter: { readonly statusFilter?: "RUNNING" }): Promise<readonly string[]> {
    const command = new ListExecutionsCommand({ stateMachineArn: machine, maxResults: MOST_LISTED, ...filter });
    const { executions: listed = [] } = (await ask("list the jobs", () => client.send(command))) ?? {};
    return listed.flatMap(({ name = "" }) => (isOfAccount(account, name) ? [name] : []));
  }

  async function begin(request: MakeRequest, user: User): Promise<JobState> {
    const name = executionName(request, now());
    const asked = { request, startedBy: user.name };
    const command = new StartExecutionCommand({ stateMachineArn: machine, name, input: executionInput(asked) });
    const started = await ask("start a job", () => client.send(command), "ExecutionAlreadyExists");
    if (started !== null) {
      const startedAt = started.startDate?.getTime() ?? 0;
      const note = "The job is starting.";
      return { id: name, ...asked, startedAt, state: "running", covered: null, note, pack: null };
    }
    const same = await find(request.account, name);
    if (same === null) {
      throw new FillbookError("incomplete", `another job has the name ${name}`, { hint: "try again in a minute" });
    }
    return same;
  }

  return {
    async start(request, user) {
      const running = await list(request.account, { statusFilter: "RUNNING" });
      const same = running.find((name) => name.startsWith(nameBegin(request)));
      const found = same === undefined ? null : await find(request.account, same);
      if (found === null && running.length >= MOST_RUNNING) {
        const jobs = counted(running.length, "job of this account is", "jobs of this account are");
        throw new FillbookError("usage", `${jobs} already running`, { hint: "wait until one of them has ended" });
      }
      return found ?? (await begin(request, user));
    },
    async stop(account, id) {
      if (isOfAccount(account, id)) {
        const command = new StopExecutionCommand({ executionArn: arnOf(id), cause: "on the page" });
        await ask("stop a job", () => client.send(command), "ExecutionDoesNotExist");
      }
    },
    find,
    async recent(account) {
      const own = (await list(account, {})).slice(0, MOST_SHOWN);
      let archive: ReturnType<typeof archiveOf> | null = null;
      const readOnce = () => {
        archive ??= archiveOf(account);
        return archive;
      };
      const states = await mapConcurrent(own, LOOKS_AT_ONCE, (id) => look(account, id, readOnce));
      return states.filter((state) => state !== null);
    },
  };
}

/** Null if the call fails with the error named `expected`. No message contains an ARN: users of the page read it. */
async function ask<Answer>(what: string, call: () => Promise<Answer>, expected?: string): Promise<Answer | null> {
  try {
    return await call();
  } catch (cause) {
    if (nameOf(cause) === expected) {
      return null;
    }
    const message = `cannot ${what}: ${nameOf(cause) || "no answer"}`;
    throw mayPass(cause)
      ? new FillbookError("incomplete", message, { hint: "try again in a minute", cause })
      : new FillbookError("usage", message, { hint: "ask whoever runs this page to deploy its stacks again", cause });
  }
}
