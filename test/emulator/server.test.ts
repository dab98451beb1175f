import { Agent, request } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import { NOW_MS, readChain } from "./asking.ts";
import { createEmulator, SAMPLE_TOKEN } from "./core.ts";
import type { FaultKind, FaultPlan } from "./faults.ts";
import { IN_PROCESS_URLS, inProcess } from "./in-process.ts";
import { type RunningEmulator, startEmulator } from "./server.ts";
import type { Switches } from "./switches.ts";

const AUTHORIZATION = { authorization: `Bearer ${SAMPLE_TOKEN}` };
const PATH = "/api/v1/completed-orders";

let running: RunningEmulator | undefined;
const agent = new Agent({ pipelining: 0 });

afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function up(switches: Partial<Switches>): Promise<string> {
  running = await startEmulator({ switches, now: () => NOW_MS });
  return running.accountUrl + PATH;
}

async function get(url: string, signal?: AbortSignal): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(url, {
    dispatcher: agent,
    headers: AUTHORIZATION,
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: statusCode, text: await body.text() };
}

const always = (kind: FaultKind, more: FaultPlan = {}): Partial<Switches> => ({
  faults: { ...more, schedule: [{ nth: 1, times: 1000, kind }] },
});

describe("the server", () => {
  it("gives over HTTP what the core gives", async () => {
    const url = await up({});
    const [first] = readChain(createEmulator(), { maxPages: 1 }).pages;
    expect(JSON.parse((await get(url)).text)).toEqual(first);
  });

  it.each([
    ["reset", "ECONNRESET|UND_ERR_SOCKET"],
    ["cut", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_SOCKET"],
  ] as const)("%s ends the connection", async (kind, code) => {
    const url = await up(always(kind));
    await expect(get(url)).rejects.toMatchObject({ code: expect.stringMatching(new RegExp(code)) });
  });

  it("hang is never answered, and close ends it", async () => {
    const url = await up(always("hang"));
    const answer = get(url).catch((error: unknown) => error);
    while (running?.emulator.log.requests === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await running?.close();
    expect(await answer).toBeInstanceOf(Error);
  });

  it("huge sends as many bytes as it says; slow sends the whole body; redirect points elsewhere", async () => {
    const huge = await get(await up(always("huge", { hugeBytes: 3_000_000 })));
    expect(huge.text.length).toBeGreaterThan(3_000_000);
    running?.emulator.setSwitches(always("slow"));
    expect(JSON.parse((await get(running?.accountUrl + PATH)).text)).toHaveProperty("last");
    running?.emulator.setSwitches(always("redirect"));
    expect((await get(running?.accountUrl + PATH)).status).toBe(302);
    expect(running?.emulator.log.byEndpoint["GET /elsewhere"]).toBeUndefined();
  });

  it.each([
    ["408", 408, "error"],
    ["500", 500, "error"],
    ["502", 502, "error"],
    ["503", 503, "error"],
    ["504", 504, "error"],
    ["html", 200, "<html>"],
    ["not-object", 200, '"'],
    ["error-body", 200, '{"message"'],
    ["half-json", 200, '{"completedOrders"'],
  ] as const)("%s has its status and a body that is no page", async (kind, status, begins) => {
    const answer = await get(await up(always(kind)));
    expect(answer.status).toBe(status);
    expect(answer.text.startsWith(begins)).toBe(true);
    expect(() => JSON.parse(answer.text).completedOrders.length).toThrow();
  });
});

describe("faults", () => {
  const outcomes = (faults: FaultPlan, requests: number, nowMs: (nth: number) => number = () => NOW_MS) => {
    const emulator = createEmulator({ switches: { faults } });
    return Array.from({ length: requests }, (_, nth) => {
      const answer = emulator.handle(
        { method: "GET", host: "account", path: PATH, query: new URLSearchParams(), headers: AUTHORIZATION, body: "" },
        nowMs(nth),
      );
      return "fault" in answer ? answer.fault : answer.status;
    });
  };

  it("come by schedule, by time, or by chance but never more than so often in a row", () => {
    expect(outcomes({ schedule: [{ nth: 2, times: 2, kind: "503" }] }, 4)).toEqual([200, 503, 503, 200]);
    expect(outcomes({ outages: [{ fromMs: 10, toMs: 20, kind: "hang" }] }, 4, (nth) => nth * 10)).toEqual([
      200,
      "hang",
      200,
      200,
    ]);
    expect(outcomes({ rate: 1, kinds: ["500"], maxInARow: 2 }, 6)).toEqual([500, 500, 200, 500, 500, 200]);
    expect(outcomes({ rate: 1, kinds: ["500"], path: "open-order" }, 2)).toEqual([200, 200]);
  });
});

describe("in process", () => {
  it("sleeps the latency on the clock given, and rejects where a socket would", async () => {
    const slept: number[] = [];
    const clock = {
      now: () => NOW_MS,
      sleep: (ms: number) => {
        slept.push(ms);
        return Promise.resolve();
      },
    };
    const emulator = createEmulator({
      switches: { latency: { ms: 70, jitterMs: 0 }, faults: { schedule: [{ nth: 2, kind: "reset" }] } },
    });
    const send = inProcess(emulator, clock);
    const ask = {
      method: "GET",
      url: `${IN_PROCESS_URLS.accountUrl}${PATH}`,
      headers: { Authorization: `Bearer ${SAMPLE_TOKEN}` },
    };
    expect(JSON.parse((await send(ask)).body)).toEqual(readChain(createEmulator(), { maxPages: 1 }).pages[0]);
    await expect(send(ask)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(slept).toEqual([70, 70]);
    await expect(send({ method: "GET", url: "http://elsewhere.invalid/" })).rejects.toThrow("no host");
  });
});
