import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GALLERY, gallery, messagesOf } from "./messages.ts";

test("sentences are found in literals and templates, and neither names nor code are", () => {
  const source = `
    import { x } from "a module name.ts";
    const KEY = "head.json";
    throw new Problem("usage", \`the file \${given.path} has \${count(lines)} lines\`, { hint: "leave the last one out" });
  `;
  expect(messagesOf(source)).toEqual(["the file {path} has {lines} lines", "leave the last one out"]);
});

test("messages.txt has every message of the program as it is now (npm run messages)", () => {
  expect(readFileSync(GALLERY, "utf8")).toBe(gallery());
});
