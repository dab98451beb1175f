import { createServer, type IncomingMessage } from "node:http";
import { listen, stop } from "./loopback.ts";
import { accessKeyIdOf } from "./signature.ts";

/** An execution as the double keeps it. */
export interface KeptExecution {
  readonly name: string;
  readonly input: string;
  /** ms UTC */
  readonly startedAt: number;
  status: "RUNNING" | "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "ABORTED";
  output?: string;
  error?: string;
  cause?: string;
}

export interface SfnCall {
  /** `StartExecution`, … */
  readonly operation: string;
  /** The ARN in the request: of the machine or of an execution. */
  readonly resource: string;
  readonly accessKeyId: string;
}

/**
 * What happens to a call. `refuse`: this error; `lost`: the call takes effect, `lost` is called, and the
 * connection is cut instead of an answer.
 */
export type SfnFate = "ok" | { readonly refuse: string; readonly status?: number } | { readonly lost: () => void };

/**
 * One state machine of Step Functions on 127.0.0.1, for the real SDK through AWS_ENDPOINT_URL_SFN. It starts,
 * describes and lists executions as https://docs.aws.amazon.com/step-functions/latest/apireference documents,
 * but runs nothing: the test ends the `executions`.
 */
export interface SfnDouble {
  readonly endpoint: string;
  readonly executions: readonly KeptExecution[];
  readonly calls: readonly SfnCall[];
  /** The double's own clock, ms UTC. */
  now: number;
  /** Executions younger than this are not listed, because the real list lags. ms */
  lagMs: number;
  plan: (call: SfnCall) => SfnFate;
  /** Ends the execution with this name. */
  end(name: string, how: Partial<KeptExecution>): void;
  /** Adds an execution as if a person had started it by hand. */
  add(execution: Partial<KeptExecution> & { readonly name: string }): void;
  close(): Promise<void>;
}

type Fields = Readonly<Record<string, unknown>>;

class SfnError extends Error {}

const NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/;

export async function startSfnDouble(machine: string): Promise<SfnDouble> {
  const executions: KeptExecution[] = [];
  const calls: SfnCall[] = [];
  const prefix = `${machine.replace(":stateMachine:", ":execution:")}:`;

  const requireMachine = (arn: unknown): void => {
    if (arn !== machine) {
      throw new SfnError("StateMachineDoesNotExist");
    }
  };

  const operations: Readonly<Record<string, (body: Fields) => Fields>> = {
    StartExecution({ stateMachineArn, name, input }) {
      requireMachine(stateMachineArn);
      if (typeof name !== "string" || !NAME.test(name)) {
        throw new SfnError("InvalidName");
      }
      if (typeof input !== "string") {
        throw new SfnError("InvalidExecutionInput");
      }
      const same = executions.find((one) => one.name === name);
      if (same !== undefined && !(same.status === "RUNNING" && same.input === input)) {
        throw new SfnError("ExecutionAlreadyExists");
      }
      const execution = same ?? { name, input, startedAt: double.now, status: "RUNNING" };
      if (same === undefined) {
        executions.push(execution);
      }
      return { executionArn: prefix + name, startDate: execution.startedAt / 1000 };
    },
    DescribeExecution({ executionArn }) {
      const found = executions.find(({ name }) => prefix + name === executionArn);
      if (found === undefined) {
        throw new SfnError("ExecutionDoesNotExist");
      }
      const { startedAt, ...rest } = found;
      return { executionArn, stateMachineArn: machine, startDate: startedAt / 1000, ...rest };
    },
    // An execution that has ended stays as it is.
    StopExecution({ executionArn, cause }) {
      const found = executions.find(({ name }) => prefix + name === executionArn);
      if (found === undefined) {
        throw new SfnError("ExecutionDoesNotExist");
      }
      if (found.status === "RUNNING") {
        Object.assign(found, { status: "ABORTED", ...(cause === undefined ? {} : { cause }) });
      }
      return { stopDate: double.now / 1000 };
    },
    ListExecutions({ stateMachineArn, statusFilter, maxResults = 100 }) {
      requireMachine(stateMachineArn);
      const seen = executions
        .filter(
          ({ status, startedAt }) => status === (statusFilter ?? status) && startedAt + double.lagMs <= double.now,
        )
        .toSorted((a, b) => b.startedAt - a.startedAt)
        .slice(0, Number(maxResults))
        .map(({ name, status, startedAt }) => ({
          executionArn: prefix + name,
          stateMachineArn: machine,
          name,
          status,
          startDate: startedAt / 1000,
        }));
      return { executions: seen };
    },
  };

  const answer = ({ operation }: SfnCall, fate: SfnFate, body: Fields): readonly [status: number, body: Fields] => {
    if (typeof fate === "object" && "refuse" in fate) {
      return [fate.status ?? 400, { __type: fate.refuse, message: "refused: arn:aws:iam::000000000000:role/x" }];
    }
    try {
      const act = operations[operation];
      if (act === undefined) {
        throw new SfnError("UnknownOperationException");
      }
      return [200, act(body)];
    } catch (error) {
      return [400, { __type: error instanceof SfnError ? error.message : String(error), message: "refused" }];
    }
  };

  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body: Fields = JSON.parse(Buffer.concat(pieces).toString());
      const call = callOf(request, body);
      calls.push(call);
      const unsigned = call.accessKeyId === "" ? { refuse: "MissingAuthenticationTokenException" } : null;
      const fate = unsigned ?? double.plan(call);
      const [status, said] = answer(call, fate, body);
      if (typeof fate === "object" && "lost" in fate) {
        fate.lost();
        response.destroy();
        return;
      }
      response.writeHead(status, { "content-type": "application/x-amz-json-1.0" }).end(JSON.stringify(said));
    });
  });

  const double: SfnDouble = {
    endpoint: "",
    executions,
    calls,
    now: Date.UTC(2026, 0, 1),
    lagMs: 0,
    plan: () => "ok",
    end(name, how) {
      const found = executions.find((one) => one.name === name);
      if (found === undefined) {
        throw new Error(`no execution ${name}`);
      }
      Object.assign(found, how);
    },
    add: (execution) => void executions.push({ input: "{}", startedAt: double.now, status: "RUNNING", ...execution }),
    close: () => stop(server),
  };
  return Object.assign(double, { endpoint: await listen(server) });
}

function callOf({ headers }: IncomingMessage, { stateMachineArn, executionArn }: Fields): SfnCall {
  return {
    operation: String(headers["x-amz-target"]).replace("AWSStepFunctions.", ""),
    resource: String(stateMachineArn ?? executionArn),
    accessKeyId: accessKeyIdOf(headers),
  };
}
