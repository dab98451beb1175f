import { expect, test } from "vitest";
import { asStarted, overSame } from "../../lambda/cli/next-step.ts";

test("in a clone, where npm starts the program, a command that can be typed begins with what npm needs", () => {
  const text = "list them with: fillbook --help, or run fillbook sync; see /srv/fillbook sync-old/fillbook.json";
  expect(asStarted(text, {})).toBe(text);
  expect(asStarted(text, { npm_lifecycle_event: "test" })).toBe(text);
  const speaker = "fillbook sync: warning: x";
  expect(asStarted(speaker, { npm_lifecycle_event: "fillbook" })).toBe(speaker);
  expect(asStarted(text, { npm_lifecycle_event: "fillbook" })).toBe(
    "list them with: npm run -s fillbook -- --help, or use npm run -s fillbook -- sync; see /srv/fillbook sync-old/fillbook.json",
  );
});

test("a command has the flags that say over which archive the person works", () => {
  const text = "run fillbook sync --rebind, or another --account; see fillbook periods";
  expect(overSame(text, {})).toBe(text);
  expect(overSame(text, { store: "/a b", account: "hedge" })).toBe(
    "run fillbook sync --store '/a b' --account hedge --rebind, or another --account; see fillbook periods",
  );
  expect(overSame("fillbook open us-2025 --account main_hedge", { account: "main" })).toBe(
    "fillbook open us-2025 --account main_hedge",
  );
  expect(overSame("fillbook sync: warning: x", { store: "s" })).toBe("fillbook sync: warning: x");
});
