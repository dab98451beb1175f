import { describe, expect, test } from "vitest";
import { StoppedError } from "../../lambda/core/errors.ts";
import { fixedToken, Token } from "../../lambda/core/token.ts";
import { createLeverageWriter, type LeverageOptions } from "../../lambda/service/leverage.ts";
import { createLimiter } from "../../lambda/service/limiter.ts";
import type { Leverage } from "../../lambda/service/service.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { CANARY, constantRandom, errorOf, never } from "./client.ts";
import { answer, closedAfterwards, hang, reset, type Scripted, serving } from "./scripted-server.ts";

const UNKNOWN = "the leverage may or may not have been set";

async function writerTo(script: Scripted[], options: Partial<LeverageOptions> = {}) {
  const server = await serving(...script);
  const clock = fakeClock({ auto: true });
  const random = constantRandom();
  const limiter = createLimiter({ clock, random, concurrency: 1, maxRps: null });
  const tokens = fixedToken(new Token(CANARY));
  const writer = createLeverageWriter({ orderUrl: server.url, tokens, clock, random, limiter, ...options });
  closedAfterwards(writer);
  return { server, writer };
}

test("is set as the interface document says, and the service's message is returned", async () => {
  const { server, writer } = await writerTo([answer(200, { message: "done" })]);
  expect(await writer.setLeverage("BTC-USD", "3", never)).toBe("done");
  expect(server.requests).toMatchObject([
    {
      method: "POST",
      url: "/api/v1/update-leverage",
      body: '{"market":"BTC-USD","leverage":"3"}',
      headers: { authorization: `Bearer ${CANARY}`, "content-type": "application/json" },
    },
  ]);
});

test.each(["0", "6", "3 "])("leverage %j is not sent", async (leverage) => {
  const { server, writer } = await writerTo([hang]);
  expect(await errorOf(writer.setLeverage("BTC-USD", leverage as Leverage, never))).toMatchObject({
    kind: "usage",
    message: `update-leverage: the leverage is ${JSON.stringify(leverage)}, not one of 1, 2, 3, 4, 5`,
    hint: "fillbook set-leverage BTC-USD 3",
  });
  expect(server.requests).toEqual([]);
});

test("a request refused for its rate is sent again, because the service did not act on it", async () => {
  const { server, writer } = await writerTo([answer(429, {}), answer(200, { message: "done" })]);
  expect(await writer.setLeverage("BTC-USD", "3", never)).toBe("done");
  expect(server.requests).toHaveLength(2);
});

describe("is never sent again once it may have been received", () => {
  test.each<[string, Scripted, string]>([
    ["500", answer(500, { message: "oops" }), 'update-leverage: the service answered 500: "oops"'],
    ["a reset", reset, "update-leverage: the connection failed (UND_ERR_SOCKET)"],
    ["no answer in time", hang, "update-leverage: no answer in time (UND_ERR_HEADERS_TIMEOUT)"],
    ["no message", answer(200, {}), "update-leverage: status 200, but message is missing, not a text"],
  ])("%s", async (_, script, message) => {
    const { server, writer } = await writerTo([script], { limits: { headersMs: 50 } });
    expect(await errorOf(writer.setLeverage("BTC-USD", "3", never))).toMatchObject({
      kind: "incomplete",
      message: `${message}; ${UNKNOWN}`,
    });
    expect(server.requests).toHaveLength(1);
  });

  test("stopped while it is sent", async () => {
    const stop = new AbortController();
    const { writer } = await writerTo([() => stop.abort()]);
    const error = await errorOf(writer.setLeverage("BTC-USD", "3", stop.signal));
    expect(error).toBeInstanceOf(StoppedError);
    expect(error.message).toBe(`stopped: ${UNKNOWN}`);
  });

  test("stopped before it was sent: nothing has happened", async () => {
    const { writer } = await writerTo([hang]);
    const error = await errorOf(writer.setLeverage("BTC-USD", "3", AbortSignal.abort()));
    expect(error.message).toBe("the run was asked to stop");
  });
});
