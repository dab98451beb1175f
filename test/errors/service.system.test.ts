import { createServer } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTransport, type Transport, type TransportOptions } from "../../lambda/service/transport.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { expectRecovers, expectTold, expectWhole, FILLS, openWorld, RANGE, type World } from "./world.ts";

// Failures of the service, on the real command line: the message, the exit code, and that nothing is lost.
// All messages about the service are tested in test/service/reader.test.ts.

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

const SYNC = ["sync", ...RANGE];

test("an address where nothing listens: reported within five seconds", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const address = gone.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  await new Promise((resolve) => gone.close(resolve));
  const ran = await world.type(SYNC, { environment: { FILLBOOK_ACCOUNT_URL: url } });
  const shown = expectTold(ran, {
    kind: "incomplete",
    says: ["completed-orders: gave up after 3 attempts", "nothing listens at the address (ECONNREFUSED)"],
    hint: `check --account-url (${url}), or run again when the service is up`,
  });
  expect(shown).toMatchObject({ account: "main", complete: false, fills: 0, added: 0, coverage: [] });
  expect(world.clock.monotonic()).toBeLessThan(5000);
  await expectRecovers(world);
});

test("a token that expires in the middle: the fills read so far are kept", async () => {
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

test("a service that goes down in the middle: the fills read so far are kept, and the next run completes the archive", async () => {
  const { emulator } = world.service;
  const schedule = [{ nth: 20, times: 1000, kind: "503" }] as const;
  emulator.setSwitches({ pageLimit: 10, faults: { schedule } });
  const shown = expectTold(await world.type(SYNC), {
    kind: "incomplete",
    says: ["completed-orders: gave up after 8 attempts: the service answered 503"],
    hint: "what was read is kept; run again later",
  });
  expect(shown["added"]).toBeGreaterThan(0);
  expect(shown["added"]).toBeLessThan(FILLS);
  await expectWhole(world);
  emulator.setSwitches({ faults: {} });
  await expectRecovers(world);
});
