import { expect, test } from "vitest";
import { asStarted } from "../../lambda/cli/next-step.ts";

test("in a clone, where npm starts the program, a command that can be typed begins with what npm needs", () => {
  const text = "list them with: fillbook periods, or run fillbook sync; see /srv/fillbook sync-old/fillbook.json";
  expect(asStarted(text, {})).toBe(text);
  expect(asStarted(text, { npm_lifecycle_event: "test" })).toBe(text);
  const speaker = "fillbook sync: warning: x";
  expect(asStarted(speaker, { npm_lifecycle_event: "fillbook" })).toBe(speaker);
  expect(asStarted(text, { npm_lifecycle_event: "fillbook" })).toBe(
    "list them with: npm run -s fillbook -- periods, or run npm run -s fillbook -- sync; see /srv/fillbook sync-old/fillbook.json",
  );
});
