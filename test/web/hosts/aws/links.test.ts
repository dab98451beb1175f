import { describe, expect, test } from "vitest";
import { packKey } from "../../../../lambda/web/data/versions.ts";
import type { AccountStores } from "../../../../lambda/web/packs.ts";
import { attachment } from "../../../../lambda/web/routes/downloads.ts";
import { completeness, findPack, writeByHand } from "../../data/hand-written.ts";
import { openHostedWorld } from "./world.ts";

const PERIOD = "us-2025";
const VERSION = "0123456789abcdef";
const FILES = {
  "fills.csv": "a,b\r\n1,2\r\n",
  "imports/koinly.csv": "x\r\n",
  "completeness.json": completeness(PERIOD),
};

/** A world with one pack in this bucket. */
async function withPack(bucket: string, packStore: string | null = null) {
  const world = await openHostedWorld({ packStore });
  await writeByHand(world.storeOf(bucket), { period: PERIOD, version: VERSION, files: FILES });
  const ports = world.open();
  expect(await findPack(ports.storesOf("main"), PERIOD, VERSION)).not.toBeNull();
  return { world, ports };
}

const placeOf = ({ account, packs: store }: AccountStores, path: string) => ({
  store,
  key: packKey(account, { period: PERIOD, version: VERSION }, path),
});

async function load(url: string | null) {
  const answer = await fetch(url ?? "");
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
}

describe("a file's link", () => {
  test.each([
    ["archive", null],
    ["packs", "s3://packs/fillbook"],
  ])("downloads the file of a pack in %s, under its name", async (bucket, packStore) => {
    const { ports } = await withPack(bucket, packStore);
    for (const [path, text] of Object.entries(FILES)) {
      const disposition = attachment(path);
      const url = await ports.links("main", placeOf(ports.storesOf("main"), path), disposition);
      const { status, headers, body } = await load(url);
      expect([status, body.toString()]).toEqual([200, text]);
      expect(headers.get("content-disposition")).toBe(disposition);
      expect(headers.get("content-type")).toBe("application/octet-stream");
      expect(new URL(url ?? "").pathname).toBe(`/${bucket}/fillbook/main/packs/${PERIOD}/${VERSION}/${path}`);
    }
  });

  test("is valid for a minute and no longer", async () => {
    const { world, ports } = await withPack("archive");
    const url = await ports.links("main", placeOf(ports.storesOf("main"), "fills.csv"), "attachment");
    for (const [ms, status] of [[60_000, 200] as const, [1000, 403] as const]) {
      await world.clock.advance(ms);
      expect((await load(url)).status).toBe(status);
    }
  });

  test("is signed with the account's own session, which outlives the link", async () => {
    const { world } = await withPack("archive");
    // The SDK reads the machine's clock.
    for (const [leftMs, sessions] of [[3_600_000, 1] as const, [240_000, 2] as const]) {
      world.sts.expiresAt = Date.now() + leftMs;
      const { links, storesOf } = world.open();
      const keys = new Set<unknown>();
      for (const name of ["fills.csv", "imports/koinly.csv"]) {
        const url = await links("main", placeOf(storesOf("main"), name), "attachment");
        keys.add(new URL(url).searchParams.get("X-Amz-Credential")?.split("/")[0]);
        expect(world.sts.sessions.at(-1)?.tags).toEqual({ account: "main" });
      }
      expect(keys.size).toBe(sessions);
      expect([...keys].at(-1)).toBe(world.sts.sessions.at(-1)?.accessKeyId);
    }
  });
});
