import { describe, expect, test } from "vitest";
import { accountStores } from "../../../../lambda/web/hosts/aws/accounts.ts";
import { FUNCTION_KEY } from "../../../support/aws-doubles.ts";
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
