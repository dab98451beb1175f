import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../../emulator/server.ts";
import { type Cost, costOf, started } from "./run.ts";
import {
  ccxtReader,
  dayOf,
  dltReader,
  fillbook,
  fillbookReader,
  installCcxt,
  PLAIN_LOOP,
  type Place,
  pythonWith,
  type Reader,
  verdictOn,
  yearUntilNow,
} from "./tools.ts";

export const PAGE_MS = 50;

export interface ProcessResult extends Cost {
  readonly what: string;
  readonly requests: number;
  /** Of a tool that reads: what it kept. */
  readonly kept: string;
}

/** Whole processes with an account of a year, on loopback: readers, and then what a day brings. */
export async function costOfProcesses(fills: number, folder: string): Promise<readonly ProcessResult[]> {
  const { from, to } = yearUntilNow();
  const history = makeHistory({ seed: 1, fills, from, to, ties: 0 });
  const running = await startEmulator({ history, switches: { latency: { ms: PAGE_MS, jitterMs: 0 } } });
  const placeIn = async (): Promise<Place> => ({
    ...{ accountUrl: running.accountUrl, token: SAMPLE_TOKEN, sinceMs: from },
    folder: await mkdtemp(join(folder, "reader-")),
  });
  const twice = fillbookReader("fillbook, read twice", "--hurry");
  const ccxt = await installCcxt();
  const others = [
    ccxtReader(ccxt, false),
    ccxtReader(ccxt, true),
    dltReader(await pythonWith("programs/bench/dlt-requirements.txt")),
  ];
  const results: ProcessResult[] = [];
  try {
    for (const reader of [PLAIN_LOOP, ...others, fillbookReader("fillbook, read once", "--once")]) {
      results.push(await readerResult(reader, await placeIn(), running));
    }
    const place = await placeIn();
    results.push(await readerResult(twice, place, running));
    const after = async (what: string, cost: () => Promise<Cost>) => {
      const before = running.emulator.log.requests;
      results.push({ what, kept: "", ...(await cost()), requests: running.emulator.log.requests - before });
    };
    const command = (...args: string[]) => costOf(fillbook(place, args), place.folder);
    await after("a night without news", () => costOf(twice.command(place), place.folder));
    await after("`status`", () => command("status"));
    await after("`export`, the year's pack", () => command("export", "--from", dayOf(from), "--to", dayOf(to)));
    await after("`serve`, ten visits to the account's page", () => visits(place));
    return results;
  } finally {
    await running.close();
  }
}

async function readerResult(reader: Reader, place: Place, { emulator }: RunningEmulator): Promise<ProcessResult> {
  const before = emulator.log.requests;
  const cost = await costOf(reader.command(place), place.folder);
  const requests = emulator.log.requests - before;
  const kept = verdictOn(await reader.kept(place), emulator.truthItems(Date.now()));
  return { what: reader.name, kept, ...cost, requests };
}

const VISITS = 10;

/** Opens the page as a browser does: the key's address, the cookie, the pages. */
async function visits(place: Place): Promise<Cost> {
  const server = started(fillbook(place, ["serve", "--no-open"]), place.folder);
  const { url } = JSON.parse(await server.firstOutput);
  const signedIn = await fetch(url);
  const headers = { cookie: signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "" };
  const home = new URL(signedIn.headers.get("refresh")?.split("url=")[1] ?? "", url);
  for (let visit = 0; visit < VISITS; visit += 1) {
    const page = await fetch(new URL("a/main", home), { headers });
    if (!(await page.text()).includes("main")) {
      throw new Error(`${page.url} answered ${page.status}`);
    }
  }
  server.stop();
  return await server.ended;
}
