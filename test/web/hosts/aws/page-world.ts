import type { LambdaContext } from "hono/aws-lambda";
import { visibleJson } from "../../../../lambda/core/log.ts";
import { systemRandom } from "../../../../lambda/core/random.ts";
import { createLog } from "../../../../lambda/job/lambda/lambda-log.ts";
import { createPageFunction } from "../../../../lambda/web/hosts/aws/page-function.ts";
import type { HostedSettings } from "../../../../lambda/web/hosts/aws/page-settings.ts";
import type { PagePorts } from "../../../../lambda/web/ports.ts";
import { fakeClock } from "../../../support/fake-clock.ts";
import { fakePorts } from "../../site/fake-site.ts";
import { CognitoDouble } from "./cognito-double.ts";
import { Browser, type HostedResult } from "./edge.ts";

export const ORIGIN = "https://d111111abcdef8.cloudfront.net";

/** Of a user who has signed in, as the authorizer passes them on, and the headers of their requests. */
export const CLAIMS = {
  token_use: "access",
  username: "ann",
  "cognito:groups": "[accountant:main staff]",
  origin_jti: "5f0f3b1e-93a1-4f43-9c58-0f2f3e9a7c11",
};
export const TOKEN = { authorization: "Bearer eyJh.eyJi.c2ln" };
export const FORM = {
  "content-type": "application/x-www-form-urlencoded",
  origin: ORIGIN,
  "sec-fetch-site": "same-origin",
};

/** The names of the cookies. */
export const SESSION = "__Host-fillbook";
export const REFRESH = "__Host-fillbook-refresh";

/** Settings as the stack gives them. */
export function settingsAt(signInUrl: string): HostedSettings {
  return {
    store: "s3://archive/fillbook",
    packStore: null,
    origin: ORIGIN,
    role: "arn:aws:iam::000000000000:role/fillbook-page-eu-west-1",
    signInUrl,
    signInClient: CognitoDouble.CLIENT,
    machine: "arn:aws:states:eu-west-1:000000000000:stateMachine:fillbook",
    accountList: "s3://assets/accounts.json",
    endpoint: null,
  };
}

export type PageWorld = Awaited<ReturnType<typeof openPageWorld>>;

/** The page's function with its own user pool and two accounts. */
export async function openPageWorld(broken: Partial<PagePorts> = {}) {
  const pool = await new CognitoDouble(ORIGIN).start();
  const ports = fakePorts();
  const clock = fakeClock();
  const lines: string[] = [];
  const ask = createPageFunction({
    settings: settingsAt(pool.url),
    ports: { ...ports, ...broken },
    clock,
    random: systemRandom,
    logOf: (requestId) => createLog({ clock, redact: visibleJson, write: (line) => lines.push(line) }, { requestId }),
  });
  const answer = async (event: unknown): Promise<HostedResult> => {
    const given = { awsRequestId: "request-1" } as LambdaContext;
    return (await ask(event as Parameters<typeof ask>[0], given)) as HostedResult;
  };
  return {
    pool,
    ports,
    clock,
    /** Lines of the log, unchanged. */
    lines,
    answer,
    browser: () => new Browser(ORIGIN, answer, (token) => pool.claimsOf(token)),
    /** Entries of the log, without the fields that every line has. */
    logged: (): readonly Readonly<Record<string, unknown>>[] =>
      lines.map((line) => {
        const { time: _, requestId: __, ...rest } = JSON.parse(line);
        return rest;
      }),
  };
}

/** Signed in. `isOver`: the session has expired. */
export async function signedIn(world: PageWorld, isOver = true) {
  const browser = world.browser();
  await browser.visit("/");
  const before = browser.cookies.get(SESSION)?.value;
  if (isOver) {
    browser.cookies.delete(SESSION);
  }
  world.pool.asked.splice(0);
  const post = (target: string, headers = FORM) => {
    const body = String(new URLSearchParams({ kind: "export", period: "us-2025" }));
    return browser.ask(target, { method: "POST", headers, body });
  };
  return { browser, before, post };
}
