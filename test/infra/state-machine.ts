/**
 * Runs a Step Functions definition, so that a test sees what a loop does and not how it is written. It implements
 * what infra/job/ uses of the Amazon States Language, by its specification (https://states-language.net/spec.html),
 * but for retries. Anything else is an error.
 */
export interface Machine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

type Text = "Next" | "Default" | "SecondsPath" | "Error" | "Cause" | "ErrorPath" | "CausePath";
type Path = "ResultPath" | "OutputPath";
type Template = "Parameters" | "ResultSelector" | "ItemSelector";

interface State extends Partial<Record<Text | Path, string> & Record<Template, Json>> {
  readonly Type: string;
  readonly Choices?: readonly Rule[];
  readonly Retry?: readonly { readonly ErrorEquals: readonly string[]; readonly MaxAttempts: number }[];
  readonly Catch?: readonly { readonly ResultPath: string; readonly Next: string }[];
  readonly ItemProcessor?: Machine;
  readonly End?: boolean;
}

interface Rule extends Partial<Record<"Next" | "Variable", string>> {
  readonly BooleanEquals?: boolean;
  readonly NumericGreaterThanEquals?: number;
  readonly IsPresent?: boolean;
  readonly And?: readonly Rule[];
}

interface JsonObject {
  readonly [name: string]: Json;
}
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

interface World {
  readonly executionName?: string;
  /** The list in the S3 object that a Distributed Map reads. */
  readonly items?: readonly Json[];
  /** What the map gives for a child whose failure is tolerated, by default nothing. */
  readonly failed?: readonly Json[];
}

interface Ran {
  readonly status: "SUCCEEDED" | "FAILED";
  readonly output?: Json;
  readonly error?: string;
  readonly cause?: string;
  /** The payloads of the task, also those of a map's children. */
  readonly calls: Json[];
  /** Seconds of each Wait. */
  readonly waits: number[];
  /** Entries of the history: two for the execution, two for each state, three more for a task. A child has its own. */
  readonly events: number;
}

/** `task` gives the function's answer to a payload, or throws an Error with the name that the machine sees. */
export function runMachine(machine: Machine, input: Json, task: (payload: Json) => Json, world: World = {}): Ran {
  const { executionName = "an-execution", items = [], failed = [] } = world;
  const [calls, waits]: [Json[], number[]] = [[], []];
  let [data, events] = [input, 2];
  const at = (path: string, from: Json = data): Json =>
    path.startsWith("$$.") ? pick(path.slice(1), { Execution: { Name: executionName } }) : pick(path, from);
  const put = (value: Json, path = "$") => {
    data = path === "$" ? value : { ...(data as object), [path.slice(2)]: value };
  };
  const take = (result: Json, { ResultSelector, ResultPath }: State) => {
    const selected = fill(ResultSelector ?? result, (path) => at(path, result));
    put(selected, ResultPath);
  };

  /** Runs an item in a child execution. An error that no state catches fails it. */
  const child = (item: Json, { ItemProcessor, ItemSelector = null }: State): readonly Json[] => {
    const asked = fill(ItemSelector, (path) => (path === "$$.Map.Item.Value" ? item : at(path)));
    const called = (payload: Json) => {
      calls.push(payload);
      return task(payload);
    };
    try {
      const { output } = runMachine(ItemProcessor as Machine, asked, called, { executionName: "a-child" });
      return output === undefined ? failed : [output];
    } catch {
      return failed;
    }
  };

  const invoke = (state: State): string | undefined => {
    const { Payload: payload = null } = fill(state.Parameters ?? null, at) as JsonObject;
    calls.push(payload);
    events += 3;
    try {
      take({ Payload: task(payload) }, state);
      return state.Next;
    } catch (thrown) {
      const { name, message } = thrown as Error;
      const [caught = fails(`nothing catches ${name}`)] = state.Catch ?? [];
      put({ Error: name, Cause: message }, caught.ResultPath);
      return caught.Next;
    }
  };

  /** Does what the state does, and gives the name of the next one. */
  const enter = (state: State): string | undefined => {
    switch (state.Type) {
      case "Task":
        return invoke(state);
      case "Choice":
        return state.Choices?.find((rule) => holds(rule, at))?.Next ?? state.Default;
      case "Pass":
        put(fill(state.Parameters ?? data, at), state.ResultPath);
        return state.Next;
      case "Map": {
        const results = items.flatMap((item) => child(item, state));
        take(results, state);
        return state.Next;
      }
      case "Wait":
        waits.push(Number(at(state.SecondsPath ?? "")));
        return state.Next;
      case "Succeed":
        return;
      default:
        return fails(`a state of type ${state.Type} is not known here`);
    }
  };

  for (let name: string | undefined = machine.StartAt; ; ) {
    const state: State = machine.States[name ?? ""] ?? fails(`no state ${name}`);
    events += 2;
    if (state.Type === "Fail") {
      const error = state.Error ?? String(at(state.ErrorPath ?? ""));
      return { status: "FAILED", error, cause: state.Cause ?? String(at(state.CausePath ?? "")), calls, waits, events };
    }
    name = enter(state);
    if (state.Type === "Succeed" || state.End === true) {
      return { status: "SUCCEEDED", output: at(state.OutputPath ?? "$"), calls, waits, events };
    }
  }
}

