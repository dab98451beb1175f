import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { start } from "../../cli/child.ts";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { FILLBOOK_FROM } from "../compare/tools.ts";
import { YEAR } from "./account-file.ts";
import type { CaseInput, Measured } from "./cases.ts";
import { startServer } from "./server.ts";

/**
 * Runs `fillbook sync --from 2025-01-01` into a folder, with the emulator in another process. The client's
 * process is measured.
 */
export async function syncProcess({ dir, fills }: CaseInput): Promise<Measured> {
  const folder = await mkdtemp(join(dir, "client-"));
  const emulator = await startServer("../../emulator/main.ts", ["--fills", String(fills)]);
  try {
    const usage = join(folder, "usage.json");
    const place = { accountUrl: emulator.address, token: SAMPLE_TOKEN, sinceMs: YEAR.from, folder };
    const { program, args, environment } = FILLBOOK_FROM.command(place);
    const { ended } = start(program, args, { environment: { ...environment, USAGE: usage }, cwd: folder });
    const { code, stderr } = await ended;
    if (code !== 0) {
      throw new Error(`${program} exited with ${code}: ${stderr.slice(-2000)}`);
    }
    return { process: JSON.parse(readFileSync(usage, "utf8")) };
  } finally {
    await emulator.stop();
    await rm(folder, { recursive: true });
  }
}
