import { describe, expect, test } from "vitest";
import { packKey } from "../../../../lambda/web/data/versions.ts";
import { accountStores } from "../../../../lambda/web/hosts/aws/accounts.ts";
import type { AccountStores } from "../../../../lambda/web/packs.ts";
import { attachment } from "../../../../lambda/web/routes/downloads.ts";
import { FUNCTION_KEY } from "../../../support/aws-doubles.ts";
import { completeness, findPack, writeByHand } from "../../data/hand-written.ts";
import { openHostedWorld } from "./world.ts";

describe("an account's stores", () => {
  test("are reached with one session for each account, for parallel and later requests", async () => {
    const world = await openHostedWorld({ packStore: "s3://packs/fillbook" });
    const storesOf = accountStores(world.settings);
    const accounts = Array.from({ length: 20 }, (_, at) => `a-${at}`);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(
        accounts.flatMap((account) => {
          const { store, packs } = storesOf(account);
          return [store.get(`${account}/head.json`), packs.get(`${account}/packs/x/latest.json`)];
        }),
      );
    }
    expect(world.sts.sessions.map(({ tags }) => tags["account"]).sort()).toEqual([...accounts].sort());
    expect(new Set(world.sts.sessions.map(({ askedBy }) => askedBy))).toEqual(new Set([FUNCTION_KEY]));
    const owners = new Map(world.sts.sessions.map(({ accessKeyId, tags }) => [accessKeyId, tags["account"]]));
    expect(world.asked()).toHaveLength(120);
    for (const { accessKeyId, key, prefix } of world.asked()) {
      expect(`${key}${prefix}`.split("/")[1]).toBe(owners.get(accessKeyId));
    }
  });

  test("that may not be reached: the message names the role, and the next request tries again", async () => {
    const world = await openHostedWorld();
    const { store } = accountStores(world.settings)("main");
    world.sts.refusal = "AccessDenied";
    await expect(store.get("main/head.json")).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringContaining("FILLBOOK_PAGE_ROLE"),
      hint: expect.stringContaining(world.settings.role),
    });
    expect(world.asked()).toEqual([]);
    world.sts.refusal = null;
    expect(await store.get("main/head.json")).toBeNull();
  });
});

async function withList(text: string | null) {
  const world = await openHostedWorld({ accountList: "s3://assets/0a1b.json" });
  const assets = world.storeOf("assets", "");
  const keep = async (body: string) => {
    await assets.remove("0a1b.json");
    await assets.createNew("0a1b.json", Buffer.from(body));
  };
  if (text !== null) {
    await keep(text);
  }
  return { world, keep, ports: world.open() };
}

describe("the accounts", () => {
  test("are those of the deployment, sorted, and read once with the function's own role", async () => {
    const { world, ports } = await withList('["main","b-2","a","main"]');
    expect(await ports.accounts()).toEqual(["a", "b-2", "main"]);
    await Promise.all([ports.accounts(), ports.accounts()]);
    expect(await ports.groups()).toEqual([]);
    expect(world.asked().map(({ key, accessKeyId }) => [key, accessKeyId])).toEqual([["0a1b.json", FUNCTION_KEY]]);
    expect(world.sts.sessions).toEqual([]);
  });

  test.each([
    null,
    "",
    "{}",
    '["main", 7]',
    '["Main"]',
    '["<script>"]',
    `["${"a".repeat(33)}"]`,
    JSON.stringify(Array.from({ length: 20_000 }, (_, at) => `account-with-a-long-name-${at}`)),
  ])("are refused if the object is not a list of accounts, and read again: %.40j", async (text) => {
    const { ports, keep } = await withList(text);
    await expect(ports.accounts()).rejects.toMatchObject({ kind: "usage", hint: expect.stringContaining("deploy") });
    await keep('["main"]');
    expect(await ports.accounts()).toEqual(["main"]);
  });
});

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
