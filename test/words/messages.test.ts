import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GALLERY, gallery, messagesOf } from "./messages.ts";

test("finds sentences in literals and templates, and skips names and code", () => {
  const source = `
    import { x } from "a module name.ts";
    const KEY = "head.json";
    throw new Problem("usage", \`the file \${given.path} has \${count(lines)} lines\`, { hint: "leave the last one out" });
  `;
  expect(messagesOf(source)).toEqual(["the file {path} has {lines} lines", "leave the last one out"]);
});

test("messages.txt is up to date (npm run messages)", () => {
  expect(readFileSync(GALLERY, "utf8")).toBe(gallery());
});
