import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { MATCHES_TABLE } from "../../../lambda/inputs/tables.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { makeHistory } from "../../emulator/history.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { exportRequest } from "../../support/exports.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { over, run } from "./run.ts";

// A pack of March was made with files of the store. The command line makes it again with other files.

const MARCH = parsePeriod("month-2025-03");
const HISTORY = makeHistory({ seed: 1, fills: 20, from: MARCH.from, to: MARCH.to, ties: 0 });
const OTHERS = makeHistory({ seed: 2, fills: 20, from: MARCH.from, to: MARCH.to, ties: 0 });
const FUNDING = "time,market,amount,currency,source\n2025-03-01T08:00:00Z,BTC-USD,-1.25,USD,x\n";
const OPENINGS = "market,quantity,average_price,as_of,evidence\n*,0,,2025-03-01T00:00:00Z,x\n";

const [folder, shelves] = [temporaryFolder(), temporaryFolder()];

let store = memoryStore();

async function exported(...more: string[]) {
  const { job } = makeBench({ history: HISTORY, job: { store } });
  const line = ["export", "--period", "month-2025-03", "--method", "fifo", ...more];
  return await run(line, { components: over(store, job.clock) });
}

/** The store without one of its objects. */
function without(lost: string) {
  const rest = memoryStore("shelf");
  for (const [key, body] of store.snapshot()) {
    if (key !== lost) {
      rest.put(key, body);
    }
  }
  return rest;
}

beforeEach(async () => {
  store = memoryStore("shelf");
  store.put("main/inputs/opening-positions.csv", Buffer.from(OPENINGS));
  store.put("main/inputs/funding.csv", Buffer.from(FUNDING));
  const { job } = makeBench({ history: HISTORY, job: { store } });
  expect(await exportPack(job, exportRequest(MARCH))).toMatchObject({ complete: true });
  writeFileSync(join(folder, "opening-positions.csv"), OPENINGS);
});

test("with --inputs, a file that the newest pack was made with and this one is not is named", async () => {
  const { code, stderr } = await exported("--inputs", folder);
  expect(code).toBe(0);
  expect(stderr).toContain(
    `the pack of month-2025-03 before this one was made with funding.csv, and this one was not: with --inputs, the files in shelf/main/inputs are not read. Copy what is missing into ${folder} and export again`,
  );
  // Now the newest pack is the one without.
  expect((await exported("--inputs", folder)).stderr).not.toContain("this one was not");
});

test("a file that the store lost is named, and none if all are there", async () => {
  expect((await exported()).stderr).not.toContain("this one was not");
  store = without("main/inputs/funding.csv");
  const { code, stderr } = await exported();
  expect(code).toBe(0);
  expect(stderr).toContain(
    "the pack of month-2025-03 before this one was made with funding.csv, and this one was not. Put what is missing into shelf/main/inputs and export again",
  );
});

test("matches.csv is not asked for by a method that refuses it", async () => {
  store.put("main/inputs/matches.csv", Buffer.from(`${Object.keys(MATCHES_TABLE.columns).join(",")}\n`));
  const { job } = makeBench({ history: HISTORY, job: { store } });
  const specific = { ...exportRequest(MARCH), method: "specific" } as const;
  expect(await exportPack(job, specific)).toMatchObject({ complete: true });
  expect((await exported()).stderr).toContain("matches.csv, which the method fifo does not use");
  store = without("main/inputs/matches.csv");
  expect(await exported()).toMatchObject({ code: 0, stderr: expect.not.stringContaining("this one was not") });
});

test("the files of one of several accounts belong into its folder", async () => {
  const { job } = makeBench({ history: OTHERS, job: { store, account: "hedge" } });
  expect(await exportPack(job, exportRequest(MARCH))).toMatchObject({ complete: true });
  expect((await exported("--account", "main", "--account", "hedge")).code).toBe(0);
  mkdirSync(join(shelves, "main"));
  writeFileSync(join(shelves, "main", "opening-positions.csv"), OPENINGS);
  const { code, stderr } = await exported("--account", "main", "--account", "hedge", "--inputs", shelves);
  expect(code).toBe(0);
  expect(stderr).toContain(
    `the pack of month-2025-03 before this one was made with main/funding.csv, and this one was not: with --inputs, the files in shelf/<account>/inputs are not read. Copy what is missing into ${shelves} and export again`,
  );
});
