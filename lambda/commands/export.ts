import { FillbookError } from "../errors.ts";
import { exportPack } from "../flow.ts";
import type { ExportResult } from "../job.ts";
import { customPeriod, type Period, parsePeriod } from "../model/period.ts";
import { isoTime } from "../model/time.ts";
import { nearest } from "../terminal/suggest.ts";
import { count, size, span, table } from "../terminal/text.ts";
import type { Command, Given, Outcome } from "./command.ts";
import { noPositionals } from "./positionals.ts";
import { readTime } from "./range.ts";

/** Cost-basis methods that a pack can be made with. */
const METHODS: readonly string[] = ["average"];

export const exportCommand: Command = {
  summary: "make the files of a period, walking first what it lacks",
  usage: "(--period P | --from T --to T [--zone Z]) [--method M] [--out DIR] [--allow-incomplete]",
  about: [
    "Walks what the period lacks, then writes its pack into the store; --out also copies it to a plain folder.",
    "A period that the archive covers already needs neither an address nor a token.",
    "A pack is written only when its period is covered; --allow-incomplete writes it all the same, under names that say INCOMPLETE.",
  ],
  options: {
    period: {
      value: "P",
      help: "a tax period or month: us-2025, uk-2025, month-2025-03; list them with: fillbook periods",
    },
    from: { value: "T", help: "with --to, in place of --period: the period's first moment" },
    to: { value: "T", help: "with --from: the end of the period, which is not part of it" },
    zone: {
      value: "Z",
      help: "the time zone of the period's days, as Europe/London (default: the period's own; with --from and --to UTC)",
    },
    method: { value: "M", help: `how cost is reckoned: ${METHODS.join(", ")} (default average)` },
    out: { value: "DIR", help: "a folder that also gets the pack's files" },
    "allow-incomplete": { value: null, help: "write the pack even if fills may be missing" },
  },
  example: "fillbook export --period us-2025 --out ./us-2025",
  plan(given) {
    noPositionals(given, "export");
    const out = given.text("out");
    if (out === "") {
      throw new FillbookError("usage", "--out is empty", { hint: "name a folder, for example: --out ./us-2025" });
    }
    const request = {
      period: readPeriod(given),
      method: readMethod(given),
      allowIncomplete: given.has("allow-incomplete"),
      ...(out === undefined ? {} : { out }),
    };
    return async (live) => exportOutcome(await exportPack(await live.job(), request));
  },
};

/** The contract's JSON of an export, and its summary. */
export function exportOutcome(result: ExportResult): Outcome {
  const files = result.files.map((file) => [
    file.path,
    file.rows === undefined ? "" : count(file.rows),
    size(file.bytes),
  ]);
  return {
    json: {
      account: result.account,
      period: result.period,
      from: isoTime(result.from),
      to: isoTime(result.to),
      zone: result.zone,
      method: result.method,
      dir: result.dir,
      complete: result.complete,
      files: result.files,
    },
    lines: [
      `${result.account} ${result.period}: ${result.complete ? "complete" : "NOT complete"} for ${span(result)} (${result.zone})`,
      ...(result.dir === null
        ? ["nothing was written"]
        : [...table(["file", "rows", "size"], files), `written to ${result.dir}`]),
    ],
    problem: result.problem,
  };
}

/** The period by name, or the range that was given in its place. */
export function readPeriod(given: Given): Period {
  const name = given.text("period");
  const zone = given.text("zone");
  const from = given.text("from");
  const to = given.text("to");
  if (name !== undefined) {
    if (from !== undefined || to !== undefined) {
      throw new FillbookError("usage", "--period and --from/--to are two ways to say the same", {
        hint: "keep one of them",
      });
    }
    return parsePeriod(name, zone);
  }
  if (from === undefined || to === undefined) {
    throw new FillbookError("usage", "export needs a period", {
      hint: "write --period us-2025 (list them with: fillbook periods), or --from 2025-01-01 --to 2026-01-01",
    });
  }
  readTime(from, "--from"); // for its messages, which name the flag
  readTime(to, "--to");
  return customPeriod(from, to, zone);
}

function readMethod(given: Given): string {
  const method = given.text("method") ?? "average";
  if (METHODS.includes(method)) {
    return method;
  }
  const near = nearest(method, METHODS);
  throw new FillbookError("usage", `there is no method "${method}"`, {
    hint: near === undefined ? `the methods are: ${METHODS.join(", ")}` : `did you mean --method ${near}?`,
  });
}
