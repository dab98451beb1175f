import { expect, test } from "vitest";
import { createProgressView, progressLine } from "../../lambda/cli/progress.ts";
import type { Progress } from "../../lambda/job/context.ts";

const walking: Progress = {
  stage: "walking",
  windowsDone: 7,
  windowsOpen: 2,
  pages: 124,
  requests: 130,
  refused: 3,
  fillsSeen: 12_400,
  covered: 0.6,
};

/** A stream that keeps what was written, and a clock that stands until it is told. */
function watched(isTTY: boolean, columns = 200) {
  const written: string[] = [];
  const time = { ms: 0 };
  const view = createProgressView(
    { write: (text) => written.push(text), isTTY, columns },
    { monotonic: () => time.ms },
  );
  return { written, time, view };
}

test("a line says the share, the windows, the fills, the rate, what was refused and the time left", () => {
  // 100 requests in 10 s are 10 a second; 0.5 of the range in 10 s leaves 8 s for the other 0.4
  const line = progressLine(
    walking,
    { at: 0, covered: 0.1, requests: 30 },
    { at: 10_000, covered: 0.6, requests: 130 },
  );
  expect(line).toBe("walking 60 % · 7 windows done, 2 open · 12,400 fills · 10.0 requests/s · 3 refused · 8 s left");
});

test("a terminal gets one line that is redrawn at most ten times a second, and is gone at the end", () => {
  const { written, time, view } = watched(true);
  for (time.ms = 0; time.ms < 1000; time.ms += 1) {
    view.report(walking);
  }
  expect(written).toHaveLength(10);
  expect(written.every((text) => text.startsWith("\r\u001b[2K") && !text.includes("\n"))).toBe(true);
  view.clear();
  expect(written.at(-1)).toBe("\r\u001b[2K");
});

test("a line never wraps: redrawing would leave its first half behind", () => {
  const { written, view } = watched(true, 40);
  view.report({ ...walking, note: "a note that is much longer than the window is wide" });
  expect(written[0]?.replace("\r\u001b[2K", "").length).toBeLessThan(40);
});

test("a file gets whole lines, one every five seconds or when the stage changes, and no control characters", () => {
  const { written, time, view } = watched(false);
  for (time.ms = 0; time.ms < 20_000; time.ms += 100) {
    view.report(walking);
  }
  view.report({ ...walking, stage: "packing", note: "fills.csv" });
  view.clear();
  expect(written).toHaveLength(5);
  expect(written.every((line) => /^[^\p{Cc}]+\n$/u.test(line))).toBe(true);
  expect(written.at(-1)).toContain("packing · fills.csv");
});

test("a note cannot drive the terminal", () => {
  const { written, view } = watched(false);
  view.report({ ...walking, stage: "waiting", note: "host\u001b[2J:1:x\r\n" });
  expect(written[0]).toContain("host\\u001b[2J:1:x\\u000d\\u000a");
});
