import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTokenEndpoint, type TokenEndpoint } from "../../../../lambda/web/hosts/aws/token-endpoint.ts";
import { fakeClock } from "../../../support/fake-clock.ts";
import { CognitoDouble } from "./cognito-double.ts";
import { ORIGIN, settingsAt } from "./page-world.ts";

const JWT = "eyJhbGciOiJub25lIn0.e30.c2ln";
const RIGHT = { access_token: JWT, refresh_token: "a.b~c_d-e=", token_type: "Bearer", expires_in: 3600 };

let pool: CognitoDouble;
let clock: ReturnType<typeof fakeClock>;
let endpoint: TokenEndpoint;

beforeEach(async () => {
  pool = await new CognitoDouble(ORIGIN).start();
  clock = fakeClock();
  endpoint = openTokenEndpoint(settingsAt(pool.url), clock);
});
afterEach(() => pool.stop());

function answering(body: unknown, status = 200): void {
  pool.fault = (response) => response.writeHead(status).end(status === 204 ? "" : JSON.stringify(body));
}

const TOO_MANY_GROUPS = "access token too long for a cookie: the user is in too many groups";
const LONGEST = "r".repeat(4000);

test.each<[string, unknown, string, string | null]>([
  ["as they are issued", RIGHT, "given", RIGHT.refresh_token],
  ["without a refresh token", { ...RIGHT, refresh_token: undefined }, "given", null],
  ["as long as a cookie holds", { ...RIGHT, refresh_token: LONGEST }, "given", LONGEST],
  ["nothing", null, "failed", "without an access token"],
  ["no access token", { ...RIGHT, access_token: undefined }, "failed", "without an access token"],
  ["an access token that is not a JWT", { ...RIGHT, access_token: "SECRET" }, "failed", "without an access token"],
  ["an access token with a line break", { ...RIGHT, access_token: "a.b.c\n" }, "failed", "without an access token"],
  ["a cookie in a token", { ...RIGHT, refresh_token: "a; SECRET" }, "failed", "with an invalid refresh token"],
  ["a long one", { ...RIGHT, refresh_token: `${LONGEST}r` }, "failed", "with a refresh token too long for a cookie"],
  ["a long access token", { ...RIGHT, access_token: JWT + LONGEST }, "failed", `with an ${TOO_MANY_GROUPS}`],
])("tokens, or the reason without any of the answer's text: %s", async (_, body, kind, told) => {
  answering(body);
  const given = { kind, access: JWT, refresh: told };
  expect(await endpoint.exchange("code", "verifier")).toMatchObject(
    kind === "given" ? given : { kind, message: `a token answer ${told}` },
  );
});

describe("a failure:", () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ["a redirect", (response) => response.writeHead(307, { location: `${pool.url}/oauth2/token` }).end()],
    ["a connection that is cut", (response) => response.destroy()],
    ["a body that is not as declared", (response) => response.writeHead(200, { "content-encoding": "gzip" }).end("{}")],
  ])("%s", async (_, fault) => {
    pool.fault = fault;
    expect(await endpoint.refresh("x")).toMatchObject({ kind: "failed", message: "no answer in time" });
    expect(pool.asked.length).toBe(1);
  });

  test("an answer that does not come within 8 s, or does not end", async () => {
    for (const fault of [() => undefined, (response: ServerResponse) => response.writeHead(200).write("{")]) {
      pool.fault = fault;
      let isOver = false;
      const answer = endpoint.refresh("x").finally(() => {
        isOver = true;
      });
      await clock.untilSleeping();
      await clock.advance(7999);
      expect(isOver).toBe(false);
      await clock.advance(1);
      expect(await answer).toMatchObject({ kind: "failed", message: "no answer in time" });
    }
    expect(clock.sleeping).toEqual([]);
  });

  test("an answer that is too large, also if it is compressed", async () => {
    const large = JSON.stringify({ ...RIGHT, x: "x".repeat(65_536) });
    const packed = { "content-encoding": "gzip" };
    for (const [body, headers] of [[large, {}] as const, [gzipSync(large), packed] as const]) {
      pool.fault = (response) => response.writeHead(200, headers).end(body);
      expect(await endpoint.refresh("x")).toMatchObject({ kind: "failed" });
    }
    pool.fault = (response) => response.writeHead(200, packed).end(gzipSync(JSON.stringify(RIGHT)));
    expect(await endpoint.refresh("x")).toMatchObject({ kind: "given" });
  });
});

test.each<[number, unknown, string, string]>([
  [400, { error: "invalid_grant" }, "refused", "400, invalid_grant"],
  [400, { error: "SECRET", error_description: "SECRET" }, "refused", "400, no known error"],
  [400, "SECRET", "refused", "400, no known error"],
  [500, { error: "invalid_grant" }, "failed", "500, invalid_grant"],
  [204, null, "failed", "204, no known error"],
])(
  "an error of the request is a refusal, and an error of the server a failure %i %j",
  async (status, body, kind, why) => {
    answering(body, status);
    expect(await endpoint.refresh("x")).toMatchObject({ kind, message: why });
  },
);

test("a token is revoked, whether it is known or not", async () => {
  expect(await endpoint.revoke("whatever")).toBeNull();
  answering({ error: "invalid_request" }, 400);
  expect(await endpoint.revoke("whatever")).toBe("400, invalid_request");
  pool.fault = (response) => response.destroy();
  expect(await endpoint.revoke("whatever")).toBe("no answer in time");
});
