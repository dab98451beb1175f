import { expect, test } from "vitest";
import { Broken, CANARY, endedIn, withoutSecret } from "./attack.ts";
import { GROUPS } from "./groups.ts";
import { runGroup } from "./run-attacks.ts";

// `npm run attack` tries all attacks. This test tries a random sample of each group, so that the program
// keeps working.

const MOST = 12;

test.each(GROUPS)("$name", async (group) => {
  const { tried, broken } = await runGroup(group, { seed: 20_251_126, each: 1 }, MOST);
  expect(broken).toEqual([]);
  expect(tried).toBeGreaterThan(3);
});

test("each law finds what it forbids", async () => {
  const error = { kind: "usage", message: "x", hint: "y" };
  const ran = { code: 2, stdout: JSON.stringify({ error }), stderr: "fillbook sync: x\n  y\n" };
  expect(endedIn(ran, [2])).toEqual({ error });
  const faults = [
    { ...ran, code: 1 },
    { ...ran, stdout: JSON.stringify({ error: { ...error, hint: null } }) },
    { ...ran, stdout: JSON.stringify({ error: { ...error, kind: "fault" } }) },
    { ...ran, stderr: "" },
    { ...ran, stderr: `${ran.stderr}    at run (file:///x/main.ts:3:5)\n` },
    { ...ran, stderr: `${ran.stderr}${CANARY.slice(5, 14)}` },
  ];
  for (const fault of faults) {
    expect(() => endedIn(fault, [2])).toThrow(Broken);
  }
  expect(() => withoutSecret(`x${CANARY.slice(-8)}`)).toThrow(Broken);
  const failing = { name: "one", run: () => Promise.reject(new Broken("seen")) };
  const group = { name: "g", must: "m", attacks: () => Promise.resolve([failing]) };
  expect(await runGroup(group, { seed: 1, each: 1 })).toEqual({
    group: "g",
    must: "m",
    tried: 1,
    broken: ["one: seen"],
  });
});
