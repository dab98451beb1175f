import { FillbookError } from "../../../core/errors.ts";
import { counted } from "../../../core/text.ts";
import type { ReadSoFar } from "../../../job/read-so-far.ts";
import { mapConcurrent } from "../../data/map-concurrent.ts";
import type { JobState, Jobs, MakeRequest, User } from "../../ports.ts";
import { executionInput, executionName, isOfAccount, isOfRequest } from "./execution-request.ts";
import { stateOf } from "./execution-state.ts";
import type { Machine } from "./machine.ts";

const MOST_RUNNING = 5;
const MOST_SHOWN = 10;
const LOOKS_AT_ONCE = 5;

export interface ExecutionParts {
  readonly machine: Machine;
  readonly archiveOf: (account: string) => Promise<ReadSoFar>;
  /** ms UTC */
  readonly now: () => number;
}

/**
 * Jobs as executions of the state machine, which keeps them for 90 days. A job's id is its execution's name,
 * which contains the account.
 */
export function executions({ machine, archiveOf, now }: ExecutionParts): Jobs {
  const look = async (account: string, id: string, archive: () => ReturnType<typeof archiveOf>) => {
    const execution = await machine.describe(id);
    return execution === null ? null : await stateOf(account, execution, archive);
  };

  const find = async (account: string, id: string): Promise<JobState | null> =>
    isOfAccount(account, id) ? await look(account, id, () => archiveOf(account)) : null;

  const begin = async (request: MakeRequest, user: User): Promise<JobState> => {
    const id = executionName(request, now());
    const asked = { request, startedBy: user.name };
    const startedAt = await machine.start(id, executionInput(asked));
    if (startedAt !== null) {
      return { id, ...asked, startedAt, state: "running", covered: null, note: "The job is starting.", pack: null };
    }
    const same = await find(request.account, id);
    if (same === null) {
      throw new FillbookError("incomplete", `another job has the name ${id}`, {
        hint: "try again in a minute",
      });
    }
    return same;
  };

  return {
    async start(request, user) {
      const running = (await machine.list("running")).filter((name) => isOfAccount(request.account, name));
      const [same] = running.filter((name) => isOfRequest(request, name));
      const found = same === undefined ? null : await find(request.account, same);
      if (found !== null) {
        return found;
      }
      if (running.length >= MOST_RUNNING) {
        throw new FillbookError(
          "usage",
          `${counted(running.length, "job of this account is", "jobs of this account are")} already running`,
          {
            hint: "wait until one of them has ended",
          },
        );
      }
      return await begin(request, user);
    },
    async stop(account, id) {
      if (isOfAccount(account, id)) {
        await machine.stop(id);
      }
    },
    find,
    async recent(account) {
      const own = (await machine.list("all")).filter((name) => isOfAccount(account, name)).slice(0, MOST_SHOWN);
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
