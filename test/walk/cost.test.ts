import { describe, expect, test } from "vitest";
import { syncArchive } from "../../lambda/job/sync.ts";
import { makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import { KNOWN_TRADER, makeBench, NOW } from "../support/job.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2026, 0, 1);
const FILLS = 20_000;
const LEAST = FILLS / 100;
const HISTORY = makeHistory({ seed: 11, fills: FILLS, from: FROM, to: TO });

async function requestsOf(switches: Partial<Switches>, request: { from?: number; to?: number }): Promise<number> {
  const { job } = makeBench({ history: HISTORY, switches });
  const result = await syncArchive(job, request);
  expect(result.complete).toBe(true);
  expect(result.fills).toBe(FILLS);
  return result.requests;
}

describe("a year of 20,000 fills costs at most 1.5 times the least possible requests, 1.8 in no order", () => {
  test.each<[string, Partial<Switches>]>([
    ["newest first", {}],
    ["oldest first", { order: "ascending" }],
    ["in no order", { order: "unordered" }],
  ])("%s, the year given and the whole account", async (_, switches) => {
    const most = (switches.order === "unordered" ? 1.8 : 1.5) * LEAST;
    expect(await requestsOf(switches, { from: FROM, to: TO })).toBeLessThanOrEqual(most);
    expect(await requestsOf(switches, {})).toBeLessThanOrEqual(most);
  });

  test.each([
    ["five: silence is asked for four times, and the page without dates", { owner: KNOWN_TRADER }, 5],
    ["six where the token does not say whose it is: a fill is asked for to know the account by", {}, 6],
  ])("and a night with nothing at all %s", async (_, known, requests) => {
    const { job, clock } = makeBench({ history: HISTORY, job: known });
    await syncArchive(job, { from: FROM });
    const before = job.reader.counts.requests;
    await clock.sleep(86_400_000);
    const night = await syncArchive(job, { from: FROM });
    expect(night).toMatchObject({ complete: true, added: 0, to: NOW + 86_400_000 });
    expect(job.reader.counts.requests - before).toBe(requests);
  });
});
