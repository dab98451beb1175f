import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { returnPath } from "../../../../lambda/web/hosts/aws/sign-in.ts";

test.each([
  ["/", "/"],
  ["/a/x y?z=é", "/a/x%20y?z=%C3%A9"],
  ["/a/main#make", "/a/main"],
  ["/a/../b", "/b"],
  ["/a\r\nset-cookie: x=y", "/aset-cookie:%20x=y"],
  ...["//evil.example/", "/\\evil.example/", "/\t/evil.example/", `/${"a".repeat(1024)}`].map((one) => [one, "/"]),
  ...["/sign-in?to=%2F", "/signed-in?code=x", "/signed-out", "/a/../sign-out"].map((one) => [one, "/"]),
])("the path after signing in: %s", (asked, path) => {
  expect(returnPath(asked)).toBe(path);
});

describe("the path after signing in", () => {
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
