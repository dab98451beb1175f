import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { fc, test as property } from "@fast-check/vitest";
import { type TransformOptions, transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { returnPath } from "../../lambda/web/hosts/aws/sign-in.ts";

// https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-event-structure.html
interface Value {
  readonly value: string;
  readonly multiValue?: readonly { readonly value: string }[];
}

interface ViewerRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: Readonly<Record<string, Value>>;
  readonly headers: Readonly<Record<string, Value>>;
  readonly cookies: Readonly<Record<string, Value>>;
}

interface Answer {
  readonly statusCode: number;
  readonly statusDescription: string;
  readonly headers: Readonly<Record<string, Value>>;
  readonly body?: { readonly encoding: string; readonly data: string };
}

const CODE = readFileSync(join(import.meta.dirname, "../../infra/page/viewer-request.js"), "utf8");
const NOW = Date.UTC(2026, 2, 1, 12);
const SESSION = "__Host-fillbook";
const ORIGIN = "https://d111111abcdef8.cloudfront.net";

/**
 * The function in an environment like CloudFront's: the language's own objects, Buffer and a clock, but no
 * process, modules or network.
 */
const handler: (event: { readonly request: ViewerRequest }) => ViewerRequest | Answer = runInContext(
  `${CODE}\nhandler`,
  createContext({ Buffer, Date: { now: () => NOW } }),
);

function asked(changed: Partial<ViewerRequest> = {}): ViewerRequest {
  return { method: "GET", uri: "/a/main", querystring: {}, headers: {}, cookies: {}, ...changed };
}

/** The function's result: the request to forward, or an answer. */
function sent(changed: Partial<ViewerRequest> = {}): { readonly on?: ViewerRequest; readonly answer?: Answer } {
  const became = handler({ request: structuredClone(asked(changed)) });
  return "statusCode" in became ? { answer: became } : { on: became };
}

/** A token in Cognito's form, with an invalid signature. */
function token(claims: unknown): string {
  const part = (text: string) => Buffer.from(text).toString("base64url");
  return `${part('{"alg":"RS256","kid":"x"}')}.${part(JSON.stringify(claims))}.${part("signature ÿ")}`;
}

/** Allowance for a token's way to the authorizer and for differences between clocks. */
const MARGIN_SECONDS = 10;
const IN_TIME = token({ exp: NOW / 1000 + MARGIN_SECONDS + 1, username: "ann", "cognito:groups": ["accountant:*"] });
const withSession = (value: string) => ({ cookies: { [SESSION]: { value } } });
const locationOf = (changed: Partial<ViewerRequest>) => sent(changed).answer?.headers["location"]?.value;

describe("a request with a session", () => {
  test("is forwarded with its token only in the header that the API reads, and otherwise unchanged", () => {
    const request = asked({
      method: "POST",
      querystring: { q: { value: "a%20b" } },
      headers: { host: { value: "d111111abcdef8.cloudfront.net" }, "content-type": { value: "x" } },
      cookies: { [SESSION]: { value: IN_TIME }, other: { value: "1" } },
    });
    expect(sent(request).on).toEqual({
      ...request,
      headers: { ...request.headers, authorization: { value: `Bearer ${IN_TIME}` } },
      cookies: { other: { value: "1" } }, // the session's cookie has moved to the header
    });
  });

  test("is forwarded until ten seconds before its token expires, to the millisecond", () => {
    const ending = (exp: number) => sent(withSession(token({ exp }))).on !== undefined;
    const last = NOW / 1000 + MARGIN_SECONDS;
    expect([ending(last + 0.001), ending(last), ending(last - 1), ending(0)]).toEqual([true, false, false, false]);
  });
});

const inBase64 = (bytes: string | readonly number[]) => Buffer.from(bytes as string).toString("base64url");
const NO_SESSION: readonly Partial<ViewerRequest>[] = [
  {},
  { cookies: { "__Host-fillbook-refresh": { value: IN_TIME } } },
  { cookies: { fillbook: { value: IN_TIME } } },
  ...["", `${IN_TIME}.x`, `${IN_TIME} x`, `${IN_TIME}\r\nx-evil: 1`, IN_TIME.replace(/\.[^.]*$/, "")].map(withSession),
  ...[{ exp: NOW / 1000 - 1 }, { username: "ann" }, { exp: String(NOW) }, null].map((one) => withSession(token(one))),
  ...[inBase64("{"), inBase64([0xff, 0xfe, 0])].map((claims) => withSession(`a.${claims}.c`)),
  withSession(`${IN_TIME}${"x".repeat(4097 - IN_TIME.length)}`), // too long
];

test.each(NO_SESSION)(
  "a request without a session is sent to the sign-in and back; a script gets an answer that says so: %j",
  (without) => {
    expect(sent(without).answer).toMatchObject({
      statusCode: 302,
      headers: { location: { value: "/sign-in?to=%2Fa%2Fmain" }, "cache-control": { value: "no-store" } },
    });
    const { answer } = sent({ ...without, headers: { "sec-fetch-mode": { value: "cors" } } });
    expect(answer).toMatchObject({ statusCode: 401, headers: { "cache-control": { value: "no-store" } } });
    expect(answer?.headers).not.toHaveProperty("location");
  },
);

