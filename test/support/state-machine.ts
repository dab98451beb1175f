/**
 * Runs a Step Functions definition, so that a test sees what a loop does and not how it is written. It
 * implements what infra/job/ uses of the Amazon States Language, by its specification
 * (https://states-language.net/spec.html). Anything else is an error.
 */
export interface Machine {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

interface State {
  readonly Type: string;
  readonly Resource?: string;
  readonly Next?: string;
  readonly Default?: string;
  readonly Parameters?: Json;
  readonly ResultSelector?: Json;
  readonly ResultPath?: string;
  readonly OutputPath?: string;
  readonly SecondsPath?: string;
  readonly Choices?: readonly Rule[];
  readonly Retry?: readonly {
    readonly ErrorEquals: readonly string[];
    readonly MaxAttempts: number;
    readonly IntervalSeconds: number;
  }[];
  readonly Catch?: readonly {
    readonly ErrorEquals: readonly string[];
    readonly ResultPath: string;
    readonly Next: string;
  }[];
  readonly ItemSelector?: Json;
  readonly ItemProcessor?: Machine;
  readonly ToleratedFailurePercentage?: number;
  readonly End?: boolean;
  readonly Error?: string;
  readonly Cause?: string;
  readonly ErrorPath?: string;
  readonly CausePath?: string;
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

export interface Execution {
  readonly status: "SUCCEEDED" | "FAILED";
  readonly output?: Json;
  readonly error?: string;
  readonly cause?: string;
  /** Payloads of the task's calls, including retries. */
  readonly calls: readonly Json[];
  /** Seconds of each Wait. */
  readonly waits: readonly number[];
  /**
   * Entries of the history: two for the execution, two for each state, three more for each attempt of a task.
   * A map's children have their own.
   */
  readonly events: number;
}

/** Returns the task's answer, or throws an Error whose name is the error that the machine sees. */
export type Task = (payload: Json) => Json;

/**
 * `items`: the list in the S3 object that a Distributed Map reads; `failed`: what the map gives for a child
 * whose failure is tolerated, by default nothing.
 */
export function runMachine(
  machine: Machine,
  input: Json,
  task: Task,
  {
    executionName = "an-execution",
    items = [],
    failed = [],
  }: { executionName?: string; items?: readonly Json[]; failed?: readonly Json[] } = {},
): Execution {
  return new Run(machine, input, task, { items, failed, context: { Execution: { Name: executionName } } }).toEnd();
}

type Ending = Pick<Execution, "status" | "output" | "error" | "cause">;

interface Surroundings {
  readonly items: readonly Json[];
  readonly failed: readonly Json[];
  /** The value of `$$`. */
  readonly context: { readonly [name: string]: Json };
}

class Run {
  readonly calls: Json[] = [];
  readonly waits: number[] = [];
  events = 2; // started, ended
  readonly #machine: Machine;
  readonly #task: Task;
  readonly #surroundings: Surroundings;
  #name: string;
  #data: Json;

  constructor(machine: Machine, input: Json, task: Task, surroundings: Surroundings) {
    this.#machine = machine;
    this.#task = task;
    this.#surroundings = surroundings;
    this.#name = machine.StartAt;
    this.#data = input;
  }

  toEnd(): Execution {
    let end: Ending | null = null;
    while (end === null) {
      end = this.#step();
    }
    return { ...end, calls: this.calls, waits: this.waits, events: this.events };
  }

