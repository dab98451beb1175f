import { Script } from "node:vm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { SCRIPT_ASSET } from "../../../lambda/web/views/assets.ts";
import { SCRIPT } from "../../../lambda/web/views/script.ts";
import { STYLE } from "../../../lambda/web/views/style.ts";
import { MARKUP } from "../../formats/hostile-texts.ts";
import { NO_READER, type ReadPage, readPages } from "../../pack/report/read.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";
import { samplesOf } from "./samples.ts";
import { skeletonOf, tagsOf } from "./tags.ts";

// Landmarks, labels and names are tested in test/browser/samples.system.test.ts.

const SAMPLES = samplesOf();
const STRANGERS = [
  ...["refused", "not-from-here", "trouble", "sign-in", "sign-in-hosted", "sign-in-failed"],
  ...["signed-in", "signed-out", "not-done-yet", "opening"],
];

describe.each(SAMPLES)("$name", ({ name, page }) => {
  const tags = tagsOf(page);
  const of = (...names: string[]) => tags.filter((tag) => names.includes(tag.name)).map(({ attributes }) => attributes);

  test("keeps to the policy: nothing inline, nothing from other sites", () => {
    expect(of("style", "object", "embed", "base", "img", "iframe")).toEqual([]);
    const keys = new Set(tags.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...keys].filter((key) => key === "style" || key.startsWith("on"))).toEqual([]);
    const addresses = tags.flatMap(({ attributes }) =>
      ["href", "src", "action"].flatMap((key) => (key in attributes ? [attributes[key] ?? ""] : [])),
    );
    expect(addresses.filter((address) => !/^(?:\/(?!\/)|#|data:,$)/.test(address))).toEqual([]);
    expect(of("script").every(({ src }) => src === SCRIPT_ASSET.path)).toBe(true);
  });

  test("shows navigation and forms only to signed-in users", () => {
    expect(of("nav")).toHaveLength(STRANGERS.includes(name) ? 0 : 1);
    const forms = page.split("<form").slice(1);
    const posts = forms.filter((form) => tagsOf(`<form${form}`)[0]?.attributes["method"] === "post");
    expect(posts.length).toBeGreaterThanOrEqual(STRANGERS.includes(name) ? 0 : 1);
  });
});

describe.skipIf(NO_READER !== "")(`each page, read by html5lib${NO_READER}`, () => {
  const pages = new Map<string, ReadPage>();

  beforeAll(async () => {
    const read = await readPages(SAMPLES.map(({ page }) => page));
    for (const [at, { name }] of SAMPLES.entries()) {
      pages.set(name, read[at] as ReadPage);
    }
  });

  test.each(SAMPLES)("$name is valid HTML, with exactly the tags that were written", ({ name, page }) => {
    const { elements } = pages.get(name) as ReadPage;
    const read = Object.entries(elements).flatMap(([element, count]) =>
      Array.from({ length: count }, () => element.replace("svg:", "")),
    );
    const written = skeletonOf(page).filter((tag) => !/^[!/]/.test(tag));
    expect(read.sort()).toEqual(written.map((tag) => tag.split(" ")[0]).sort());
  });

  test("an incomplete pack is marked, assumptions are named, and only an operator is offered actions on the archive", () => {
    const textOf = (name: string) => pages.get(name)?.text ?? "";
    expect(textOf("pack-incomplete")).toMatch(/INCOMPLETE\.\s*Do not file from this statement\./);
    for (const name of ["pack", "pack-incomplete", "overview"]) {
      expect([name, textOf(name)]).toEqual([name, expect.stringContaining("were requested in ranges of up to 7 days")]);
    }
    for (const net of [/incl\. funding, USD\s*−120,478\.93 ▲ partial total/, /incl\. funding, USDC\s*not known/]) {
      expect(textOf("pack")).toMatch(net);
    }
    expect(textOf("overview")).toContain("Read new fills");
    expect(textOf("overview-new")).not.toContain("Read new fills");
  });

  test("only the page of a running job refreshes itself", () => {
    const again = SAMPLES.filter(({ page }) => page.includes('http-equiv="refresh"')).map(({ name }) => name);
    expect(again).toEqual(["job-running"]);
    expect(SAMPLES.filter(({ page }) => page.includes("data-running")).map(({ name }) => name)).toEqual(again);
    expect(SAMPLES.filter(({ page }) => page.includes(SCRIPT_ASSET.path)).map(({ name }) => name)).toEqual(again);
  });
});

test("the script is valid, and requests only its own address", () => {
  expect(() => new Script(SCRIPT)).not.toThrow();
  expect(SCRIPT.match(/fetch\([^)]*\)/g)).toEqual(['fetch(location.href, { cache: "no-store" })']);
  expect(SCRIPT).not.toMatch(/https?:|innerHTML\s*=[^=]|eval|document\.write/);
});

test("the style sheet loads nothing", () => {
  expect(STYLE).not.toMatch(/@import|url\(|https?:/);
});

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
