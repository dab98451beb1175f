/**
 * Runs a Step Functions definition, so that a test sees what a loop does and not how it is written. It
 * implements what infra/job/ uses of the Amazon States Language, by its specification
 * (https://states-language.net/spec.html). Anything else is an error.
 */
export interface Machine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

type Text = "Resource" | "Next" | "Default" | "SecondsPath" | "Error" | "Cause";
type Path = "ResultPath" | "OutputPath" | "ErrorPath" | "CausePath";
type Template = "Parameters" | "ResultSelector" | "ItemSelector";

interface State extends Partial<Record<Text | Path, string> & Record<Template, Json>> {
  readonly Type: string;
  readonly Choices?: readonly Rule[];
  readonly Retry?: readonly { readonly ErrorEquals: readonly string[]; readonly MaxAttempts: number }[];
  readonly Catch?: readonly { readonly ErrorEquals: readonly string[]; ResultPath: string; Next: string }[];
  readonly ItemProcessor?: Machine;
  readonly ToleratedFailurePercentage?: number;
  readonly End?: boolean;
}

interface Rule {
  readonly Next?: string;
  readonly Variable?: string;
  readonly BooleanEquals?: boolean;
  readonly NumericGreaterThanEquals?: number;
  readonly IsPresent?: boolean;
  readonly And?: readonly Rule[];
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Returns the task's answer, or throws an Error whose name is the error that the machine sees. */
type Task = (payload: Json) => Json;

interface World {
  readonly executionName?: string;
  /** The list in the S3 object that a Distributed Map reads. */
  readonly items?: readonly Json[];
  /** What the map gives for a child whose failure is tolerated, by default nothing. */
  readonly failed?: readonly Json[];
}

export function runMachine(machine: Machine, input: Json, task: Task, world: World = {}) {
  return new Execution(machine, input, task, world).toEnd();
}

interface Ending {
  readonly status: "SUCCEEDED" | "FAILED";
  readonly output?: Json;
  readonly error?: string;
  readonly cause?: string;
}

class Execution {
  /** Payloads of the task's calls, including retries. */
  readonly calls: Json[] = [];
  /** Seconds of each Wait. */
  readonly waits: number[] = [];
  /**
   * Entries of the history: two for the execution, two for each state, three more for each attempt of a task.
   * A map's children have their own.
   */
  events = 2;
  readonly #machine: Machine;
  readonly #task: Task;
  readonly #world: World;
  #data: Json;

  constructor(machine: Machine, input: Json, task: Task, world: World) {
    this.#machine = machine;
    this.#task = task;
    this.#world = world;
    this.#data = input;
  }

  toEnd() {
    let name: string | undefined = this.#machine.StartAt;
    for (;;) {
      const state: State | undefined = this.#machine.States[name ?? ""];
      if (state === undefined) {
        throw new Error(`no state ${name}`);
      }
      this.events += 2;
      const next: string | undefined =
        state.Type === "Succeed" || state.Type === "Fail" ? undefined : this.#enter(state);
      const end = this.#ending(state);
      if (end !== null) {
        return { ...end, calls: this.calls, waits: this.waits, events: this.events };
      }
      name = next;
    }
  }

