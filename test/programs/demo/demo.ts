import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout } from "node:timers/promises";
import Papa from "papaparse";
import { duration } from "../../../lambda/cli/terminal-text.ts";
import { count, counted } from "../../../lambda/core/text.ts";
import { startCli } from "../../cli/child.ts";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { historyItems } from "../../emulator/history.ts";
import { startEmulator } from "../../emulator/server.ts";
import { DEMO_SEED, makeDemoAccount } from "./account/account.ts";
import { balancesCsv, makeCash, transfersCsv } from "./account/cash.ts";
import { fundingCsv } from "./account/funding.ts";
import { monthlyTable, resultLines } from "./monthly.ts";
import { type Ask, freshFolder } from "./out-folder.ts";
import { addUp, differences, type PackFigures, type Row, summaryFigures } from "./pack-figures.ts";

/**
 * Shows the main job from end to end on this machine. An emulated service has a trader's year of fills. An
 * export of it is stopped in the middle and continued, makes the pack us-2025, is verified, and its rows are
 * added up again.
 */
const REQUESTS_BEFORE_STOP = 40;
const OUT = path.resolve("demo-out");
const STORE = path.join(OUT, "archive");
const PACK = path.join(OUT, "us-2025");
/** Where the store keeps an account's files, so that the page and the commands read the same. */
const INPUTS = path.join(STORE, "main", "inputs");

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

/** Null if no person is at a terminal. */
function terminalAsk(): Ask {
  if (!(process.stdin.isTTY && process.stdout.isTTY)) {
    return null;
  }
  return async (question) => {
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const answer = await terminal.question(`${question} [y/N] `);
    terminal.close();
    return /^y(?:es)?$/i.test(answer.trim());
  };
}

/**
 * Prints the months of the summary. Throws if the single fills, closes and payments do not add up to them.
 */
async function sayMonths(): Promise<PackFigures> {
  const figures = summaryFigures(await rowsOf("summary-months.csv"), await rowsOf("summary.csv"));
  for (const line of monthlyTable(figures)) {
    say(line);
  }
  const fills = await rowsOf("fills.csv");
  const closes = await rowsOf("realised-pnl.csv");
  const payments = await rowsOf("inputs/funding.csv");
  const different = differences(figures, addUp({ fills, closes, payments }, "America/New_York"));
  if (different.length > 0) {
    throw new Error(`the rows do not add up to summary-months.csv and summary.csv:\n${different.join("\n")}`);
  }
  say(
    `Checked: ${counted(fills.length, "fill")}, ${counted(closes.length, "close")} and ${counted(payments.length, "payment")} add up to summary-months.csv and summary.csv, to the last digit.`,
  );
  return figures;
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
  await freshFolder(OUT, terminalAsk());

  const { history, funding, open } = makeDemoAccount(DEMO_SEED);
  step(
    `An emulated service with ${count(history.count)} fills of 2025 and ${open.size} open positions at the end of the year`,
  );
  const service = await startEmulator({ history, switches: { latency: { ms: 5, jitterMs: 5 } } });
  say(`listening on ${service.accountUrl}`);
  await mkdir(INPUTS, { recursive: true, mode: 0o700 });
  await writeFile(path.join(INPUTS, "funding.csv"), fundingCsv(funding));
  await writeFile(path.join(INPUTS, "transfers.csv"), transfersCsv());
  await writeFile(path.join(INPUTS, "balances.csv"), balancesCsv(makeCash(historyItems(history), funding)));
  const inputs = path.relative(".", INPUTS);
  say(`${inputs}/funding.csv: ${counted(funding.length, "payment")}, which are not in the service's fill data`);
  say(`${inputs}/transfers.csv, balances.csv: deposits and withdrawals, and the venue's quarterly statements`);
  const environment = {
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_STORE: STORE,
    FILLBOOK_TOKEN: SAMPLE_TOKEN,
    FILLBOOK_HURRY: "1", // else the second reading begins a minute after the first
  };

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
    `${service.emulator.log.requests - before} requests, after ${before} in the first run; reading all fills once, and they are read twice, takes ${Math.ceil(history.count / 100)}`,
  );

  step("Verify checks every file's hash and reads the service once more");
  await fillbook(environment, "verify", "--period", "us-2025", "--rewalk");

  step("The figures for the accountant");
  const figures = await sayMonths();
  await sayCash();
  await service.close();

  step(`Realised PnL of 2025 (the demo took ${duration(performance.now() - startedAt)})`);
  const totals = await rowsOf("summary.csv");
  const unknownCloses = totals.map(
    ({ currency = "", closes_with_unknown_pnl: unknown }) => [currency, Number(unknown)] as const,
  );
  for (const line of resultLines(figures, new Map(unknownCloses))) {
    say(line);
  }
  const [pack, archive] = [path.relative(".", PACK), path.relative(".", STORE)];
  say(`
The pack is in ${pack}/, the archive in ${archive}/.
Check the files:    (cd ${pack} && sha256sum -c SHA256SUMS)
Open the report:    npm run -s fillbook -- open --out ${pack}     (${pack}/report.html)
See it as a page:   npm run -s fillbook -- serve --store ${archive}`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1); // the service would go on listening
}