test("a POST is posted to the sign-in, with the path to return to", () => {
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
    // RFC 9110, 15.4.8: a 307 keeps the method and the body.
    const headers = { location: { value: "/sign-in?to=%2Fa%2Fmain%2Fjobs" } };
    expect(sent({ method, uri: "/a/main/jobs" }).answer).toMatchObject({ statusCode: 307, headers });
    expect(sent({ method, uri: "//evil.example" }).answer?.headers["location"]?.value).toBe("/sign-in?to=%2F");
  }
  expect(sent({ method: "HEAD" }).answer?.statusCode).toBe(302);
});

test("its own answers have the headers of all answers", () => {
  for (const { answer } of [sent(), sent({ headers: { "sec-fetch-mode": { value: "cors" } } })]) {
    const headers = Object.fromEntries(Object.entries(answer?.headers ?? {}).map(([name, { value }]) => [name, value]));
    expect(headers).toMatchObject({
      "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
  }
});

describe("the path to return to", () => {
  test.each([
    ["/", {}, "/"],
    ["/a/main", { page: { value: "2" }, q: { value: "us%202025" } }, "/a/main?page=2&q=us%202025"],
    ["/a/main", { q: { value: "1", multiValue: [{ value: "1" }, { value: "a&b=c" }] } }, "/a/main?q=1&q=a&b=c"],
    ["/a/main/file", { path: { value: "imports%2Fkoinly.csv" } }, "/a/main/file?path=imports%2Fkoinly.csv"],
    ["/a/%C3%A4", {}, "/a/%C3%A4"],
  ])("is %s with its query", (uri, querystring, path) => {
    const location = locationOf({ uri, querystring });
    expect(location).toBe(`/sign-in?to=${encodeURIComponent(path)}`);
    // Where a person is sent after signing in.
    const to = new URL(location ?? "", ORIGIN).searchParams.get("to") ?? undefined;
    expect(returnPath(to)).toBe(path);
  });

  property.prop([
    fc.oneof(
      fc.string(),
      fc.webPath(),
      fc.constantFrom("/", "//", "/\\").chain((begin) => fc.string().map((end) => begin + end)),
    ),
    fc.dictionary(fc.string(), fc.record({ value: fc.string() }), { maxKeys: 3 }),
  ])("is on this origin and one line of ASCII, for every path and query", (uri, querystring) => {
    const { on, answer } = sent({ uri, querystring });
    if (on === undefined) {
      const location = answer?.headers["location"]?.value ?? "";
      expect(location).toMatch(/^\/sign-in\?to=%2F[\x21-\x7e]*$/);
      const to = decodeURIComponent(location.slice("/sign-in?to=".length));
      expect(new URL(to, ORIGIN).origin).toBe(ORIGIN);
    }
  });
});

describe("paths that need no session", () => {
  const PUBLIC = ["/sign-in", "/signed-in", "/signed-out", "/static/style.css", "/static/page.9f3a.js"];
  const NOT_PUBLIC = [
    ...["/", "/sign-out", "/signed-in/", "/sign-inx", "/Sign-in", "/static", "/static/", "/static/..", "/static/../a"],
    ...["/static/a/b", "/static/%2e%2e", "/static/.x", "/a/static/x.css", "//sign-in", "/sign-in\n", "/sign-in/../a"],
  ];

  test.each(PUBLIC)("is forwarded unchanged, without the session's token: %s", (uri) => {
    const others = { "__Host-fillbook-refresh": { value: "r" }, "__Host-fillbook-flow": { value: "f" } };
    const request = asked({ uri, querystring: { code: { value: "x" } }, cookies: others });
    const { cookies } = withSession(IN_TIME);
    expect(sent({ ...request, cookies: { ...others, ...cookies } }).on).toEqual(request);
  });

  test.each(NOT_PUBLIC)("is not %j", (uri) => {
    expect(sent({ uri }).answer?.statusCode).toBe(302);
  });
});

property.prop([
  fc.string({ minLength: 1 }),
  fc.constantFrom("/", "/a/main", "/sign-in", "/static/style.css", "//x"),
  fc.constantFrom("GET", "POST"),
  fc.option(fc.constantFrom(IN_TIME, "x", token({ exp: 1 }), ""), { nil: undefined }),
])("the viewer's own header is never forwarded, whatever the request is", (given, uri, method, session) => {
  const headers = { authorization: { value: `Bearer ${given}`, multiValue: [{ value: given }, { value: "b" }] } };
  const { on } = sent({ uri, method, headers, ...(session === undefined ? {} : withSession(session)) });
  const expected = uri === "/" || uri === "/a/main" || uri === "//x" ? { value: `Bearer ${IN_TIME}` } : undefined;
  if (on !== undefined) {
    expect(on.headers["authorization"]).toEqual(expected);
    expect(Object.hasOwn(on.headers, "authorization")).toBe(expected !== undefined);
  }
});

describe("the file", () => {
  test("is small enough for CloudFront: 10 kB", () => {
    expect(Buffer.byteLength(CODE)).toBeLessThanOrEqual(10_000);
  });

  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
  test("uses nothing that the runtime lacks", () => {
    const has = { "const-and-let": true, arrow: true, "template-literal": true };
    const transformed = (options: TransformOptions) => transformSync(CODE, options).code;
    expect(transformed({ target: "es5", supported: has })).toBe(transformed({ target: "esnext" }));
    expect(CODE).not.toMatch(/\.(?:at|replaceAll|flatMap|flat|hasOwn|fromEntries|toSorted|matchAll)\(/);
    expect(CODE).not.toMatch(/\b(?:import|export|require)\b\s*[({"]/);
  });
});
