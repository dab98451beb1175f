import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { start } from "../../cli/child.ts";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { installDlt } from "../compare/setup.ts";
import { type Command, dltTools, FILLBOOK_FROM, type Place } from "../compare/tools.ts";
import { YEAR } from "./account-file.ts";
import type { CaseInput, Measured } from "./case.ts";
import { startServer } from "./server.ts";

// Whole programs against the emulator, each in a process of its own: what is measured is the client's process and its children.

/** `fillbook sync --from 2025-01-01` into a folder. */
export async function syncProcess(input: CaseInput): Promise<Measured> {
  return await runClient(input, (place) => FILLBOOK_FROM.command(place));
}

/** dlt's REST API source, merged by identity into DuckDB, as its documentation says to load what may come late or change. */
export async function dltProcess(input: CaseInput): Promise<Measured> {
  const dlt = await installDlt();
  if ("missing" in dlt) {
    return { missing: `dlt is ${dlt.missing}` };
  }
  const tool = dltTools(dlt.path).at(-1);
  if (tool === undefined) {
    throw new Error("test/compare has no dlt");
  }
  return await runClient(input, (place) => tool.command(place));
}

async function runClient({ dir, fills }: CaseInput, commandOf: (place: Place) => Command): Promise<Measured> {
  const folder = await mkdtemp(join(dir, "client-"));
  const emulator = await startServer("../emulator/main.ts", ["--fills", String(fills)]);
  try {
    const usage = join(folder, "usage.json");
    const place = { accountUrl: emulator.address, token: SAMPLE_TOKEN, sinceMs: YEAR.from, folder };
    const { program, args, environment } = commandOf(place);
    const { ended } = start(program, args, { environment: { ...environment, USAGE: usage }, cwd: folder });
    const { code, stderr } = await ended;
    if (code !== 0) {
      throw new Error(`${program} has ended with ${code}: ${stderr.slice(-2000)}`);
    }
    return { process: JSON.parse(readFileSync(usage, "utf8")) };
  } finally {
    await emulator.stop();
    await rm(folder, { recursive: true });
  }
}
