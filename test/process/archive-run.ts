import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { type Ended, startCli } from "../cli/child.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import { temporaryFolder } from "../leftovers.ts";
import type { Prng } from "../support/prng.ts";
import { readCurrent } from "../support/published.ts";

// Real processes of the command line, with archives in folders, against the emulator on real sockets.

/** The month of the packs. An export reads seven more days on both sides of it. */
export const MONTH = "month-2025-03";
export const FROM = Date.UTC(2025, 1, 22);
export const TO = Date.UTC(2025, 3, 8);
const RANGE = ["--from", "2025-02-22", "--to", "2025-04-08"];
const HISTORY = makeHistory({ seed: 11, fills: 600, from: Date.UTC(2025, 1, 23), to: Date.UTC(2025, 3, 7), ties: 60 });

/** Pages hold 20 rows, so that a run can be stopped at many different moments. */
export function openService(): Promise<RunningEmulator> {
  return startEmulator({ history: HISTORY, switches: { pageLimit: 20, latency: { ms: 2, jitterMs: 4 } } });
}

export type Place = Awaited<ReturnType<typeof openPlace>>;

/** A folder with an archive and a pack. */
export async function openPlace() {
  const folder = temporaryFolder();
  const out = join(folder, "out");
  const inputs = join(folder, "inputs");
  // The file declares that no position was open before. An export then walks only its month, not the years
  // before it.
  await mkdir(inputs);
  await writeFile(
    join(inputs, "opening-positions.csv"),
    "market,quantity,average_price,as_of,evidence\n*,0,,2025-02-28,\n",
  );
  return {
    store: openFolderStore(join(folder, "store")),
    out,
    run(service: RunningEmulator, what: "sync" | "export") {
      const args =
        what === "sync" ? ["sync", ...RANGE] : ["export", "--period", MONTH, "--inputs", inputs, "--out", out];
      return startCli([...args, "--json", "--quiet"], {
        FILLBOOK_STORE: join(folder, "store"),
        FILLBOOK_ACCOUNT_URL: service.accountUrl,
        FILLBOOK_TOKEN: SAMPLE_TOKEN,
        FILLBOOK_HURRY: "1",
      });
    },
  };
}

export type Kept = Awaited<ReturnType<typeof keptIn>>;

/** What must be equal, however the archive was built: its data, and its pack but for when it was read twice. */
export async function keptIn({ store, out }: Pick<Place, "store" | "out">) {
  const { fills, coverage, dataFiles } = await readCurrent(store, "main");
  const said = JSON.parse(await readFile(join(out, "completeness.json"), "utf8"));
  const at = String(said.read_twice_at);
  const isoOrPlain = new RegExp(`${at}|${at.slice(0, 19).replace("T", " ")}(?:\\.\\d+)?`, "g");
  return {
    fills,
    coverage,
    dataFiles: dataFiles.map(({ kind, from, to, sha256: contents, fills: rows }) => [kind, from, to, contents, rows]),
    pack: Object.fromEntries(
      await Promise.all(
        (await readdir(out, { recursive: true, withFileTypes: true }))
          .filter(({ name }) => !["SHA256SUMS", "datapackage.json"].includes(name)) // they have the others' hashes
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name))
          .sort()
          .map(async (path) => [
            relative(out, path),
            sha256((await readFile(path, "latin1")).replaceAll(isoOrPlain, "read twice")),
          ]),
      ),
    ),
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "latin1").digest("hex");
}

/** When and by which signal a process is stopped: `delayMs` after its request number `requests`. */
export interface Moment {
  readonly signal: "SIGKILL" | "SIGINT";
  /** 0: `delayMs` counts from the process's start */
  readonly requests: number;
  readonly delayMs: number;
}

/**
 * Half of the moments are among the first requests, when little is committed. The others are anywhere in a
 * run, including its start and the making of its pack.
 */
export function drawMoment(draw: Prng, runMs: number): Moment {
  return draw.int(2) === 0
    ? { signal: "SIGKILL", requests: 1 + draw.int(16), delayMs: draw.int(12) }
    : { signal: "SIGKILL", requests: 0, delayMs: 20 + draw.int(Math.max(1, Math.round(runMs) - 20)) };
}

/** Lets the process run until it ends by itself or its moment comes, whichever is first. */
export async function runUntil(
  service: RunningEmulator,
  run: ReturnType<Place["run"]>,
  moment: Moment,
): Promise<Ended & { readonly killed: boolean }> {
  const over = new AbortController();
  const stop = async () => {
    if (moment.requests > 0) {
      await service.requested(moment.requests);
    }
    await after(moment.delayMs, undefined, { signal: over.signal });
    run.child.kill(moment.signal);
  };
  stop().catch(() => undefined); // the process ended first
  const ended = await run.ended;
  over.abort();
  return { ...ended, killed: run.child.signalCode === "SIGKILL" };
}