type At = (path: string) => Json;

function fails(what: string): never {
  throw new Error(what);
}

/** A reference path, or `$[*].name`: that field of each list member that has it. */
function pick(path: string, from: Json): Json {
  const [, each] = /^\$\[\*\]\.(\w+)$/.exec(path) ?? [];
  if (each !== undefined) {
    return (from as readonly (JsonObject | null)[]).flatMap((member) => member?.[each] ?? []);
  }
  const [, list = path, index] = /^(.+)\[(\d+)\]$/.exec(path) ?? [];
  let value: Json = from;
  for (const name of list.split(".").slice(1)) {
    const inner: Json | undefined = (value as JsonObject | null)?.[name];
    value = inner === undefined ? fails(`States.ParameterPathFailure: ${path}`) : inner;
  }
  return index === undefined ? value : ((value as readonly Json[])[Number(index)] ?? null);
}

function fill(template: Json, at: At): Json {
  if (template === null || typeof template !== "object" || Array.isArray(template)) {
    return template;
  }
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) =>
      name.endsWith(".$") ? [name.slice(0, -2), evaluate(String(value), at)] : [name, fill(value, at)],
    ),
  );
}

function evaluate(text: string, at: At): Json {
  const [, call, given = ""] = /^States\.(\w+)\((.*)\)$/.exec(text) ?? [];
  const [a = null, b = null, ...more] = [...given.matchAll(/'([^']*)'|[^,\s][^,]*/g)].map(
    ([argument, quoted]): Json => quoted ?? (argument.startsWith("$") ? at(argument) : JSON.parse(argument)),
  );
  switch (call) {
    case undefined:
      return at(text);
    case "MathAdd":
      return Number(a) + Number(b);
    case "JsonMerge":
      return { ...(a as object), ...(b as object) };
    case "ArrayLength":
      return (a as readonly Json[]).length;
    case "Format": {
      const rest = [b, ...more];
      return String(a).replaceAll("{}", () => String(rest.shift()));
    }
    default:
      return fails(`States.IntrinsicFailure: ${text}`);
  }
}

function holds(rule: Rule, at: At): boolean {
  if (rule.And !== undefined) {
    return rule.And.every((part) => holds(part, at));
  }
  const value = at(rule.Variable ?? "");
  if (rule.IsPresent !== undefined) {
    return rule.IsPresent === (value !== null); // a member of a list
  }
  if (rule.NumericGreaterThanEquals !== undefined) {
    return Number(value) >= rule.NumericGreaterThanEquals;
  }
  return value === (rule.BooleanEquals ?? fails("a choice of this kind is not known here"));
}
