import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { HOUR_MS } from "../../../lambda/core/time.ts";
import { readOptions } from "../options.ts";
import { METHOD, REASONS } from "./method.ts";
import { median, serviceTable, timeTable } from "./report.ts";
import { hardServices, type Service, timedService } from "./services.ts";
import { type Installed, installCcxt, installDlt } from "./setup.ts";
import { ccxtTools, dltTools, FILLBOOK, FILLBOOK_FROM, PLAIN_LOOP, type Tool } from "./tools.ts";
import { type Trial, tryTool } from "./trial.ts";

const HELP = `Compares fillbook with other tools, in real time, on the same emulated services.

npm run compare -- [options]

  --write  also writes it to test/programs/compare/RESULTS.md
  --help   prints this text

The first run installs ccxt (npm) and dlt (pip, in a virtual environment) under node_modules/.cache. A tool that cannot be installed is left out.
`;

const TIMED_FILLS = 20_000;
const HARD_FILLS = 3000;
const TIMED_ROUNDS = 3;
/**
 * These tools are only in the first table. There they show that fewer requests suffice for the same fills,
 * and the limit of 10 calls again.
 */
const TIMED_ONLY = [FILLBOOK_FROM.name, "ccxt dynamic"];

const BUSY =
  " The machine was busy with other work, so all times are too long, most of all for tools that need much CPU.";

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function trial(tool: Tool, service: Service): Promise<Trial> {
  const result = await tryTool(tool, service);
  const { lost, doubled, invented, changed } = result.counts;
  const runs = result.runs.map(
    ({ code, seconds, requests, stderr }) =>
      `${seconds.toFixed(1)} s, ${requests} requests, ${code === 0 ? "done" : `exit ${code ?? "by SIGKILL"}: ${reason(stderr)}`}`,
  );
  say(
    `${service.name} ${tool.name}: lost ${lost}, doubled ${doubled}, invented ${invented}, changed ${changed}; ${runs.join("; ")}`,
  );
  return result;
}

/** Runs two trials at a time, where time is not compared. Most of the time they wait. */
async function twoAtATime(trials: readonly (() => Promise<Trial>)[]): Promise<readonly Trial[]> {
  const results: Trial[] = [];
  const rest = [...trials.entries()];
  const lane = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
      const [at, run] = next;
      results[at] = await run();
    }
  };
  await Promise.all([lane(), lane()]);
  return results;
}

function reason(stderr: string): string {
  const named = stderr.split("\n").filter((line) => /error|exception|refused|complete/i.test(line));
  return named.at(-1)?.trim().slice(0, 200) ?? "";
}

function toolsOf(ccxt: Installed, dlt: Installed): readonly Tool[] {
  return [
    FILLBOOK,
    FILLBOOK_FROM,
    PLAIN_LOOP,
    ...("path" in ccxt ? ccxtTools(ccxt.path) : []),
    ...("path" in dlt ? dltTools(dlt.path) : []),
  ];
}

function versionOf(name: string, one: Installed): string {
  return "path" in one ? `${name} ${one.version}` : `no ${name} (${one.missing})`;
}

async function main(): Promise<void> {
  const values = readOptions(HELP, { write: { type: "boolean", default: false } });
  const [version, load] = [commit(), loadavg()[0] ?? 0];
  const [ccxt, dlt] = [await installCcxt(), await installDlt()];
  const tools = toolsOf(ccxt, dlt);
  // The newest fills are at least an hour old, so all have settled.
  const endMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;

  const timed = timedService(TIMED_FILLS, endMs);
  const rounds: Trial[] = [];
  for (let round = 0; round < TIMED_ROUNDS; round += 1) {
    for (const tool of tools) {
      rounds.push(await trial(tool, timed));
    }
  }
  const hard = hardServices(HARD_FILLS, endMs);
  const columns = tools.filter(({ name }) => !TIMED_ONLY.includes(name));
  const hardTrials = await twoAtATime(hard.flatMap((service) => columns.map((tool) => () => trial(tool, service))));

  const medians = tools.map(({ name }) => median(rounds.filter((one) => one.tool === name)));
  const about = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${machine()}; load ${load.toFixed(1)} before it began`,
    versions: `fillbook at ${version}, Node ${process.version.slice(1)}, ${versionOf("ccxt", ccxt)}, ${versionOf("dlt", dlt)}`,
  };
  const text = [
    "# fillbook and other tools",
    "",
    `\`npm run compare\` on ${about.date}: ${about.versions}; ${about.machine}.`,
    "",
    ...METHOD,
    "",
    `### Time: ${TIMED_FILLS.toLocaleString("en")} fills of a year, newest first, 20 to 40 ms per page`,
    "",
    `The median of ${TIMED_ROUNDS} rounds; the least possible is ${TIMED_FILLS / 100} requests.${load > cpus().length / 2 ? BUSY : ""}`,
    "",
    ...timeTable(medians),
    "",
    `### Kept rows: ${HARD_FILLS.toLocaleString("en")} fills, 10 to 20 ms per page`,
    "",
    ...serviceTable(
      hard,
      hardTrials,
      columns.map(({ name }) => name),
    ),
    "",
    ...REASONS,
  ].join("\n");
  process.stdout.write(`${text}\n`);
  if (values.write) {
    writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${text}\n`);
  }
}

function commit(): string {
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: import.meta.dirname,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  try {
    return `${git("rev-parse", "--short", "HEAD")}${git("status", "--porcelain", "../../lambda") === "" ? "" : " with changes"}`;
  } catch {
    return "an unknown commit";
  }
}

function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, the emulator on the same machine`;
}

await main();
