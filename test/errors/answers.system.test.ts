import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Transport } from "../../lambda/service/transport.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeFill } from "../support/make-fill.ts";
import { expectTold, openWorld, RANGE, type World } from "./world.ts";

// A service that sends the token back. What else it may answer: test/service/reader.test.ts.

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

/** Answers every request with this body. */
function saying(body: string): () => Transport {
  const outcome = { kind: "answer", status: 200, body, header: () => undefined } as const;
  return () => ({ send: () => Promise.resolve(outcome), close: () => Promise.resolve() });
}

async function allBytes(): Promise<string> {
  const names = await readdir(world.path, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = names.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return (await Promise.all(files.map((path) => readFile(path, "latin1")))).join("\n") + files.join("\n");
}

const ROW = JSON.parse(makeFill().row);

test.each([
  ["a row", { completedOrders: [{ ...ROW, note: `Bearer ${SAMPLE_TOKEN}` }] }],
  ["a key of a row", { completedOrders: [{ ...ROW, [SAMPLE_TOKEN]: 1 }] }],
  ["a cursor", { completedOrders: [ROW], last: `x-${SAMPLE_TOKEN}` }],
])("a token that is echoed in %s: exit 5, and it is nowhere in the store", async (_, page) => {
  const connect = saying(JSON.stringify(page));
  expectTold(await world.type(["sync", ...RANGE], { connect }), {
    kind: "untrusted",
    says: ["the answer contains the token, so nothing of it is kept"],
    hint: "check that --account-url is the service",
  });
  expect(await allBytes()).not.toContain(SAMPLE_TOKEN);
});
