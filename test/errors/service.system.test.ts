import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTransport, type Transport, type TransportOptions } from "../../lambda/service/transport.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { expectRecovers, expectTold, expectWhole, FILLS, openWorld, RANGE, type World } from "./world.ts";

// What goes wrong at the service, typed at the real command line: the message, the exit code, and that nothing is lost.

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

const SYNC = ["sync", ...RANGE];

describe("a wrong address", () => {
  test("where nothing listens: told within five seconds", async () => {
    const gone = createServer();
    await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
    const address = gone.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    await new Promise((resolve) => gone.close(resolve));
    const ran = await world.type(SYNC, { environment: { FILLBOOK_ACCOUNT_URL: url } });
    const shown = expectTold(ran, {
      kind: "incomplete",
      says: ["completed-orders: gave up after 3 attempts", "nothing listens at the address (ECONNREFUSED)"],
      hint: `check --account-url (${url}), or run again when the service is there`,
    });
    expect(shown).toMatchObject({ account: "main", complete: false, fills: 0, added: 0, coverage: [] });
    expect(world.clock.monotonic()).toBeLessThan(5000);
    await expectRecovers(world);
  });

  test("a host that does not exist", async () => {
    const unknown: Transport = {
      send: () => Promise.resolve({ kind: "failed", code: "ENOTFOUND" }),
      close: () => Promise.resolve(),
    };
    const url = "https://acount.example.com";
    const ran = await world.type(SYNC, { environment: { FILLBOOK_ACCOUNT_URL: url }, connect: () => unknown });
    expectTold(ran, {
      kind: "usage",
      says: ["no connection to acount.example.com", "the host's name is not known"],
      hint: `check --account-url (${url})`,
    });
    await expectRecovers(world);
  });

  test.each([
    [
      "answers a web page",
      200,
      "text/html",
      "<!doctype html><title>Welcome</title>",
      "incomplete",
      "is not whole JSON",
    ],
    ["answers other JSON", 200, "application/json", '{"ok":true}', "incomplete", "completedOrders is missing"],
    ["knows no such endpoint", 404, "text/plain", "Not Found", "usage", "does not know this endpoint (404)"],
    ["asks for another kind of login", 403, "text/plain", "Forbidden", "token", "refused the token (403)"],
  ] as const)("that %s", async (_, status, type, body, kind, says) => {
    const other = createServer((_request, answer) => answer.writeHead(status, { "content-type": type }).end(body));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    try {
      const ran = await world.type(SYNC, { environment: { FILLBOOK_ACCOUNT_URL: url } });
      expectTold(ran, { kind, says: [says], hint: kind === "token" ? "set FILLBOOK_TOKEN" : "check --account-url" });
      expect(world.clock.monotonic()).toBeLessThan(5000);
    } finally {
      other.closeAllConnections();
      other.close();
    }
    await expectRecovers(world);
  });
});

describe("the token", () => {
  test("refused: exit 3 at once, and it is not shown", async () => {
    const token = "eyJhbGciOiJub25lIn0.b3RoZXI.c2VjcmV0";
    const ran = await world.type(SYNC, { environment: { FILLBOOK_TOKEN: token } });
    const told = {
      kind: "token" as const,
      says: ["the service refused the token (401)"],
      hint: /expired.*FILLBOOK_TOKEN/,
    };
    expectTold(ran, told, token);
    expect(world.service.emulator.log.requests).toBeLessThanOrEqual(2);
    await expectRecovers(world);
  });

  test("that expires in the middle: what was walked is kept", async () => {
    const { emulator } = world.service;
    emulator.setSwitches({ pageLimit: 10 });
    let requests = 0;
    const connect = (options: TransportOptions): Transport => {
      const transport = createTransport(options);
      return {
        ...transport,
        send(request, signal) {
          requests += 1;
          if (requests === 12) {
            emulator.setTokens([]);
          }
          return transport.send(request, signal);
        },
      };
    };
    const shown = expectTold(await world.type(SYNC, { connect }), {
      kind: "token",
      says: ["the service refused the token (401)"],
      hint: /FILLBOOK_TOKEN/,
    });
    expect(shown["fills"]).toBeGreaterThan(0);
    await expectWhole(world);
    emulator.setTokens([SAMPLE_TOKEN]);
    await expectRecovers(world);
  });
});

describe("a service that asks to wait, or is away", () => {
  test("down in the middle: what was walked is kept, and the next run completes it", async () => {
    const { emulator } = world.service;
    const schedule = [{ nth: 20, times: 1000, kind: "503" }] as const;
    emulator.setSwitches({ pageLimit: 10, faults: { schedule } });
    const shown = expectTold(await world.type(SYNC), {
      kind: "incomplete",
      says: ["completed-orders: gave up after 8 attempts: the service answered 503"],
      hint: "what was walked is kept; run again later",
    });
    expect(shown["added"]).toBeGreaterThan(0);
    expect(shown["added"]).toBeLessThan(FILLS);
    await expectWhole(world);
    emulator.setSwitches({ faults: {} });
    await expectRecovers(world);
  });

  test("an answer that is larger than a client should take", async () => {
    const faults = { schedule: [{ nth: 2, times: 100, kind: "huge" as const }], hugeBytes: 9_000_000 };
    world.service.emulator.setSwitches({ faults });
    expectTold(await world.type(SYNC), {
      kind: "untrusted",
      says: ["the answer is larger than a client should take"],
      hint: "check --account-url",
    });
    world.service.emulator.setSwitches({ faults: {} });
    await expectRecovers(world);
  });
});

describe("an answer that cannot be believed", () => {
  test("cursors that go in a circle", async () => {
    world.service.emulator.setSwitches({ pageLimit: 10, cursorLoop: { length: 3, afterPages: 1 } });
    expectTold(await world.type(SYNC), {
      kind: "incomplete",
      says: [/^window \[2025-/, "the service's cursors go in a circle: page "],
      hint: "the window is not covered and its rows are kept; run again, and tell the service if it stays so",
    });
    await expectWhole(world);
    world.service.emulator.setSwitches({ cursorLoop: null });
    await expectRecovers(world);
  });
});
