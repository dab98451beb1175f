import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createProgressView, fitted, type Shown } from "../../lambda/cli/progress.ts";
import type { CheckProgress, Progress } from "../../lambda/job/context.ts";

const ERASE = "\r\u001b[2K";

const counts = { windowsDone: 7, windowsOpen: 2, pages: 124, requests: 130, refused: 3, fillsSeen: 12_400 };
const walking: Progress = { stage: "walking", ...counts, covered: 0.62 };

const shown: Shown = { progress: walking, percent: 62, fillRate: 810.4, requestRate: 8.14, leftMs: 40_000 };

/** A stream that keeps its output, and a clock that advances only when the test sets it. */
function watched(isTTY: boolean, columns = 200) {
  const written: string[] = [];
  const time = { ms: 0 };
  const stop = new AbortController();
  const view = createProgressView(
    { write: (text) => written.push(text), isTTY, columns },
    { monotonic: () => time.ms },
    stop.signal,
  );
  return { written, time, view, stop };
}

describe("the progress line", () => {
  test("shows the share read, fills and requests per second, and the time left", () => {
    expect(fitted(shown, 79)).toBe("████░░░░ 62 % read · 12,400 fills, 810/s · 8.1 req/s · 40 s left · 3 throttled");
  });

  test.each([
    [78, "████░░░░ 62 % read · 12,400 fills, 810/s · 8.1 req/s · 40 s left"],
    [60, "62 % read · 12,400 fills, 810/s · 8.1 req/s · 40 s left"],
    [41, "62 % read · 12,400 fills, 810/s"],
    [25, "62 % read · 12,400 fills"],
    [20, "62 % read"],
  ])("leaves out the least important items in a terminal of %i columns", (columns, line) => {
    expect(fitted(shown, columns - 1)).toBe(line);
  });

  test.each<[CheckProgress["step"], number | null, string]>([
    ["archive", 51, "████░░░░ 51 % checked · 10,467 of 20,134 fills, 1,812 objects"],
    ["archive", null, "checking files · 10,467 of 20,134 fills, 1,812 objects"],
    ["packs", 84, "██████░░ 84 % checked · packs: 10.5 kB of 20.1 kB, 1,812 objects"],
    ["rewalk", 90, "███████░ 90 % checked · asked again: 10,467 of 20,134 fills · 8.1 req/s"],
  ])(
    "of a verification says the share of all of it, and how far its step has come: %s, %s %%",
    (step, percent, line) => {
      const checked = { step, objects: 1812, done: 10_467, of: 20_134 };
      const seen = { ...shown, percent, progress: { ...walking, stage: "verifying" as const, checked } };
      expect(fitted(seen, 90)).toBe(line);
      expect(fitted(seen, 59).length).toBeLessThan(60);
      expect(percent === null || fitted(seen, 59).includes(`${percent} % checked`)).toBe(true);
    },
  );
});

test("a terminal gets one line that is redrawn at most ten times a second, and is gone at the end", () => {
  const { written, time, view } = watched(true);
  for (time.ms = 0; time.ms < 1000; time.ms += 1) {
    view.report(walking);
  }
  expect(written).toHaveLength(10);
  expect(written.every((text) => text.startsWith(ERASE) && !text.includes("\n"))).toBe(true);
  view.clear();
  expect(written.at(-1)).toBe(ERASE);
});

test("a file gets whole lines, one every five seconds or when the stage changes, and no control characters", () => {
  const { written, time, view } = watched(false);
  for (time.ms = 0; time.ms < 20_000; time.ms += 100) {
    view.report(walking);
  }
  view.report({ ...walking, stage: "packing", note: "fills\u001b[2J.csv\r\n" });
  view.clear();
  expect(written).toHaveLength(5);
  expect(written.every((line) => /^[^\p{Cc}]+\n$/u.test(line))).toBe(true);
  expect(written.at(-1)).toContain("packing fills\\u001b[2J.csv");
});

const report: fc.Arbitrary<Progress> = fc.record({
  stage: fc.constantFrom("waiting", "walking", "packing", "verifying"),
  ...{ windowsDone: fc.nat(), windowsOpen: fc.nat(), pages: fc.nat() },
  ...{ requests: fc.nat(), refused: fc.nat(), fillsSeen: fc.nat() },
  covered: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  reached: fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
});

const step = fc.constantFrom("archive", "packs", "rewalk");
const checkReport: fc.Arbitrary<Progress> = fc
  .tuple(report, fc.record({ step, objects: fc.nat(), done: fc.nat(), of: fc.nat() }))
  .map(([one, checked]) => ({ ...one, stage: "verifying", checked }));

test("for all reports: the percentage never falls, 100 is shown only at the end, and no line is wider than the terminal", () => {
  const reports = fc.array(fc.tuple(fc.oneof(report, checkReport), fc.integer({ min: 0, max: 20_000 })));
  fc.assert(
    fc.property(reports, fc.integer({ min: 10, max: 220 }), fc.boolean(), (all, columns, isTTY) => {
      const { written, time, view } = watched(isTTY, columns);
      let isAll = false;
      let before = 0;
      for (const [one, ms] of all) {
        time.ms += ms;
        written.length = 0;
        isAll ||= one.covered === 1;
        view.report(one);
        const [line = ""] = written;
        const text = line.replace(ERASE, "");
        expect(!isTTY || text.length < columns).toBe(true);
        const percent = /(\d+) %/.exec(text)?.[1];
        if (percent !== undefined && (one.stage === "walking" || one.stage === "verifying")) {
          expect(Number(percent)).toBeGreaterThanOrEqual(before);
          expect(Number(percent) < 100 || isAll).toBe(true);
          before = Number(percent);
        }
      }
    }),
  );
});

test("the time left is shown after thirty seconds of a stage, and is right to a second, although its first answer covers much", () => {
  const { written, time, view } = watched(true);
  for (let second = 0; second < 100; second += 1) {
    time.ms = second * 1000;
    view.report({ ...walking, covered: second === 0 ? 0 : 0.4 + (0.6 * second) / 100 });
  }
  const lefts = written.map((line) => /(\d+) (?:s|min) left/.exec(line)?.[1]);
  expect(lefts.slice(0, 30)).toEqual(Array.from({ length: 30 }));
  expect(lefts.slice(50)).toEqual(Array.from({ length: 50 }, (_, at) => String(50 - at)));
  time.ms += 60_000;
  view.report({ ...walking, stage: "waiting" });
  for (let second = 0; second < 60; second += 1) {
    time.ms += 1000;
    view.report({ ...walking, covered: 0.99 + second / 10_000 }); // too little is done to say when the rest is
  }
  expect(written.slice(100).join("")).not.toContain(" left");
});
