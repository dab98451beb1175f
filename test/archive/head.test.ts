import { describe, expect, test } from "vitest";
import { readHead } from "../../lambda/archive/head.ts";
import { headKey } from "../../lambda/archive/keys.ts";
import { memoryStore } from "../support/memory-store.ts";
import { bytes } from "../support/store-text.ts";

// That a swap whose answer is lost lands once, and that a rival's stands, is proven in test/crash.

const ACCOUNT = "main";

describe("an object that is not a head", () => {
  test.each([
    ["cut off", '{"format":"fillbook-head/1","seq":'],
    ["empty", ""],
    ["another format", '{"format":"fillbook-head/2","seq":1,"epoch":1}'],
    ["null", "null"],
    ["no numbers", '{"format":"fillbook-head/1","seq":"1","epoch":1}'],
    ["without its fields", '{"format":"fillbook-head/1","seq":1,"epoch":1}'],
    [
      "with an impossible manifest",
      '{"format":"fillbook-head/1","seq":1,"epoch":1,"commitId":"a","recentCommitIds":[],"manifest":{},"lease":null,"lastRun":null}',
    ],
  ])("%s: the message names the key", async (_, body) => {
    const store = memoryStore();
    store.put(headKey(ACCOUNT), bytes(body));
    await expect(readHead(store, ACCOUNT)).rejects.toMatchObject({
      kind: "untrusted",
      message: "memory/main/head.json is not a head that this version can read",
    });
  });

  test("no head at all is not an error", async () => {
    expect(await readHead(memoryStore(), ACCOUNT)).toBeNull();
  });
});
