import { describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../lambda/core/time.ts";
import { makeHistory } from "../../emulator/history.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { asking, run } from "./run.ts";

const HISTORY = makeHistory({ seed: 5, fills: 40, from: NOW - 20 * DAY_MS, to: NOW - DAY_MS, ties: 0 });

function shell() {
  const { job, clock } = makeBench({ history: HISTORY });
  const type = async (line: string, environment = {}, more = {}) => {
    const begun = clock.now();
    const ran = await run(line.split(" "), { components: { ...asking(job), ...more }, environment });
    return { ...ran, tookMs: clock.now() - begun };
  };
  return { type, job };
}

describe("fillbook sync", () => {
  test("--once reads once and says so; status says what waits; the next sync is complete", async () => {
    const { type } = shell();
    const once = await type("sync --once");
    expect(once).toMatchObject({ code: 0, stdout: expect.stringMatching(/^main: read once, and complete when/) });
    expect(once.stderr).toContain("Next: fillbook sync");
    const status = JSON.parse((await type("status --json")).stdout);
    expect(status).toMatchObject({ fills: 40, gaps: [] });
    expect(status.readOnce).toHaveLength(1);
    expect((await type("status")).stdout).toContain("Nothing is complete yet: what was read waits");
    const twice = await type("sync --json");
    expect(twice.code).toBe(0);
    const { complete, added, coverage } = JSON.parse(twice.stdout);
    expect({ complete, added }).toEqual({ complete: true, added: 0 });
    expect(coverage[0]).toMatchObject({ from: "2015-01-01T00:00:00.000Z", readings: 2 });
    expect((await type("status")).stdout).toContain("Complete from the account's beginning until");
  });

  test("waits a minute between its readings, unless it hurries", async () => {
    expect((await shell().type("sync --quiet")).tookMs).toBeGreaterThanOrEqual(MINUTE_MS);
    expect((await shell().type("sync --quiet --hurry")).tookMs).toBeLessThan(MINUTE_MS);
    expect((await shell().type("sync --quiet", { FILLBOOK_HURRY: "1" })).tookMs).toBeLessThan(MINUTE_MS);
  });

  test("--dry-run names what was read once", async () => {
    const { type } = shell();
    await type("sync --once");
    const { stdout } = await type("sync --dry-run --to 2026-01-31");
    expect(stdout).toMatch(/read once +2015-01-01/);
    expect(stdout).not.toContain("not read yet");
  });

  test("that was killed before the table was written is healed by the next sync, and no damage to verify", async () => {
    const { type, job } = shell();
    const { store } = job;
    const killed = faultyStore(store, ({ key }) => (key.startsWith("table/") ? "kill-before" : "ok"));
    expect((await type("sync --quiet", {}, { store: () => Promise.resolve(killed) })).code).toBe(1);
    const behind = await type("verify");
    expect(behind).toMatchObject({ code: 0, stdout: expect.stringMatching(/^main: all \d+ files match/) });
    expect(behind.stderr).toContain("table/ is older than the archive");
    expect((await type("sync --quiet")).code).toBe(0);
    const healed = await type("verify");
    expect(healed.code).toBe(0);
    expect(healed.stderr).not.toContain("table/");
  });

  test("looks further back at once if that is set by a flag, and at the usual time if it is set in the environment", async () => {
    const { job } = makeBench({ history: [] });
    const requestsOf = async (flags: readonly string[], environment = {}) => {
      const before = job.reader.counts.requests;
      await run(["sync", "--from", "2026-01-10", "--json", ...flags], { components: asking(job), environment });
      return job.reader.counts.requests - before;
    };
    await requestsOf([]);
    expect(await requestsOf([], { FILLBOOK_LOOK_BACK_DAYS: "9" })).toBeLessThanOrEqual(2);
    expect(await requestsOf(["--look-back", "9"])).toBeGreaterThan(2);
  });
});
