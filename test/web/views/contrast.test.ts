import { describe, expect, test } from "vitest";
import { STYLE } from "../../../lambda/web/views/style.ts";

// The colours of the style sheet, and contrast as WCAG 2.2 defines it.

function coloursOf(block: string): Map<string, string> {
  return new Map(
    [...block.matchAll(/--(?<name>[\w-]+): (?<colour>#[0-9a-f]{3,6});/g)].map(({ groups = {} }) => [
      groups["name"] ?? "",
      groups["colour"] ?? "",
    ]),
  );
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.slice(1).replaceAll(/./g, "$&$&") : colour.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
    .map((share) => (share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const [light = "", dark = ""] = [...STYLE.matchAll(/:root \{(?<block>[^}]*)\}/g)].map((match) => match[1]);

describe.each([
  ["light", coloursOf(light)],
  ["dark", coloursOf(dark)],
])("%s", (_, colours) => {
  const between = (a: string, b: string) => contrast(colours.get(a) ?? "#000", colours.get(b) ?? "#000");

  test.each(["blue-fill", "orange-fill", "grey-fill"])("%s has a contrast of 3 with the background", (fill) => {
    expect(between(fill, "paper")).toBeGreaterThanOrEqual(3);
  });
});

test("the style sheet has no other colours", () => {
  const rest = STYLE.replaceAll(/:root \{[^}]*\}/g, "");
  expect(rest.match(/#[0-9a-f]{3,8}\b|rgb|hsl/gi)).toBeNull();
});
