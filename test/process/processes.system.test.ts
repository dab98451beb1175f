import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Ended } from "../cli/child.ts";
import type { RunningEmulator } from "../emulator/server.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { prng } from "../support/prng.ts";
import { readCurrent } from "../support/published.ts";
import {
  drawMoment,
  FROM,
  type Kept,
  keptIn,
  openPlace,
  openService,
  type Place,
  runUntil,
  TO,
} from "./archive-run.ts";

// Real processes on one folder: killed, asked to stop, several at once, suspended. What a run leaves at every
// one of its operations is tested in memory (test/crash).

const KILLS = 4;

let service: RunningEmulator;
let place: Place;
let expected: Kept;
let runMs = 0;

async function open(): Promise<void> {
  service = await openService();
  place = await openPlace();
}

const close = () => service.close();

beforeAll(async () => {
  await open();
  const startedAt = performance.now();
  expect(await place.run(service, "export").ended).toMatchObject({ code: 0 });
  runMs = performance.now() - startedAt;
  expected = await keptIn(place);
  const inRange = [...service.emulator.truth().values()].filter(
    ({ txCreated }) => FROM <= txCreated && txCreated < TO,
  ).length;
  expect(expected).toMatchObject({ fills: inRange, coverage: [{ from: FROM, to: TO }] });
  await close();
});

beforeEach(open);
afterEach(close);

/** Compares the archive row by row with the service's data, within the coverage that the archive claims. */
async function expectTrue(because: string): Promise<void> {
  if ((await readCurrent(place.store, "main")).seq > 0) {
    expect(await audit(place.store, "main", service.emulator.truth()), because).toMatchObject(SOUND);
  }
}

/** The next run must end with the same bytes as an undisturbed one, whatever these runs have left. */
async function expectOneArchive(ended: readonly Ended[]): Promise<void> {
  for (const { code, stderr } of ended) {
    expect([0, 4], stderr).toContain(code);
  }
  expect(await place.run(service, "export").ended).toMatchObject({ code: 0 });
  await expectTrue("in the end");
  expect(await keptIn(place)).toEqual(expected);
}

test(`an archive whose runs are killed ${KILLS} times ends with the same bytes as an undisturbed one`, async () => {
  const draw = prng(Number(process.env["FILLBOOK_SEED"] ?? 1));
  for (let killed = 0, turn = 0; killed < KILLS; turn += 1) {
    const moment = drawMoment(draw, runMs);
    const run = await runUntil(service, place.run(service, turn % 3 === 0 ? "sync" : "export"), moment);
    killed += run.killed ? 1 : 0;
    if (!run.killed) {
      place = await openPlace(); // it ended first: nothing is left to do for the next
    }
    await expectTrue(JSON.stringify(moment));
  }
  await expectOneArchive([]);
});

test("a run that is asked to stop exits with 4 and keeps its pages", async () => {
  const moment = { signal: "SIGINT", requests: 20, delayMs: 0 } as const;
  const stopped = await runUntil(service, place.run(service, "sync"), moment);
  expect(stopped).toMatchObject({ code: 4 });
  expect(JSON.parse(stopped.stdout)).toMatchObject({ complete: false, error: { kind: "incomplete" } });
  const { fills } = await readCurrent(place.store, "main");
  expect(fills).toBeGreaterThan(0);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ fills, added: fills });
  const next = await place.run(service, "sync").ended;
  expect(JSON.parse(next.stdout)).toMatchObject({ complete: true, added: expected.fills - fills });
  await expectOneArchive([stopped, next]);
});

test("two processes that sync at once add every fill once", async () => {
  const ended = await Promise.all([place.run(service, "sync").ended, place.run(service, "sync").ended]);
  const added = ended.reduce((sum, { stdout }) => sum + Number(JSON.parse(stdout).added), 0);
  expect(added).toBe(expected.fills);
  await expectOneArchive(ended);
});

test("a run that is suspended while another writes the archive is fenced and loses nothing", async () => {
  const asleep = place.run(service, "sync");
  await service.requested(2);
  asleep.child.kill("SIGSTOP");
  const awake = await place.run(service, "sync").ended;
  expect(awake).toMatchObject({ code: 0 });
  asleep.child.kill("SIGCONT");
  const fenced = await asleep.ended;
  expect(fenced).toMatchObject({ code: 4 });
  expect(JSON.parse(fenced.stdout)).toMatchObject({ complete: false });
  expect(fenced.stderr).toContain("another run has written the archive");
  await expectOneArchive([awake, fenced]);
});