  /** Enters one state and leaves it. Returns how the execution ended, or null. */
  #step(): Ending | null {
    const state = this.#machine.States[this.#name];
    if (state === undefined) {
      throw new Error(`no state ${this.#name}`);
    }
    this.events += 2;
    if (state.Type === "Succeed") {
      return { status: "SUCCEEDED", output: this.#at(state.OutputPath ?? "$") };
    }
    if (state.Type === "Fail") {
      const error = state.Error ?? String(this.#at(state.ErrorPath ?? ""));
      return { status: "FAILED", error, cause: state.Cause ?? String(this.#at(state.CausePath ?? "")) };
    }
    const next = this.#enter(state);
    if (state.End === true) {
      return { status: "SUCCEEDED", output: this.#data };
    }
    if (next === undefined) {
      throw new Error(`state ${this.#name} leads nowhere`);
    }
    this.#name = next;
    return null;
  }

  #enter(state: State): string | undefined {
    switch (state.Type) {
      case "Pass":
        this.#data = put(
          this.#data,
          state.ResultPath,
          fill(state.Parameters ?? this.#data, (path) => this.#at(path)),
        );
        return state.Next;
      case "Map":
        return this.#map(state);
      case "Wait":
        this.waits.push(Number(this.#at(state.SecondsPath ?? "")));
        return state.Next;
      case "Choice":
        return state.Choices?.find((rule) => holds(rule, (path) => this.#at(path)))?.Next ?? state.Default;
      case "Task":
        return this.#invoke(state);
      default:
        throw new Error(`a state of type ${state.Type} is not known here`);
    }
  }

  /** Runs each item in a child execution, one after another. Either all children may fail, or none. */
  #map(state: State): string | undefined {
    const { ItemProcessor: processor, ItemSelector: selector = null } = state;
    if (processor === undefined) {
      throw new Error("a map without a processor");
    }
    const { items, failed, context } = this.#surroundings;
    const results = items.flatMap((item) => {
      const at = (path: string) => (path === "$$.Map.Item.Value" ? item : this.#at(path));
      const name = `a-child-of-${JSON.stringify(context["Execution"])}`;
      const child = new Run(processor, fill(selector, at), this.#task, {
        items,
        failed,
        context: { Execution: { Name: name } },
      });
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
    const selected = fill(state.ResultSelector ?? results, (path) => this.#at(path, results));
    this.#data = put(this.#data, state.ResultPath, selected);
    return state.Next;
  }

  #invoke(state: State): string | undefined {
    const parameters = fill(state.Parameters ?? this.#data, (path) => this.#at(path));
    if (state.Resource?.endsWith(":states:::lambda:invoke") !== true) {
      throw new Error(`the service ${state.Resource} is not known here`);
    }
    const outcome = this.#attempt(state, isObject(parameters) ? (parameters["Payload"] ?? null) : null);
    if (!(outcome instanceof Error)) {
      const selected = fill(state.ResultSelector ?? outcome, (path) => this.#at(path, outcome));
      this.#data = put(this.#data, state.ResultPath, selected);
      return state.Next;
    }
    const caught = state.Catch?.find(({ ErrorEquals }) => matches(ErrorEquals, outcome));
    if (caught === undefined) {
      throw new Error(`nothing catches ${outcome.name}`);
    }
    this.#data = put(this.#data, caught.ResultPath, { Error: outcome.name, Cause: outcome.message });
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

  #at(path: string, from: Json = this.#data): Json {
    return path.startsWith("$$") ? pick(path.slice(1), this.#surroundings.context) : pick(path, from);
  }
}

/** An error that no state catches (such as `States.Runtime`) fails the child. */
function endOf(child: Run): Ending {
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

function put(data: Json, path: string | undefined, value: Json): Json {
  if (path === undefined || path === "$" || !isObject(data)) {
    return value;
  }
  return { ...data, [path.slice("$.".length)]: value };
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
  if (call[1] === "MathAdd") {
    return Number(a) + Number(b);
  }
  if (call[1] === "JsonMerge" && isObject(a) && isObject(b) && more[0] === false) {
    return { ...a, ...b };
  }
  if (call[1] === "ArrayLength" && Array.isArray(a)) {
    return a.length;
  }
  if (call[1] === "Format") {
    const rest = [b, ...more];
    return String(a).replaceAll("{}", () => String(rest.shift()));
  }
  throw new Error(`States.IntrinsicFailure: ${text}`);
}

function holds(rule: Rule, at: At): boolean {
  if (rule.And !== undefined) {
    return rule.And.every((part) => holds(part, at));
  }
  if (rule.IsPresent !== undefined) {
    return rule.IsPresent === isThere(rule.Variable ?? "", at);
  }
  const value = at(rule.Variable ?? "");
  if (rule.BooleanEquals !== undefined) {
    return value === rule.BooleanEquals;
  }
  if (rule.NumericGreaterThanEquals !== undefined) {
    return typeof value === "number" && value >= rule.NumericGreaterThanEquals;
  }
  throw new Error(`a choice of this kind is not known here: ${JSON.stringify(rule)}`);
}

/** For a member of a list; a missing one counts as null here. */
function isThere(path: string, at: At): boolean {
  try {
    return at(path) !== null;
  } catch {
    return false;
  }
}
