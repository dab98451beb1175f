import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { returnPath } from "../../../../lambda/web/hosts/aws/sign-in.ts";

describe("the path after signing in", () => {
  test.each([
    ["/", "/"],
    [
      "/a/main/p/us-2025/0123456789abcdef/file?path=imports%2Fkoinly.csv",
      "/a/main/p/us-2025/0123456789abcdef/file?path=imports%2Fkoinly.csv",
    ],
    ["/a/x y?z=é", "/a/x%20y?z=%C3%A9"],
    ["/a/main#make", "/a/main"],
    ["/a/../b", "/b"],
    ["/a\r\nset-cookie: x=y", "/aset-cookie:%20x=y"],
  ])("%s", (asked, path) => {
    expect(returnPath(asked)).toBe(path);
  });

  test.each([
    ["nothing", undefined],
    ["another site by two slashes", "//evil.example/"],
    ["another site by a backslash", "/\\evil.example/"],
    ["another site by a tab between slashes", "/\t/evil.example/"],
    ["the sign-in itself", "/sign-in?to=%2F"],
    ["the way back", "/signed-in?code=x"],
    ["the way out", "/signed-out"],
    ["the sign-out with dots", "/a/../sign-out"],
    ["too long", `/${"a".repeat(1024)}`],
  ])("%s: to the beginning", (_, asked) => {
    expect(returnPath(asked)).toBe("/");
  });

  test("is always a path of this origin, safe in a header and in a link, and stable when checked again", () => {
    const piece = fc.constantFrom(..."/ \\ // .. . %2e %2f \t \n evil.example @ : ? # a é https:".split(" "));
    const text = fc.oneof(
      fc.string({ unit: "binary" }).map((end) => `/${end}`),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
    );
    fc.assert(
      fc.property(text, (asked) => {
        const path = returnPath(asked);
        expect(path).toMatch(/^\/(?!\/)[\x21-\x7e]*$/);
        expect(new URL(path, "https://another.example/x/y").origin).toBe("https://another.example");
        expect(path).not.toMatch(/[\\"<>]/);
        expect(returnPath(path)).toBe(path);
      }),
      { numRuns: 2000 },
    );
  });

  test("is the requested path, for every path of the page", () => {
    const word = fc.string({ unit: "binary", minLength: 1 }).map((text) => encodeURIComponent(text.toWellFormed()));
    const path = fc
      .tuple(fc.array(word, { minLength: 1, maxLength: 5 }), fc.option(word))
      .filter(([words]) => words.every((one) => !/^\.+$/.test(one)))
      .map(([words, query]) => `/a/${words.join("/")}${query === null ? "" : `?q=${query}`}`)
      .filter((one) => one.length <= 1024);
    fc.assert(
      fc.property(path, (asked) => {
        // The URL standard encodes an apostrophe in a query.
        expect(returnPath(asked).replaceAll("%27", "'")).toBe(asked.replaceAll("%27", "'"));
      }),
    );
  });
});
