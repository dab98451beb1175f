import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { FillbookError } from "../../lambda/core/errors.ts";
import { accountCredentials } from "../../lambda/job/account-role.ts";
import { secretsManager, secretToken } from "../../lambda/job/token-source.ts";
import { listen, stop } from "../support/loopback.ts";

// The real SDK against a server with AWS's error answers. A temporary failure must be tried again, and must
// not be reported as a wrong setting.

type Call = () => Promise<unknown>;

const SECONDS_TO_WAIT = { connectionTimeout: 1000, requestTimeout: 40, throwOnRequestTimeout: true };

const readToken: Call = () =>
  secretToken("fillbook/main", secretsManager(null, SECONDS_TO_WAIT), () => undefined).current();
const openSession: Call = accountCredentials(
  { arn: "arn:aws:iam::111122223333:role/books", variable: "FILLBOOK_ACCOUNT_ROLE" },
  "main",
  SECONDS_TO_WAIT,
);

/** `code`: the error code in the two services' protocols, JSON and XML. */
function answers(status: number, code: string): RequestListener {
  return (request, response) => {
    request.resume();
    const isJson = request.headers["x-amz-target"] !== undefined;
    const body = isJson
      ? JSON.stringify({ __type: code, message: "of the test" })
      : `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${code}</Code><Message>of the test</Message></Error></ErrorResponse>`;
    response.writeHead(status, { "content-type": isJson ? "application/x-amz-json-1.1" : "text/xml" }).end(body);
  };
}

const CALLS: readonly (readonly [string, Call])[] = [
  ["Secrets Manager", readToken],
  ["STS", openSession],
];

async function against(listener: RequestListener, call: Call) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  const endpoint = await listen(server);
  onTestFinished(() => stop(server));
  vi.stubEnv("AWS_ENDPOINT_URL", endpoint);
  vi.stubEnv("AWS_REGION", "eu-west-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIATEST");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
  const error = await call().then(
    () => null,
    (thrown: FillbookError) => thrown,
  );
  return { kind: error?.kind, hint: error?.hint, message: error?.message ?? "", requests };
}

afterEach(() => vi.unstubAllEnvs());

describe.each(CALLS)("%s", (_, call) => {
  test.each([
    [500, "InternalServiceError"],
    [503, "ServiceUnavailable"],
    [400, "ThrottlingException"],
    [429, "TooManyRequestsException"],
  ])("answers %i %s: it is asked three times, and a later run continues", async (status, code) => {
    const { kind, hint, message, requests } = await against(answers(status, code), call);
    expect({ kind, hint, requests }).toEqual({ kind: "incomplete", hint: "run again", requests: 3 });
    expect(message).toContain(code);
  });

  test("does not answer: the call is given up after a while", async () => {
    const { kind, requests } = await against((request) => request.resume(), call);
    expect({ kind, requests }).toEqual({ kind: "incomplete", requests: 3 });
  });

  test("breaks the connection off", async () => {
    expect(await against((request) => request.socket.destroy(), call)).toMatchObject({ kind: "incomplete" });
  });

  test.each([
    [400, "AccessDeniedException"],
    [403, "AccessDenied"],
    [400, "ResourceNotFoundException"],
  ])("refuses with %i %s: it is asked once, and a person must correct the setting", async (status, code) => {
    const { kind, hint, requests } = await against(answers(status, code), call);
    expect({ kind, requests }).toEqual({ kind: "usage", requests: 1 });
    expect(hint).toContain("check");
  });

  test("has no region: a setting is missing", async () => {
    vi.stubEnv("AWS_CONFIG_FILE", "/dev/null");
    const withoutRegion = () => {
      vi.stubEnv("AWS_REGION", undefined);
      return call();
    };
    expect(await against(answers(500, "none"), withoutRegion)).toMatchObject({ kind: "usage", requests: 0 });
  });
});
