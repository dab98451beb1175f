import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SfnDouble, type StsDouble, startSfnDouble, startStsDouble } from "../support/aws-doubles.ts";
import { type S3Double, startS3Double } from "../support/s3-double/server.ts";
import { eventOf, textOf } from "../web/hosts/aws/edge.ts";
import { CLAIMS, settingsAt, TOKEN } from "../web/hosts/aws/page-world.ts";
import { bundleFolder } from "./bundle.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";
import { FUNCTION_KEY } from "./world.ts";

/**
 * The bundle measured 882 kB; 37 kB of them are Cognito's client, and 85 kB the readers of the user's files.
 * 5 % more is allowed for growth of our own code. The limit is tight because a person waits for each cold
 * start. The job's HTTP client alone has 570 kB; it is included as soon as something imports a part of
 * `service/` that uses it.
 */
const BUNDLE_BUDGET_BYTES = 926_000;

const SETTINGS = settingsAt("https://fillbook-1.auth.eu-west-1.amazoncognito.com");
const ENVIRONMENT = {
  FILLBOOK_STORE: SETTINGS.store,
  FILLBOOK_PAGE_ORIGIN: SETTINGS.origin,
  FILLBOOK_PAGE_ROLE: SETTINGS.role,
  FILLBOOK_SIGN_IN_URL: SETTINGS.signInUrl,
  FILLBOOK_SIGN_IN_CLIENT: SETTINGS.signInClient,
  FILLBOOK_MACHINE: SETTINGS.machine,
  FILLBOOK_ACCOUNT_LIST: "s3://archive/accounts.json",
};
const SIGNED_IN = { claims: CLAIMS, headers: { ...TOKEN, "accept-encoding": "gzip" } };

const folder = bundleFolder("FillbookPage");

let s3: S3Double;
let sts: StsDouble;
let sfn: SfnDouble;
let sandbox: Sandbox;

async function open(environment: Readonly<Record<string, string>> = ENVIRONMENT): Promise<Sandbox> {
  return await openSandbox(folder, {
    ...environment,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: FUNCTION_KEY,
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_ENDPOINT_URL: s3.endpoint,
    AWS_ENDPOINT_URL_STS: sts.endpoint,
    AWS_ENDPOINT_URL_SFN: sfn.endpoint,
  });
}

beforeEach(async () => {
  s3 = await startS3Double({ bucket: "archive" });
  sts = await startStsDouble();
  sfn = await startSfnDouble(SETTINGS.machine);
  sandbox = await open();
});
afterEach(() => Promise.all([sandbox.close(), s3.close(), sts.close(), sfn.close()]));

describe("the page's bundle", () => {
  test("is alone in its folder, within its budget, and without the job's HTTP client", () => {
    expect(readdirSync(folder).sort()).toEqual(["index.mjs", "index.mjs.map"]);
    expect(statSync(join(folder, "index.mjs")).size).toBeLessThan(BUNDLE_BUDGET_BYTES);
    const { sources }: { sources: readonly string[] } = JSON.parse(readFileSync(join(folder, "index.mjs.map"), "utf8"));
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.filter((source) => source.includes("node_modules/undici/"))).toEqual([]);
  });

  test("shows an account's pages through the account's session, and needs no session for people who are not signed in", async () => {
    expect(await sandbox.invoke(eventOf("/a/main"))).toMatchObject({ answer: { statusCode: 401 } });
    expect(await sandbox.invoke(eventOf("/sign-in"))).toMatchObject({ answer: { statusCode: 302 } });
    expect([s3.requests.length, sts.sessions.length]).toEqual([0, 0]);

    s3.bucket.objects.set("accounts.json", { bytes: Buffer.from('["main"]'), etag: '"a"', modifiedMs: 0 });
    const { answer: accounts = {} } = await sandbox.invoke(eventOf("/", SIGNED_IN));
    expect(accounts).toMatchObject({ statusCode: 200 });
    expect(textOf(accounts)).toContain('href="/a/main"');
    expect(sts.sessions).toMatchObject([{ roleArn: SETTINGS.role, tags: { account: "main" }, askedBy: FUNCTION_KEY }]);
  });

  test("tells the browser nothing about missing settings, and Lambda's log which it is", async () => {
    const bare = await open({});
    const { answer, error } = await bare.invoke(eventOf("/", SIGNED_IN));
    expect(answer).toBeUndefined(); // the API answers 500 by itself
    expect(error).toMatchObject({
      message: "FILLBOOK_STORE is not set",
    });
    await bare.close();
  });
});
