import { expect, test } from "vitest";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { makeHistory } from "../../emulator/history.ts";
import { type LogLine, openSlices } from "../../support/slices.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2026, 0, 1);

test("every log line names its run, slice and account, and each slice ends with its figures", async () => {
  const { service, run, setNow } = await openSlices(
    {
      history: makeHistory({ seed: 8, fills: 3000, from: FROM, to: TO }),
      switches: {
        faults: { rate: 0.2, kinds: ["503", "reset"] },
        lateRows: { share: 0.3, maxDelayMs: 6 * DAY_MS },
      },
    },
    TO,
  );
  const slice = async (runId: string, requestId: string, rest: object = {}) => {
    const lines = await run({ runId, requestId, ...rest });
    for (const line of lines) {
      expect(line).toMatchObject({ time: expect.stringMatching(/Z$/), runId, requestId, account: "main" });
    }
    return lines;
  };

  const first = await slice("night-1", "r1", { requests: 20 });
  expect(messages(first)).toEqual(expect.arrayContaining(["slice begins", "progress", "slice ended"]));
  expect(first.at(-1)).toMatchObject({ message: "slice measured", ending: "time-up", reason: expect.any(String) });

  const second = await slice("night-1", "r2");
  expect(service.emulator.log.byOutcome["503"]).toBeGreaterThan(0); // some lines come from a retry
  expect(second.at(-1)).toMatchObject({ ending: "complete", action: "sync", Completed: 1, Gaps: 0, Restated: 0 });
  expect(added(first) + added(second)).toBe(second.at(-1)?.["fillsInArchive"]);

  setNow(TO + 2 * DAY_MS);
  const third = await slice("night-2", "r3");
  expect(third.at(-1)).toMatchObject({ ending: "complete", Restated: expect.any(Number) });
  expect(third.at(-1)?.["Restated"]).toBeGreaterThan(0);
  expect(third.at(-1)?.["LatenessSeconds"]).toBeGreaterThan((7 * DAY_MS) / 2 / 1000);
  expect(third.find(({ message }) => message === "slice ended")).toMatchObject({
    warnings: [expect.stringMatching(/late/)],
  });

  service.emulator.setTokens([]);
  setNow(TO + 4 * DAY_MS);
  const refused = await slice("night-3", "r4");
  expect(messages(refused)).toEqual(["slice begins", "slice failed", "slice measured"]);
  expect(refused.at(-1)).toMatchObject({ ending: "failed", error: "TokenRefused", Failed: 1, TokenRefused: 1 });
  // Counted only as a refusal. An account that is refused for weeks must not hide another one that falls
  // behind.
  expect(refused.at(-1)).not.toHaveProperty("Gaps");
  expect(refused.at(-1)).not.toHaveProperty("CoverageLagSeconds");

  const senseless = await slice("night-4", "r5", { event: { action: "delete" } });
  expect(messages(senseless)).toEqual(["slice failed", "slice measured"]);
  expect(senseless.at(-1)).toMatchObject({ ending: "failed", error: "BadSettings", Failed: 1 });
});

function messages(lines: readonly LogLine[]): readonly unknown[] {
  return lines.map(({ message }) => message);
}

function added(lines: readonly LogLine[]): number {
  return Number(lines.at(-1)?.["FillsAdded"]);
}
