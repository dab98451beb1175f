import { Pool } from "undici";
import { createComponents } from "../../../lambda/job/components.ts";
import { readSettings } from "../../../lambda/job/settings.ts";
import { SAMPLE_TOKEN } from "../../emulator/core.ts";
import { PAGE_ROWS } from "./account-file.ts";
import type { CaseInput, Measured } from "./case.ts";
import { medianOf } from "./results.ts";
import { startServer } from "./server.ts";

/** As many as a run has by default. */
const IN_FLIGHT = 4;
const ROUNDS = 5;
const PAGES = 1000;

/** Reads the page that begins at a row's place. */
type ReadPage = (place: number) => Promise<unknown>;

/**
 * CPU a page of the client as a run has it (request, limiter, body, checks), and of undici with JSON.parse alone: in turns in one process, the first of each
 * not counted. `ratio` is the median of the rounds'.
 */
export async function comparePages({ dir, fills }: CaseInput): Promise<Measured> {
  const server = await startServer("bench/page-server.ts", [dir]);
  const signal = new AbortController().signal;
  const environment = { FILLBOOK_ACCOUNT_URL: server.address, FILLBOOK_TOKEN: SAMPLE_TOKEN };
  const settings = readSettings({ ...environment, FILLBOOK_CONCURRENCY: String(IN_FLIGHT) });
  const reader = createComponents(settings, () => undefined).reader();
  reader.begin(null);
  const pool = new Pool(server.address, { connections: IN_FLIGHT });
  const rows = PAGE_ROWS * Math.floor(fills / PAGE_ROWS); // whole pages alone
  const ours: ReadPage = (place) => reader.completedOrders({ start: String(place) }, signal);
  const bare: ReadPage = async (place) => {
    const path = `/api/v1/completed-orders?start=${place}`;
    const { body } = await pool.request({ method: "GET", path, headers: { authorization: `Bearer ${SAMPLE_TOKEN}` } });
    return JSON.parse(await body.text());
  };
  try {
    const rounds: { readonly ours: number; readonly bare: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      rounds.push({ bare: await microsAPage(bare, rows), ours: await microsAPage(ours, rows) });
    }
    const warm = rounds.slice(1);
    return {
      facts: {
        pages: PAGES,
        oursMicros: medianOf(warm.map((one) => one.ours)),
        bareMicros: medianOf(warm.map((one) => one.bare)),
        ratio: medianOf(warm.map((one) => one.ours / one.bare)),
      },
    };
  } finally {
    await pool.destroy();
    await server.stop();
  }
}

/** user + system, µs */
async function microsAPage(read: ReadPage, rows: number): Promise<number> {
  const before = process.cpuUsage();
  let next = 0;
  const worker = async () => {
    while (next < PAGES) {
      const place = (next * PAGE_ROWS) % rows;
      next += 1;
      await read(place);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / PAGES;
}
