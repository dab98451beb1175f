import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SCRIPT_ASSET } from "../../../lambda/web/views/assets.ts";
import { MARKUP } from "../../formats/hostile-texts.ts";
import { NO_READER, readPages } from "../../pack/report/read.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";
import { samplesOf } from "./samples.ts";
import { skeletonOf } from "./tags.ts";

const ATTACKS = [
  ...MARKUP.map(([, text]) => text.slice(0, 3000)),
  "../../%2e%2e/etc/passwd?x=1#y",
  "javascript:alert(1)",
];

/**
 * Puts hostile text before each usual text, in every field of every page. The X makes sure that it is never
 * the name of a period.
 */
function pagesWith(text: string) {
  return samplesOf((usual) => `X${text}${usual}`);
}

const PLAIN = pagesWith("").map(({ name, page }) => [name, skeletonOf(page)]);

describe("text from others is shown, and has no effect", () => {
  test("no text adds an element or an attribute", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.constantFrom(...ATTACKS)), (text) => {
        expect(pagesWith(text).map(({ name, page }) => [name, skeletonOf(page)])).toEqual(PLAIN);
      }),
      { numRuns: 40 },
    );
  });

  test("a text stays within its segment of an address", () => {
    const addresses = pagesWith("..\\?a=b&c#d").flatMap(({ page }) =>
      [...page.matchAll(/(?:href|src|action)="(?<address>[^"]*)"/g)].map(({ groups = {} }) => groups["address"] ?? ""),
    );
    const shapes = new Set(
      addresses.map((address) => address.replaceAll(/(?:INCOMPLETE-)?X\.\.%5C%3Fa%3Db%26c%23d[^/?&#]*/g, "*")),
    );
    // What is left names a page of ours, and no part of the text.
    const SHAPE =
      /^(?:data:,|#\w+|\/(?:static\/[\w.]+|sign-(?:in|out)|a\/[*\w]+(?:\/[*\w]+)*)?(?:\?\w+=[*%\w]+(?:&amp;\w+=[*\w]+)*)?(?:#\w+)?)$/;
    expect([...shapes].filter((shape) => !SHAPE.test(shape))).toEqual([]);
    expect(shapes.size).toBeGreaterThan(20);
  });

  test("a long text is cut where it is shown as a name", () => {
    const long = pagesWith("y".repeat(100_000)).map(({ page }) =>
      page.replaceAll(/(?:href|src|action|value)="[^"]*"/g, ""),
    );
    expect(Math.max(...long.map((page) => page.length))).toBeLessThan(60_000);
  });
});

test.skipIf(NO_READER !== "")(
  `the same, read by html5lib${NO_READER}, is valid HTML, and isolates the direction of text`,
  async () => {
    const pages = await readPages(ATTACKS.flatMap((text) => pagesWith(text).map(({ page }) => page)));
    expect(pages.flatMap(({ turned }) => turned).filter(([, where]) => where === "text")).toEqual([]);
    expect(pages.filter(({ elements }) => "img" in elements)).toEqual([]);
    const scripts = pages.flatMap(({ attributes }) => attributes.filter(([element]) => element === "script"));
    expect(new Set(scripts.map(([, key, value]) => `${key}=${value}`))).toEqual(
      new Set([`src=${SCRIPT_ASSET.path}`, "defer="]),
    );
  },
);
