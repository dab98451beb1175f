import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished, vi } from "vitest";
import { listen, stop } from "./loopback.ts";
import { accessKeyIdOf } from "./signature.ts";

// The services of AWS that fillbook calls besides S3, on 127.0.0.1, for the real SDK through AWS_ENDPOINT_URL_…. They
// answer as the API references say, and require a signature but do not check it.

type Fields = Readonly<Record<string, unknown>>;

interface Asked {
  /** Of the JSON protocols: without the service's name. */
  readonly operation: string;
  /** The access key that signed it; "": none. */
  readonly accessKeyId: string;
  readonly body: string;
}

/** Null: the connection is cut. */
type Answer = { readonly status: number; readonly body: Fields | string } | null;

async function serve(answer: (asked: Asked) => Answer) {
  const server = createServer((request, response) => {
    const answering = async () => {
      const operation = String(request.headers["x-amz-target"]).replace(/^.*\./, "");
      const asked = { operation, accessKeyId: accessKeyIdOf(request.headers), body: await text(request) };
      const given = asked.accessKeyId === "" ? refused("MissingAuthenticationTokenException") : answer(asked);
      if (given === null) {
        response.destroy();
        return;
      }
      const { status, body } = given;
      const [type, said] = typeof body === "string" ? ["text/xml", body] : [JSON_TYPE, JSON.stringify(body)];
      response.writeHead(status, { "content-type": type }).end(said);
    };
    answering().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  return { endpoint: await listen(server), close: () => stop(server) };
}

const JSON_TYPE = "application/x-amz-json-1.1";

function refused(type: string, status = 400, message = "refused"): Answer {
  return { status, body: { __type: type, message } };
}

/** Common to all sessions. */
export const SESSION = { secret: "secret", sessionToken: "session" } as const;
const STS_XML = 'xmlns="https://sts.amazonaws.com/doc/2011-06-15/"';

/** STS's AssumeRole. */
export type StsDouble = Awaited<ReturnType<typeof startStsDouble>>;

interface Session {
  readonly roleArn: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The caller's access key. */
  readonly askedBy: string;
  /** Of the new session. */
  readonly accessKeyId: string;
}

export async function startStsDouble() {
  const state = {
    sessions: [] as Session[],
    /** The STS code that refuses every request; null: none is refused. */
    refusal: null as string | null,
    /** When new sessions expire; by default later than any test runs. ms UTC */
    expiresAt: Date.UTC(2099, 0, 1),
  };
  const { sessions } = state;
  const double = await serve(({ accessKeyId: askedBy, body }) => {
    const form = new URLSearchParams(body);
    const code = state.refusal ?? (form.get("Action") === "AssumeRole" ? null : "InvalidAction");
    if (code !== null) {
      const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${code}</Message></Error>`;
      return { status: 403, body: `<ErrorResponse ${STS_XML}>${error}</ErrorResponse>` };
    }
    const accessKeyId = `ASIASESSION${sessions.length}`;
    sessions.push({ roleArn: form.get("RoleArn") ?? "", tags: tagsOf(form), askedBy, accessKeyId });
    const keys = `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${SESSION.secret}</SecretAccessKey><SessionToken>${SESSION.sessionToken}</SessionToken>`;
    const credentials = `<Credentials>${keys}<Expiration>${new Date(state.expiresAt).toISOString()}</Expiration></Credentials>`;
    return {
      status: 200,
      body: `<AssumeRoleResponse ${STS_XML}><AssumeRoleResult>${credentials}</AssumeRoleResult></AssumeRoleResponse>`,
    };
  });
  return Object.assign(state, double);
}

function tagsOf(form: URLSearchParams): Readonly<Record<string, string>> {
  const tags: Record<string, string> = {};
  for (let index = 1; form.has(`Tags.member.${index}.Key`); index += 1) {
    tags[form.get(`Tags.member.${index}.Key`) ?? ""] = form.get(`Tags.member.${index}.Value`) ?? "";
  }
  return tags;
}

/** Secrets Manager's GetSecretValue. */
export async function startSecretsDouble() {
  const state = {
    /** SecretString by ARN or name. */
    secrets: new Map<string, string>(),
    /** The requested ids, and the access key that signed each request, in order. */
    asked: [] as string[],
    askedBy: [] as string[],
  };
  const double = await serve(({ operation, accessKeyId, body }) => {
    if (operation !== "GetSecretValue") {
      return refused("UnknownOperationException");
    }
    const { SecretId: id }: { SecretId: string } = JSON.parse(body);
    state.asked.push(id);
    state.askedBy.push(accessKeyId);
    const value = state.secrets.get(id);
    const VersionId = `v${state.asked.length}`;
    return value === undefined
      ? refused("ResourceNotFoundException")
      : { status: 200, body: { ARN: id, Name: id, VersionId, SecretString: value, VersionStages: ["AWSCURRENT"] } };
  });
  return Object.assign(state, double);
}

/** An execution as the double keeps it. */
interface KeptExecution {
  readonly name: string;
  readonly input: string;
  /** ms UTC */
  readonly startedAt: number;
  status: "RUNNING" | "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "ABORTED";
  output?: string;
  error?: string;
  cause?: string;
}

interface SfnCall {
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
type SfnFate = "ok" | { readonly refuse: string; readonly status?: number } | { readonly lost: () => void };

/** One state machine of Step Functions, which runs nothing: the test ends the `executions`. */
export type SfnDouble = Awaited<ReturnType<typeof startSfnDouble>>;

const NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/;

export async function startSfnDouble(machine: string) {
  const executions: KeptExecution[] = [];
  const calls: SfnCall[] = [];
  const prefix = `${machine.replace(":stateMachine:", ":execution:")}:`;
  const named = (name: string): KeptExecution => {
    const found = executions.find((one) => one.name === name);
    if (found === undefined) {
      throw new Error("ExecutionDoesNotExist");
    }
    return found;
  };
  const ofArn = (arn: unknown) => named(String(arn).replace(prefix, ""));
  const state = {
    executions,
    calls,
    /** The double's own clock, ms UTC. */
    now: Date.UTC(2026, 0, 1),
    /** Executions younger than this are not listed, because the real list lags. ms */
    lagMs: 0,
    plan: (_: SfnCall): SfnFate => "ok",
    /** Ends the execution with this name. */
    end: (name: string, how: Partial<KeptExecution>) => void Object.assign(named(name), how),
    /** Adds an execution as if a person had started it by hand. */
    add: (execution: Partial<KeptExecution> & { readonly name: string }) =>
      void executions.push({ input: "{}", startedAt: state.now, status: "RUNNING", ...execution }),
  };
  const shown = ({ startedAt, ...rest }: KeptExecution) => ({
    ...rest,
    executionArn: prefix + rest.name,
    stateMachineArn: machine,
    startDate: startedAt / 1000,
  });

  const operations: Readonly<Record<string, (body: Fields) => Fields>> = {
    StartExecution({ name, input }) {
      if (typeof name !== "string" || !NAME.test(name) || typeof input !== "string") {
        throw new Error("InvalidName");
      }
      const same = executions.find((one) => one.name === name);
      if (same !== undefined && !(same.status === "RUNNING" && same.input === input)) {
        throw new Error("ExecutionAlreadyExists");
      }
      if (same === undefined) {
        state.add({ name, input });
      }
      return shown(named(name));
    },
    DescribeExecution: ({ executionArn }) => shown(ofArn(executionArn)),
    // An execution that has ended stays as it is.
    StopExecution({ executionArn, cause }) {
      const found = ofArn(executionArn);
      if (found.status === "RUNNING") {
        Object.assign(found, { status: "ABORTED", ...(cause === undefined ? {} : { cause }) });
      }
      return { stopDate: state.now / 1000 };
    },
    ListExecutions: ({ statusFilter, maxResults = 100 }) => ({
      executions: executions
        .filter((one) => one.status === (statusFilter ?? one.status) && one.startedAt + state.lagMs <= state.now)
        .toSorted((a, b) => b.startedAt - a.startedAt)
        .slice(0, Number(maxResults))
        .map(shown),
    }),
  };

  const act = (operation: string, fields: Fields): Answer => {
    if (fields["stateMachineArn"] !== undefined && fields["stateMachineArn"] !== machine) {
      return refused("StateMachineDoesNotExist");
    }
    try {
      const answer = operations[operation]?.(fields);
      return answer === undefined ? refused("UnknownOperationException") : { status: 200, body: answer };
    } catch (error) {
      return refused(error instanceof Error ? error.message : String(error));
    }
  };

  const double = await serve(({ operation, accessKeyId, body }) => {
    const fields: Fields = JSON.parse(body);
    const call = { operation, resource: String(fields["stateMachineArn"] ?? fields["executionArn"]), accessKeyId };
    calls.push(call);
    const fate = state.plan(call);
    if (typeof fate === "object" && "refuse" in fate) {
      return refused(fate.refuse, fate.status, "refused: arn:aws:iam::000000000000:role/x");
    }
    const answer = act(operation, fields);
    if (fate === "ok") {
      return answer;
    }
    fate.lost();
    return null;
  });
  return Object.assign(state, double);
}

/** The access key of a function's own role. */
export const FUNCTION_KEY = "ASIAFUNCTION";

/** Runs the rest of a test as a function of this environment, with these doubles. */
export function asFunction(environment: Readonly<Record<string, string>>, doubles: readonly { close(): unknown }[]) {
  const own = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: FUNCTION_KEY, AWS_SECRET_ACCESS_KEY: "test" };
  for (const [name, value] of Object.entries({ ...own, ...environment })) {
    vi.stubEnv(name, value);
  }
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await Promise.all(doubles.map((double) => double.close()));
  });
}
