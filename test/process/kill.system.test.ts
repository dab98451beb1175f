import { watch } from "node:fs";
import { mkdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SCHEMA } from "../../lambda/job/settings.ts";
import { MARGIN_MS } from "../../lambda/walk/window.ts";
import type { LoggedPage } from "../emulator/request-log.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { prng } from "../support/prng.ts";
import {
  drawMoment,
  FROM,
  type Kept,
  keptIn,
  type Moment,
  manifestOf,
  openPlace,
  openService,
  type Place,
  runUntil,
  type Service,
  TO,
} from "./archive-run.ts";

// kill -9 of the real process at random moments. FILLBOOK_SEED draws other moments, FILLBOOK_KILLS sets their
// number.

const SEED = Number(process.env["FILLBOOK_SEED"] ?? 1);
const KILLS = Number(process.env["FILLBOOK_KILLS"] ?? 50);
const LANES = 2;

let expected: Kept;
let runMs = 0;
const places: Place[] = [];
const services: Service[] = [];

async function newPlace(): Promise<Place> {
  const place = await openPlace();
  places.push(place);
  return place;
}

async function newService(switches = {}): Promise<Service> {
  const service = await openService(switches);
  services.push(service);
  return service;
}

beforeAll(async () => {
  const place = await newPlace();
  const service = await newService();
  const startedAt = performance.now();
  expect(await place.run(service, "export").ended).toMatchObject({ code: 0 });
  runMs = performance.now() - startedAt;
  expected = await keptIn(place);
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.close()));
  await Promise.all(places.map((place) => place.remove()));
});

/** Compares the archive row by row with the service's data, within the coverage that the archive claims. */
async function expectTrue(place: Place, service: Service, because: string): Promise<number> {
  if ((await manifestOf(place.store)).seq === 0) {
    return 0;
  }
  const report = await audit(place.store, "main", service.emulator.truth());
  expect(report, because).toMatchObject(SOUND);
  return report.rows;
}

/**
 * Builds one archive from nothing to its end, with runs that are stopped at random moments, at most `kills`
 * of them by kill -9. Resolves to the number of those.
 */
async function archiveThrough(service: Service, seed: number, kills: number): Promise<number> {
  const draw = prng(seed);
  const place = await newPlace();
  const moments: Moment[] = [];
  let killed = 0;
  for (let ended = false; !ended; ) {
    const what = draw.int(3) === 0 ? "sync" : "export";
    const moment: Moment =
      killed < kills ? drawMoment(draw, runMs) : { signal: "SIGKILL", requests: Number.MAX_SAFE_INTEGER, delayMs: 0 };
    moments.push(moment);
    const because = `seed ${seed}, stopped at ${JSON.stringify(moments)}`;
    const run = await runUntil(service, place.run(service, what), moment);
    killed += run.killed ? 1 : 0;
    expect([0, 4, null], `${because}: ${run.stderr}`).toContain(run.code);
    await expectTrue(place, service, because);
    ended = run.code === 0 && what === "export";
    if (ended) {
      expect(await keptIn(place), because).toEqual(expected);
    }
  }
  return killed;
}

test(`after ${KILLS} kills, every archive ends with the same bytes as an undisturbed one`, async () => {
  const lane = async (number: number): Promise<number> => {
    const service = await newService();
    const wanted = Math.ceil(KILLS / LANES);
    let killed = 0;
    for (let archive = 0; killed < wanted; archive += 1) {
      killed += await archiveThrough(service, SEED * 1000 + archive * LANES + number, wanted - killed);
    }
    return killed;
  };
  const killed = await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  expect(killed.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(KILLS);
});

test.each([1, 2, 3, 5, 8, 13])(
  "after a kill at change no. %d of the pack's folder, the next run leaves the same files",
  async (nth) => {
    const service = await newService();
    const place = await newPlace();
    await mkdir(place.out);
    const { child, ended } = place.run(service, "export");
    let changes = 0;
    const watcher = watch(place.out, () => {
      changes += 1;
      if (changes === nth) {
        child.kill("SIGKILL");
      }
    });
    await ended;
    watcher.close();
    expect(await place.run(service, "export").ended).toMatchObject({ code: 0 });
    expect(await keptIn(place)).toEqual(expected);
  },
);

test("the undisturbed archive holds exactly the service's fills of its range", async () => {
  const [place] = places;
  const [service] = services;
  if (place === undefined || service === undefined) {
    throw new Error("there is no undisturbed run");
  }
  const inRange = [...service.emulator.truth().values()].filter(
    ({ txCreated }) => FROM <= txCreated && txCreated < TO,
  ).length;
  expect(await expectTrue(place, service, "undisturbed")).toBe(inRange);
  expect(expected).toMatchObject({ fills: inRange, coverage: [{ from: FROM, to: TO }] });
});

function nameOfPage({ startDate, endDate, start }: Pick<LoggedPage, "startDate" | "endDate" | "start">): string {
  return `${startDate} ${endDate} ${start}`;
}

test("a run that is asked to stop exits with 4 and keeps its pages; the next run requests only the rest", async () => {
  const whole = await newService();
  await (await newPlace()).run(whole, "sync").ended;

  const service = await newService();
  const place = await newPlace();
  const half = Math.floor(whole.requests / 2);
  const stopped = await runUntil(service, place.run(service, "sync"), {
    signal: "SIGINT",
    requests: half,
    delayMs: 0,
  });
  expect(stopped).toMatchObject({ code: 4 });
  expect(JSON.parse(stopped.stdout)).toMatchObject({ complete: false, error: { kind: "incomplete" } });
  const { seq, fills, checkpoint } = await manifestOf(place.store);
  expect(seq).toBeGreaterThan(0);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ fills, added: fills });
  expect(fills).toBeGreaterThan(0);

  const { completedOrders } = service.emulator.log;
  const answered = completedOrders.length;
  const asked = new Set(completedOrders.map(nameOfPage));
  const next = await place.run(service, "sync").ended;
  expect(next).toMatchObject({ code: 0 });
  expect(JSON.parse(next.stdout)).toMatchObject({ complete: true, added: expected.fills - fills });
  // The number of the remaining requests depends on where the windows are cut, because each window is read
  // beyond its cut until the order of the rows is proven. Independent of that, each window must continue at
  // its kept cursor, and no kept page may be requested again. Requests in flight at the stop were not kept.
  const rest = completedOrders.slice(answered).map(nameOfPage);
  expect(checkpoint.open.length).toBeGreaterThan(0);
  const windows = checkpoint.open.map(({ askFrom, askTo, cursor }) =>
    nameOfPage({ startDate: String(askFrom - MARGIN_MS), endDate: String(askTo + MARGIN_MS), start: cursor }),
  );
  expect(rest).toEqual(expect.arrayContaining(windows));
  expect(rest.filter((page) => asked.has(page)).length).toBeLessThanOrEqual(SCHEMA.concurrency.fallback);
  expect(await place.run(service, "export").ended).toMatchObject({ code: 0 });
  expect(await keptIn(place)).toEqual(expected);
});
