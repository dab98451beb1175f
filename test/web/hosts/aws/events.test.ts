import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEvent } from "../../../../lambda/web/hosts/aws/events.ts";
import { findRoute } from "../../../../lambda/web/routes/table.ts";
import { VERSION } from "../../site/fake-site.ts";
import { eventOf } from "./edge.ts";

function requestOf(event: unknown) {
  const read = readEvent(event);
  if (read === null) {
    throw new Error("no request");
  }
  return read.request;
}

function pathOf(rawPath: string): string {
  return requestOf({ ...eventOf("/"), rawPath }).path;
}

describe("an event is a request", () => {
  test("method, path, query, headers, cookies and body", () => {
    const headers = { Host: "x", "content-type": "application/x-www-form-urlencoded" };
    const event = eventOf("/a/main?x=1%202&y=a%2Fb&x=3", {
      method: "POST",
      headers,
      cookies: ["a=1", "b=2; c=3"],
      body: "k=v&é=1",
    });
    const { method, path, query, headers: read, body } = requestOf(event);
    expect([method, path]).toEqual(["POST", "/a/main"]);
    expect([...query]).toEqual([
      ["x", "1 2"],
      ["y", "a/b"],
      ["x", "3"],
    ]);
    expect(read).toEqual({
      host: "x",
      "content-type": "application/x-www-form-urlencoded",
      cookie: "a=1; b=2; c=3",
    });
    expect(Buffer.from(body).toString()).toBe("k=v&é=1");
    expect(Buffer.from(requestOf({ ...event, body: "é=1", isBase64Encoded: false }).body).toString()).toBe("é=1");
  });

  test.each([false, true])(
    "of a body that is too large, only one byte beyond the limit is read, base64: %s",
    (isBase64Encoded) => {
      for (const bytes of [65_535, 65_536, 65_537, 65_538, 200_000]) {
        const body = Buffer.alloc(bytes, "é").toString(isBase64Encoded ? "base64" : "utf8");
        const expected = Math.min(isBase64Encoded ? bytes : Buffer.byteLength(body), 65_537);
        expect(requestOf({ ...eventOf("/"), body, isBase64Encoded }).body.length).toBe(expected);
      }
    },
  );

  test("claims are those of the JWT authorizer, and null without one", () => {
    const claims = { username: "ann" };
    expect(readEvent(eventOf("/", { claims }))?.claims).toEqual(claims);
    for (const authorizer of [undefined, { jwt: null }, { jwt: {} }, { jwt: { claims: "ann" } }, { claims }]) {
      const requestContext = { http: { method: "GET" }, authorizer };
      expect(readEvent({ ...eventOf("/"), requestContext })?.claims).toBeNull();
    }
  });

  test.each([
    ["nothing", undefined],
    ["another format", { version: "1.0", path: "/", httpMethod: "GET" }],
    ["no path", { ...eventOf("/"), rawPath: undefined }],
    ["no method", { ...eventOf("/"), requestContext: {} }],
  ])("%s is not a request", (_, event) => {
    expect(readEvent(event)).toBeNull();
  });

  test("reading any event does not throw, and gives texts", () => {
    const keys = ["rawPath", "rawQueryString", "headers", "cookies", "body", "isBase64Encoded", "requestContext"];
    const event = fc.dictionary(fc.constantFrom(...keys, "__proto__"), fc.anything());
    fc.assert(
      fc.property(event, fc.string({ unit: "binary" }), (fields, rawPath) => {
        const context = { http: { method: "GET" }, authorizer: fields["requestContext"] };
        const { path, headers, body } = requestOf({ ...fields, rawPath, requestContext: context });
        expect(path).toMatch(/^[\x21-\x7e]*$/);
        expect(Object.values(headers).every((value) => typeof value === "string")).toBe(true);
        expect(body.length).toBeLessThanOrEqual(65_537);
      }),
    );
  });
});

describe("a path, decoded by the API or not", () => {
  test.each([
    ["/", "/"],
    ["/a/é", "/a/%C3%A9"],
    ["/a/a=b,c;d:e@f!$&'()*+~-._", "/a/a=b,c;d:e@f!$&'()*+~-._"],
    ['/a/<script>"\\^`{|}', "/a/%3Cscript%3E%22%5C%5E%60%7B%7C%7D"],
    ["/a/\r\n\u0000", "/a/%0D%0A%00"],
    ["/a/\ud800", "/a/%EF%BF%BD"],
    ["/a/%2e%2e/b", "/a/%2e%2e/b"],
  ])("%j", (came, path) => {
    expect(pathOf(came)).toBe(path);
  });

  test("never splits an encoded word in two", () => {
    expect(findRoute(pathOf("/a/main%2Fhistory"))?.names).toEqual({ account: "main/history" });
    expect(findRoute(pathOf("/a/%252e%252e"))?.names).toEqual({ account: "%2e%2e" });
    expect(findRoute(pathOf("/a/%ff"))).toBeNull();
  });

  test("has the same words in both readings, unless they hold slashes or percent signs", () => {
    const word = fc
      .string({ unit: "binary", minLength: 1 })
      .map((text) => text.toWellFormed().replaceAll(/[/%]/g, "x"));
    fc.assert(
      fc.property(word, word, (account, period) => {
        const words = ["", "a", account, "p", period, VERSION];
        const expected = { account, period, version: VERSION };
        expect(findRoute(pathOf(words.join("/")))?.names).toEqual(expected);
        expect(findRoute(pathOf(words.map(encodeURIComponent).join("/")))?.names).toEqual(expected);
      }),
    );
  });
});
