import { describe, expect, test } from "vitest";
import { FUNCTION_KEY, openHostedWorld } from "./world.ts";

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
  test("are those of the deployment, sorted, read once with the function's own role", async () => {
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
    '"main"',
    '["main", 7]',
    '["Main"]',
    '["../main"]',
    '[""]',
    '["<script>"]',
    `["${"a".repeat(33)}"]`,
    JSON.stringify(Array.from({ length: 20_000 }, (_, at) => `account-with-a-long-name-${at}`)),
  ])("that are no list of accounts are refused, and asked for again: %.40j", async (text) => {
    const { ports, keep } = await withList(text);
    await expect(ports.accounts()).rejects.toMatchObject({ kind: "usage", hint: expect.stringContaining("deploy") });
    await keep('["main"]');
    expect(await ports.accounts()).toEqual(["main"]);
  });
});
