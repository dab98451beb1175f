import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collect } from "../support/store-text.ts";
import { expectTold, expectWhole, openWorld, type World } from "./world.ts";

// Packs that cannot be made: the message, the exit code, and that nothing is written.

let world: World;
let out = "";

beforeEach(async () => {
  world = await openWorld();
  out = await mkdtemp(join(tmpdir(), "fillbook-out-"));
});

afterEach(async () => {
  await world.close();
  await rm(out, { recursive: true, force: true });
});

async function packs(): Promise<string[]> {
  return (await collect(world.store.list("main/packs/"))).map(({ key }) => key);
}

const year = new Date().getUTCFullYear();

test("a period in the future: exit 4, nothing written", async () => {
  const folder = join(out, "pack");
  const ran = await world.type(["export", "--period", "us-2099", "--out", folder]);
  const shown = expectTold(ran, {
    kind: "incomplete",
    says: [/^us-2099 is not over: it ends on 31 December 2099 \(America\/New_York\)$/],
    hint: /^run again after that day$/,
  });
  expect(shown).toMatchObject({ period: "us-2099", complete: false, dir: null, files: [] });
  expect(await packs()).toEqual([]);
  expect(await readdir(out)).toEqual([]);
});

test("a period that is not over: exit 4, no pack, and the fills read so far are kept", async () => {
  const ran = await world.type(["export", "--from", "2025-01-01", "--to", `${year + 1}-01-01`]);
  const shown = expectTold(ran, {
    kind: "incomplete",
    says: [`the period is not over: it ends on 31 December ${year} (UTC)`],
    hint: /^for the time so far: --from 2025-01-01 --to \d{4}-\d\d-\d\d --zone UTC; or add --allow-incomplete$/,
  });
  expect(shown).toMatchObject({ complete: false, dir: null, files: [] });
  expect(await packs()).toEqual([]);
  expect(await expectWhole(world)).toMatchObject({ rows: 400 });
});

test("the same with --allow-incomplete: written under names that say so, exit 4", async () => {
  const line = ["export", "--from", "2025-01-01", "--to", `${year + 1}-01-01`, "--allow-incomplete"];
  const shown = expectTold(await world.type(line), {
    kind: "incomplete",
    says: ["the period is not over"],
    hint: /^for the time so far: --from 2025-01-01 --to \d{4}-\d\d-\d\d --zone UTC$/,
  });
  expect(shown["complete"]).toBe(false);
  const files = (shown["files"] as { path: string }[]).map(({ path }) => path);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => path.endsWith("fills.csv")).every((path) => path.includes("INCOMPLETE"))).toBe(true);
});

test("a period with a row that cannot be read: nothing is written, even with --allow-incomplete", async () => {
  await world.close();
  world = await openWorld({ switches: { badRows: { share: 0.02, kinds: ["no-order-id"] } } });
  const line = ["export", "--period", "month-2025-02", "--allow-incomplete"];
  expectTold(await world.type(line), {
    kind: "untrusted",
    says: [/page \d+, row \d+ cannot be filed: orderId/],
    hint: "the window is not covered",
  });
  expect(await packs()).toEqual([]);
});

test("an unknown period name: exit 2, what to type, no request and nothing written", async () => {
  const ran = await world.type(["export", "--period=month-2025-13"]);
  expectTold(ran, { kind: "usage", says: ['not a period: "month-2025-13"'], hint: /us-2025|month-2025-03/ });
  expect(world.service.emulator.log.requests).toBe(0);
  expect(await collect(world.store.list(""))).toEqual([]);
});
