import { test as property } from "@fast-check/vitest";
import fc from "fast-check";
import { expect, test } from "vitest";
import { asTyped } from "../../lambda/cli/next-step.ts";
import { table } from "../../lambda/cli/terminal-text.ts";
import { createRedactor, visible, visibleJson } from "../../lambda/core/log.ts";
import { count, durationText, sizeText } from "../../lambda/core/text.ts";

const anyText = fc.string({ unit: "binary", maxLength: 40 });

property.prop([fc.nat()])("a count has commas, as Intl writes it in English", (value) => {
  expect(count(value)).toBe(value.toLocaleString("en-US"));
});

property.prop([anyText])("visible text cannot control the terminal or add a line", (text) => {
  expect(visible(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
});

property.prop([fc.json({ noUnicodeString: false })])("visible JSON is the same JSON", (json) => {
  expect(JSON.parse(visibleJson(json))).toEqual(JSON.parse(json));
});

property.prop([anyText])("visible JSON contains no control character of C0, DEL or C1 inside its texts", (text) => {
  const json = visibleJson(JSON.stringify({ text }));
  expect(json).not.toMatch(/\p{Cc}/u);
  expect(JSON.parse(json)).toEqual({ text });
});

// A token's characters: printable ASCII without the space.
const secrets = fc.stringMatching(/^[\x21-\x7e]{12,40}$/);

property.prop([secrets, anyText])("a hidden text is redacted, in plain text and inside JSON", (secret, around) => {
  const redactor = createRedactor();
  redactor.hide(secret);
  expect(redactor.redact(`<${around}> ${secret} <`)).toContain("> [redacted] <");
  expect(redactor.redact(JSON.stringify({ secret }))).toBe('{"secret":"[redacted]"}');
});

test("a table aligns its columns and keeps every digit", () => {
  const rows = ["BTC-USD 100000.000000000000000001", "ETH\u001b[31m-USD 1"].map((row) => row.split(" "));
  expect(table(["market", "price"], rows)).toEqual([
    "market             price",
    "BTC-USD            100000.000000000000000001",
    "ETH\\u001b[31m-USD  1",
  ]);
});

test.each([
  ["ms", durationText, 0, "0 s"],
  ["ms", durationText, 59_400, "59 s"],
  ["ms", durationText, 90_000, "2 min"],
  ["ms", durationText, 12_000_000, "3 h 20 min"],
  ["ms", durationText, 6.5 * 86_400_000, "6.5 days"],
  ["ms", durationText, 31.04 * 86_400_000, "31 days"],
  ["bytes", sizeText, 999, "999 B"],
  ["bytes", sizeText, 1500, "1.5 kB"],
  ["bytes", sizeText, 1_234_567, "1.2 MB"],
])("a number of %s: as %o shows %d: %s", (_, textOf, value, shown) => {
  expect(textOf(value)).toBe(shown);
});

test("in a clone, where npm starts the program, a command that can be typed begins with what npm needs", () => {
  const text = "list them with: fillbook --help, or run fillbook sync; see /srv/fillbook sync-old/fillbook.json";
  expect(asTyped(text, {}, {})).toBe(text);
  expect(asTyped(text, {}, { npm_lifecycle_event: "test" })).toBe(text);
  const speaker = "fillbook sync: warning: x";
  expect(asTyped(speaker, {}, { npm_lifecycle_event: "fillbook" })).toBe(speaker);
  expect(asTyped(text, {}, { npm_lifecycle_event: "fillbook" })).toBe(
    "list them with: npm run -s fillbook -- --help, or use npm run -s fillbook -- sync; see /srv/fillbook sync-old/fillbook.json",
  );
});

test("a command has the flags that say over which archive the person works", () => {
  const text = "run fillbook sync --rebind, or another --account; see fillbook periods";
  expect(asTyped(text, {}, {})).toBe(text);
  expect(asTyped(text, { store: "/a b", account: "hedge" }, {})).toBe(
    "run fillbook sync --store '/a b' --account hedge --rebind, or another --account; see fillbook periods",
  );
  expect(asTyped("fillbook open us-2025 --account main_hedge", { account: "main" }, {})).toBe(
    "fillbook open us-2025 --account main_hedge",
  );
  expect(asTyped("fillbook sync: warning: x", { store: "s" }, {})).toBe("fillbook sync: warning: x");
  expect(asTyped('"fillbook rates ecb"', { store: "s" }, { npm_lifecycle_event: "fillbook" })).toBe(
    '"npm run -s fillbook -- rates --store s ecb"',
  );
});
