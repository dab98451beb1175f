import { setTimeout as after } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Ended } from "../cli/child.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { collect } from "../support/store-text.ts";
import { type Kept, keptIn, manifestOf, openPlace, openService, type Place, type Service } from "./archive-run.ts";

// Several real processes at the same time on one folder.

let service: Service;
let place: Place;
let alone: Kept;
const places: Place[] = [];

async function newPlace(): Promise<Place> {
  const opened = await openPlace();
  places.push(opened);
  return opened;
}

async function open(): Promise<void> {
  service = await openService();
  place = await newPlace();
}

async function close(): Promise<void> {
  await service.close();
  await Promise.all(places.splice(0).map((one) => one.remove()));
}

beforeAll(async () => {
  await open();
  expect(await place.run(service, "export").ended).toMatchObject({ code: 0 });
  alone = await keptIn(place);
  await close();
});

beforeEach(open);
afterEach(close);

/**
 * What all runs together must have achieved. `stale`: how many manifests may exist at most that a run wrote
 * but could not commit.
 */
async function expectOneArchive(ended: readonly Ended[], stale: number): Promise<void> {
  for (const { code, stderr } of ended) {
    expect([0, 4], stderr).toContain(code);
  }
  const last = await place.run(service, "export").ended;
  expect(last).toMatchObject({ code: 0 });
  expect(await audit(place.store, "main", service.emulator.truth())).toMatchObject(SOUND);
  expect(await keptIn(place)).toEqual(alone);
  await expectOneLineage(stale);
}

/**
 * Each manifest follows the one before it: no number is missing, and only stale manifests may repeat a
 * number.
 */
async function expectOneLineage(stale: number): Promise<void> {
  const { seq } = await manifestOf(place.store);
  const keys = (await collect(place.store.list("main/manifests/"))).map(({ key }) => key);
  const seqs = keys.map((key) => Number(/manifests\/(\d+)-/.exec(key)?.[1]));
  expect([...new Set(seqs)].filter((one) => one <= seq).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: seq }, (_, index) => index + 1),
  );
  expect(seqs.length).toBeLessThanOrEqual(seq + stale);
}

function addedBy(ended: readonly Ended[]): number {
  return ended.reduce((sum, { stdout }) => sum + Number(JSON.parse(stdout).added), 0);
}

describe.each([2, 3])("%i processes at once", (count) => {
  test("that sync add every fill once", async () => {
    const ended = await Promise.all(Array.from({ length: count }, () => place.run(service, "sync").ended));
    await expectOneArchive(ended, 0);
    expect(addedBy(ended)).toBe((await manifestOf(place.store)).fills);
  });

  test("that export make one pack", async () => {
    const ended = await Promise.all(Array.from({ length: count }, () => place.run(service, "export").ended));
    await expectOneArchive(ended, 0);
  });

  test.each([0, 12])("continue with the work of one that is killed after %i requests", async (requests) => {
    const runs = Array.from({ length: count }, () => place.run(service, "sync"));
    await service.requested(requests + 1);
    const { pid } = await holderOf(place);
    const victim = runs.find(({ child }) => child.pid === pid) ?? runs[0];
    victim?.child.kill("SIGKILL");
    const ended = await Promise.all(runs.filter((run) => run !== victim).map((run) => run.ended));
    await victim?.ended;
    await expectOneArchive(ended, 1);
    expect(ended.map(({ code }) => code)).toEqual(ended.map(() => 0));
  });
});

test("a run that is suspended while another takes over the archive is fenced and loses nothing", async () => {
  const asleep = place.run(service, "sync");
  // A run takes the archive with its first write.
  while (((await readHead(place))?.head.lease ?? null) === null) {
    await after(5);
  }
  asleep.child.kill("SIGSTOP");
  await freeLease(place);
  const awake = await place.run(service, "sync").ended;
  expect(awake).toMatchObject({ code: 0 });
  asleep.child.kill("SIGCONT");
  const fenced = await asleep.ended;
  expect(fenced).toMatchObject({ code: 4 });
  expect(JSON.parse(fenced.stdout)).toMatchObject({ complete: false });
  expect(fenced.stderr).toContain("another run has taken over the archive");
  await expectOneArchive([awake, fenced], 1);
});

async function readHead({ store }: Place) {
  const stored = await store.get("main/head.json");
  return stored === null ? null : { tag: stored.tag, head: JSON.parse(new TextDecoder().decode(stored.body)) };
}

/** The process whose lease holds the archive; the holder's form is `<host>:<pid>:<unique>`. */
async function holderOf(where: Place): Promise<{ pid: number }> {
  const held = await readHead(where);
  return { pid: Number(/:(\d+):[^:]*$/.exec(held?.head.lease?.holder ?? "")?.[1]) };
}

/** Removes the lease, as if it had expired. */
async function freeLease(where: Place): Promise<void> {
  const held = await readHead(where);
  const body = JSON.stringify({ ...held?.head, lease: null });
  expect(
    await where.store.replaceIf("main/head.json", new TextEncoder().encode(body), held?.tag ?? null),
  ).not.toBeNull();
}
