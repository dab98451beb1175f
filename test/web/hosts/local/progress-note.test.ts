import { describe, expect, test } from "vitest";
import type { Progress } from "../../../../lambda/job/context.ts";
import { createTeller } from "../../../../lambda/web/hosts/local/progress-note.ts";

const WALKING: Progress = {
  stage: "walking",
  windowsDone: 0,
  windowsOpen: 1,
  pages: 1,
  requests: 1,
  refused: 0,
  fillsSeen: 100,
  covered: null,
};
const PACKING: Progress = { ...WALKING, stage: "packing", covered: 1 };
const VERIFYING: Progress = { ...WALKING, stage: "verifying", fillsSeen: 0, pages: 0, covered: 0.4 };

function tested() {
  let time = 0;
  const tell = createTeller(() => time);
  return (ms: number, progress: Progress) => {
    time = ms;
    return tell(progress);
  };
}

describe("a job that reads", () => {
  test("says fills and requests a second of the last ten seconds, once two seconds have passed", () => {
    const at = tested();
    const read = (ms: number, many: number) =>
      /Now .*/.exec(at(ms, { ...WALKING, fillsSeen: many * 100, requests: many }).note)?.[0] ?? null;
    expect([read(0, 1), read(1999, 2), read(2000, 9)]).toEqual([
      null,
      null,
      "Now 400 fills and 4.0 requests a second.",
    ]);
    // Ten seconds of one request a second: what was before them counts no more.
    const slow = Array.from({ length: 12 }, (_, second) => read(3000 + second * 1000, 10 + second));
    expect(slow.at(-1)).toBe("Now 100 fills and 1.0 requests a second.");
  });

  test("its share never falls, also not while it waits", () => {
    const at = tested();
    const shares = [0.25, 0.2, null, 0.5].map((covered) => at(0, { ...WALKING, covered }).covered);
    expect(shares).toEqual([0.25, 0.25, 0.25, 0.5]);
    expect(at(0, { ...WALKING, stage: "waiting", covered: 0 })).toMatchObject({ phase: "reading", covered: 0.5 });
  });
});

describe("a job that makes files", () => {
  test("has the share of the fills that are in them, and is never whole before it is over", () => {
    const at = tested();
    at(0, { ...WALKING, covered: 0.9 });
    const told = [1022, 19_988].map((fills) => at(1, { ...PACKING, packed: { fills, of: 19_988 } }));
    expect(told).toMatchObject([
      {
        phase: "packing",
        covered: 1022 / 19_988,
        note: "All fills were read. The files are being made: 1,022 of 19,988 fills.",
      },
      { covered: 0.99 },
    ]);
  });

  test("of no fills has no share", () => {
    expect(tested()(0, { ...PACKING, packed: { fills: 0, of: 0 } }).covered).toBeNull();
  });
});

test.each<[NonNullable<Progress["checked"]>, string]>([
  [
    { step: "archive", objects: 34, done: 1200, of: 3000 },
    "34 objects checked so far: 1,200 of 3,000 fills of the archive.",
  ],
  [
    { step: "packs", objects: 40, done: 1_500_000, of: 3_000_000 },
    "40 objects checked so far. Packs: 1.5 MB of 3.0 MB.",
  ],
  [{ step: "rewalk", objects: 41, done: 5, of: 3000 }, "41 objects checked so far. Asked again: 5 of 3,000 fills."],
])("a check says what it has checked, and of how much", (checked, note) => {
  expect(tested()(0, { ...VERIFYING, checked })).toEqual({ phase: "checking", covered: 0.4, note });
});
