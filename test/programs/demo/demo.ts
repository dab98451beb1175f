import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import Papa from "papaparse";
import { table } from "../../../lambda/cli/terminal-text.ts";
import { count, counted, durationText } from "../../../lambda/core/text.ts";
import { startCli } from "../../cli/child.ts";
import { startEmulator } from "../../emulator/server.ts";
import { makeDemoAccount } from "./account.ts";
import { inputFiles } from "./venue.ts";

type Row = Readonly<Record<string, string>>;

/**
 * Shows the main job from end to end on this machine. An emulated service has a trader's year of fills. An
 * export of it is stopped in the middle and continued, makes the pack us-2025, is verified, and its cash is
 * compared with the venue's statements.
 */
const REQUESTS_BEFORE_STOP = 40;
/** Marks a folder as the demo's own, which it may delete. */
const MARKER = "made-by-the-demo.txt";
const OUT = path.resolve("demo-out");
const STORE = path.join(OUT, "archive");
const PACK = path.join(OUT, "us-2025");
/** Where the store keeps an account's files, so that the page and the commands read the same. */
const INPUTS = path.join(STORE, "main", "inputs");

/** The columns of summary.csv that are shown. */
const COLUMNS = [
  ["currency", ""],
  ["fills", "fills"],
  ["gross_pnl", "gross realised"],
  ["fees_recognised", "fees"],
  ["funding", "funding"],
  ["realised_pnl_net_incl_funding", "net realised"],
  ["closes_with_unknown_pnl", "closes without PnL"],
] as const;

function say(line = ""): void {
  process.stdout.write(`${line}\n`);
}

function step(title: string): void {
  say(`\n── ${title}`);
}

async function fillbook(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<void> {
  say(`$ fillbook ${args.join(" ")}`);
  const { ended } = startCli(args, environment);
  const { code, stdout, stderr } = await ended;
  say(stdout.trimEnd());
  if (code !== 0) {
    say(stderr.trimEnd());
    throw new Error(`fillbook ${args[0]} exited with ${code}`);
  }
}

async function rowsOf(file: string): Promise<readonly Row[]> {
  const text = new TextDecoder().decode(await readFile(path.join(PACK, file))); // the decoder drops the byte order mark
  return Papa.parse<Row>(text, { header: true, skipEmptyLines: true }).data;
}

/** Throws unless the folder is absent, empty or of an earlier run. */
async function freshFolder(): Promise<void> {
  const names: readonly string[] = await readdir(OUT).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") {
      return [];
    }
    throw error;
  });
  if (names.length > 0 && !names.includes(MARKER)) {
    throw new Error(`${OUT} exists, and the demo did not make it: move or delete it, and run the demo again`);
  }
  await rm(OUT, { recursive: true, force: true });
  await mkdir(INPUTS, { recursive: true, mode: 0o700 });
  await writeFile(path.join(OUT, MARKER), "npm run demo made this folder, and deletes it when it runs again.\n");
}

/** Throws if fillbook's cash differs from the venue's statements, which were calculated independently. */
async function sayCash(): Promise<void> {
  const rows = await rowsOf("balance.csv");
  for (const { currency, from, to, movement, difference, result } of rows) {
    if (result !== "agrees") {
      throw new Error(
        `balance.csv: ${currency} from ${from} to ${to} changed by ${movement}: ${result}, difference ${difference}`,
      );
    }
  }
  say(
    `Checked: the cash in balance.csv (${counted(rows.length, "row")}) agrees with the venue's statements, to the cent.`,
  );
}

async function main(): Promise<void> {
  const startedAt = performance.now();
  await freshFolder();

  const { history, open } = makeDemoAccount();
  step(
    `An emulated service with ${count(history.count)} fills of 2025 and ${open.size} open positions at the end of the year`,
  );
  const service = await startEmulator({ history, switches: { latency: { ms: 5, jitterMs: 5 } } });
  say(`listening on ${service.accountUrl}`);
  for (const [name, text] of Object.entries(inputFiles(history))) {
    await writeFile(path.join(INPUTS, name), text);
  }
  say(`${path.relative(".", INPUTS)}/: funding, which is not in the service's fill data, transfers,`);
  say("and the venue's quarterly statements of cash");
  const environment = service.environment(STORE);

  step("An export that is stopped in the middle");
  say(`$ fillbook export --period us-2025      (Ctrl-C after ${REQUESTS_BEFORE_STOP} requests)`);
  const stopped = startCli(["export", "--period", "us-2025"], environment);
  let isOver = false;
  stopped.child.once("exit", () => {
    isOver = true;
  });
  while (service.emulator.log.requests < REQUESTS_BEFORE_STOP && !isOver) {
    await setTimeout(5);
  }
  stopped.child.kill("SIGINT");
  const { code, stderr } = await stopped.ended;
  say(stderr.trim().split("\n").slice(-2).join("\n"));
  say(`exit ${code}`);
  if (code !== 4) {
    throw new Error(`a stopped export must exit with 4, but it exited with ${code}`);
  }
  await fillbook(environment, "status");

  step("The second run continues where the first one stopped");
  const before = service.emulator.log.requests;
  await fillbook(environment, "export", "--period", "us-2025", "--out", PACK);
  say(
    `${service.emulator.log.requests - before} requests, after ${before} in the first run; all fills are read twice, and once takes ${Math.ceil(history.count / 100)}`,
  );

  step("Verify checks every file's hash and reads the service once more");
  await fillbook(environment, "verify", "--period", "us-2025", "--rewalk");

  await service.close();

  step(`Realised PnL of 2025 (the demo took ${durationText(performance.now() - startedAt)})`);
  const totals = await rowsOf("summary.csv");
  const lines = totals.map((row) => COLUMNS.map(([column]) => row[column] ?? ""));
  for (const line of table(["", ...COLUMNS.slice(1).map(([, name]) => name)], lines)) {
    say(line);
  }
  await sayCash();
  const [pack, archive] = [path.relative(".", PACK), path.relative(".", STORE)];
  say(`
The pack is in ${pack}/, the archive in ${archive}/.
Check the files:    (cd ${pack} && sha256sum -c SHA256SUMS)
Open the report:    npm run -s fillbook -- open us-2025 --store ${archive}     (${pack}/report.html)
See it as a page:   npm run -s fillbook -- serve --store ${archive}`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1); // the service would go on listening
}
