import { createReadStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import Papa from "papaparse";
import { duration } from "../../../lambda/cli/terminal-text.ts";
import { count } from "../../../lambda/core/text.ts";
import { startCli } from "../../cli/child.ts";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import { startEmulator } from "../../emulator/server.ts";
import { monthlyTable } from "./monthly.ts";

/**
 * The main job, shown from end to end on this machine: an emulated service with a year of fills, an export that is stopped in the middle, resumed, made into
 * the pack of us-2025, verified, and read back.
 */
const FILLS = 20_000;
const OUT = path.resolve("demo-out");
const STORE = path.join(OUT, "archive");
const PACK = path.join(OUT, "us-2025");

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
    throw new Error(`fillbook ${args[0]} ended with ${code}`);
  }
}

async function main(): Promise<void> {
  const startedAt = performance.now();
  await rm(OUT, { recursive: true, force: true });
  await mkdir(OUT, { recursive: true });

  step(`The service: emulated, ${count(FILLS)} fills of 2025 in 20 markets`);
  const history = makeHistory({ seed: 2025, fills: FILLS, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) });
  const service = await startEmulator({ history, switches: { latency: { ms: 5, jitterMs: 5 } } });
  say(`listening on ${service.accountUrl}`);
  const environment = {
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_STORE: STORE,
    FILLBOOK_TOKEN: SAMPLE_TOKEN,
  };

  step("An export, stopped in the middle");
  say("$ fillbook export --period us-2025      (ctrl-c after 90 requests)");
  const stopped = startCli(["export", "--period", "us-2025"], environment);
  let isOver = false;
  stopped.child.once("exit", () => {
    isOver = true;
  });
  while (service.emulator.log.requests < 90 && !isOver) {
    await setTimeout(5);
  }
  stopped.child.kill("SIGINT");
  const { code, stderr } = await stopped.ended;
  say(stderr.trim().split("\n").slice(-2).join("\n"));
  say(`exit ${code}`);
  if (code !== 4) {
    throw new Error(`a stopped export ends with 4, not ${code}`);
  }
  await fillbook(environment, "status");

  step("Run again: it goes on where it stopped");
  const before = service.emulator.log.requests;
  await fillbook(environment, "export", "--period", "us-2025", "--out", PACK);
  say(
    `${service.emulator.log.requests - before} requests, after ${before}; one pass over all fills takes ${FILLS / 100}`,
  );

  step("Every file against its hash, and the service walked again with other splits");
  await fillbook(environment, "verify", "--period", "us-2025", "--rewalk");

  step("What the accountant opens");
  const csv = createReadStream(path.join(PACK, "fills.csv"), "utf8");
  for (const line of await monthlyTable(csv.pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { header: true })))) {
    say(line);
  }
  say(
    "\nThe first hours of 2025 UTC are still 2024 in New York, the zone of us-2025: their fills are in the archive and not in this pack.",
  );
  say(`\nThe pack: ${path.relative(".", PACK)}/      the archive: ${path.relative(".", STORE)}/`);
  say(`Check it yourself: (cd ${path.relative(".", PACK)} && sha256sum -c SHA256SUMS)`);
  await service.close();
  say(`\nDone in ${duration(performance.now() - startedAt)}.`);
}

await main();
