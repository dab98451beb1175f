import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HttpOutcome, Transport } from "../../lambda/service/transport.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeFill } from "../support/make-fill.ts";
import { expectTold, openWorld, RANGE, type World } from "./world.ts";

// What the service, or something in front of it, answers to a sync: the exit code, and what is kept.

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

const SYNC = ["sync", ...RANGE];

function answer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpOutcome {
  return { kind: "answer", status, body, header: (name) => headers[name] };
}

/** The answers in order; the last one again and again. */
function saying(...answers: readonly HttpOutcome[]) {
  let asked = 0;
  const transport: Transport = {
    send() {
      asked += 1;
      return Promise.resolve(answers[Math.min(asked, answers.length) - 1] ?? expect.fail("no answer"));
    },
    close: () => Promise.resolve(),
  };
  return { connect: () => transport, asked: () => asked };
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
  const { connect } = saying(answer(200, JSON.stringify(page)));
  expectTold(await world.type(SYNC, { connect }), {
    kind: "untrusted",
    says: ["the answer contains the token, so nothing of it is kept"],
    hint: "check that --account-url is the service",
  });
  expect(await allBytes()).not.toContain(SAMPLE_TOKEN);
});

test("403 with a page of HTML is asked again, and is no refused token: exit 4", async () => {
  const { connect, asked } = saying(answer(403, "<html>Access denied</html>"));
  expectTold(await world.type(SYNC, { connect }), {
    kind: "incomplete",
    says: ["something in front of the service answered 403"],
    hint: "what was read is kept",
  });
  expect(asked()).toBeGreaterThan(1);
});

test("418 with Retry-After is waited for", async () => {
  const { connect } = saying(answer(418, "{}", { "retry-after": "45" }), answer(200, '{"completedOrders":[]}'));
  const begun = world.clock.monotonic();
  const { code, stdout } = await world.type(SYNC, { connect });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, complete: true, fills: 0 });
  expect(world.clock.monotonic() - begun).toBeGreaterThanOrEqual(45_000);
});