  #ending({ Type, End, OutputPath, Error: error, ErrorPath = "", Cause, CausePath = "" }: State): Ending | null {
    if (Type === "Fail") {
      const cause = Cause ?? String(this.#at(CausePath));
      return { status: "FAILED", error: error ?? String(this.#at(ErrorPath)), cause };
    }
    return Type === "Succeed" || End === true ? { status: "SUCCEEDED", output: this.#at(OutputPath ?? "$") } : null;
  }

  #enter(state: State): string | undefined {
    const at = (path: string) => this.#at(path);
    switch (state.Type) {
      case "Pass":
        this.#put(state.ResultPath, fill(state.Parameters ?? this.#data, at));
        return state.Next;
      case "Map":
        return this.#map(state);
      case "Wait":
        this.waits.push(Number(this.#at(state.SecondsPath ?? "")));
        return state.Next;
      case "Choice":
        return state.Choices?.find((rule) => holds(rule, at))?.Next ?? state.Default;
      case "Task":
        return this.#invoke(state);
      default:
        throw new Error(`a state of type ${state.Type} is not known here`);
    }
  }

  /** Runs each item in a child execution, one after another. Either all children may fail, or none. */
  #map({ ItemProcessor: processor, ItemSelector: selector = null, ...state }: State): string | undefined {
    const { items = [], failed = [], executionName } = this.#world;
    const results = items.flatMap((item) => {
      const at = (path: string) => (path === "$$.Map.Item.Value" ? item : this.#at(path));
      const world = { ...this.#world, executionName: `a-child-of-${executionName}` };
      const child = new Execution(processor as Machine, fill(selector, at), this.#task, world);
      const ending = endOf(child);
      this.calls.push(...child.calls);
      this.waits.push(...child.waits);
      if (ending.status === "SUCCEEDED" && ending.output !== undefined) {
        return [ending.output];
      }
      if (state.ToleratedFailurePercentage !== 100) {
        throw new Error("States.ExceedToleratedFailureThreshold");
      }
      return failed;
    });
    this.#take(state, results);
    return state.Next;
  }

  #invoke(state: State): string | undefined {
    const parameters = fill(state.Parameters ?? this.#data, (path) => this.#at(path));
    if (state.Resource?.endsWith(":states:::lambda:invoke") !== true) {
      throw new Error(`the service ${state.Resource} is not known here`);
    }
    const outcome = this.#attempt(state, isObject(parameters) ? (parameters["Payload"] ?? null) : null);
    if (!(outcome instanceof Error)) {
      this.#take(state, outcome);
      return state.Next;
    }
    const caught = state.Catch?.find(({ ErrorEquals }) => matches(ErrorEquals, outcome));
    if (caught === undefined) {
      throw new Error(`nothing catches ${outcome.name}`);
    }
    this.#put(caught.ResultPath, { Error: outcome.name, Cause: outcome.message });
    return caught.Next;
  }

  /** The task's answer, or the error after the last attempt. */
  #attempt(state: State, payload: Json): Json | Error {
    const tries = new Map<object, number>();
    while (true) {
      this.events += 3;
      try {
        this.calls.push(payload);
        return { Payload: this.#task(payload) };
      } catch (error) {
        const thrown = error instanceof Error ? error : new Error(String(error));
        const retry = state.Retry?.find(({ ErrorEquals }) => matches(ErrorEquals, thrown));
        if (retry === undefined || (tries.get(retry) ?? 0) >= retry.MaxAttempts) {
          return thrown;
        }
        tries.set(retry, (tries.get(retry) ?? 0) + 1);
      }
    }
  }

  #take({ ResultSelector, ResultPath }: State, result: Json): void {
    this.#put(
      ResultPath,
      fill(ResultSelector ?? result, (path) => this.#at(path, result)),
    );
  }

  #put(path: string | undefined, value: Json): void {
    const isWhole = path === undefined || path === "$" || !isObject(this.#data);
    this.#data = isWhole ? value : { ...(this.#data as object), [path.slice("$.".length)]: value };
  }

  #at(path: string, from: Json = this.#data): Json {
    const context = { Execution: { Name: this.#world.executionName ?? "an-execution" } };
    return path.startsWith("$$") ? pick(path.slice(1), context) : pick(path, from);
  }
}

/** An error that no state catches (such as `States.Runtime`) fails the child. */
function endOf(child: Execution): Ending {
  try {
    return child.toEnd();
  } catch (error) {
    return { status: "FAILED", error: "States.Runtime", cause: String(error) };
  }
}

function matches(names: readonly string[], error: Error): boolean {
  return names.includes("States.ALL") || names.includes(error.name);
}

type At = (path: string) => Json;

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A reference path, or `$[*].name`: that field of each list member that has it. */
function pick(path: string, from: Json): Json {
  const [, name] = /^\$\[\*\]\.(\w+)$/.exec(path) ?? [];
  if (name !== undefined && Array.isArray(from)) {
    return from.flatMap((member: Json) => (isObject(member) && name in member ? [member[name] ?? null] : []));
  }
  const [, list, index] = /^(.+)\[(\d+)\]$/.exec(path) ?? [];
  if (list !== undefined) {
    const members = pick(list, from);
    return (Array.isArray(members) ? members[Number(index)] : null) ?? null;
  }
  let value: Json | undefined = from;
  for (const name of path.split(".").slice(1)) {
    value = isObject(value) ? value[name] : undefined;
    if (value === undefined) {
      throw new Error(`States.ParameterPathFailure: ${path}`);
    }
  }
  return value;
}

function fill(template: Json, at: At): Json {
  if (Array.isArray(template)) {
    return template.map((member: Json) => fill(member, at));
  }
  if (!isObject(template)) {
    return template;
  }
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) =>
      name.endsWith(".$") ? [name.slice(0, -2), evaluate(String(value), at)] : [name, fill(value, at)],
    ),
  );
}

function evaluate(text: string, at: At): Json {
  const call = /^States\.(\w+)\((.*)\)$/.exec(text);
  if (call === null) {
    return at(text);
  }
  const values = [...(call[2] ?? "").matchAll(/'([^']*)'|[^,\s][^,]*/g)].map(([argument, text]) => {
    if (text !== undefined) {
      return text;
    }
    return argument.startsWith("$") ? at(argument) : (JSON.parse(argument) as Json);
  });
  const [a = null, b = null, ...more] = values;
  switch (call[1]) {
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
      throw new Error(`States.IntrinsicFailure: ${text}`);
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
  if (rule.BooleanEquals !== undefined) {
    return value === rule.BooleanEquals;
  }
  if (rule.NumericGreaterThanEquals !== undefined) {
    return typeof value === "number" && value >= rule.NumericGreaterThanEquals;
  }
  throw new Error(`a choice of this kind is not known here: ${JSON.stringify(rule)}`);
}
