import { hash } from "node:crypto";
import { DescribeStackResourcesCommand } from "@aws-sdk/client-cloudformation";
import { PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../lambda/storage/store.ts";
import { listenTo, NO_BROWSER, openChromium, SKIP } from "../browser/chromium.ts";
import { runFlow } from "../browser/flow.ts";
import { makeHistory } from "../emulator/history.ts";
import { text } from "../support/store-text.ts";
import { deploy } from "./cdk.ts";
import { type Clients, freshCloud, keysIn, outputOf, storeAt, until } from "./cloud.ts";
import { addPageUser, locationOf, type PageUser, signIn } from "./page-sign-in.ts";
import { type Answered, type Asker, cookiesOf, openAsker } from "./page-visits.ts";
import type { CloudPlace } from "./place.ts";
import { type LogLine, logLines } from "./runs.ts";
import { openService, type Service } from "./service.ts";
import { UNKNOWN } from "./unknown.ts";

/**
 * The deployed page: CloudFront, the API with its authorizer, the pool's own pages, and the page's function
 * with its roles. The tests run in this order and depend on each other.
 */

const YEAR_2025 = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const FILLS = 300;
const DESK_FILLS = 3000;
const MONTH = "month-2025-03";
const MINUTE_MS = 60_000;

let service: Service;
let place: CloudPlace;
let owner: Clients;
let taken: ReadonlyMap<string, string>;
let page: string;
let pool: string;
let api: string;
let ask: Asker;
let archive: Store;
/** The cookies of a signed-in user. */
let ann: string;

beforeAll(async () => {
  service = await openService({
    main: makeHistory({ seed: 41, fills: FILLS, ...YEAR_2025 }),
    desk: makeHistory({ seed: 43, fills: DESK_FILLS, ...YEAR_2025 }),
  });
  ({ place, owner } = await freshCloud());
  taken = await deploy(place, { settings: { accounts: "main,desk", page: "on" }, service });
  page = await outputOf(owner, "FillbookPage", "PageUrl");
  api = await resourceOf("FillbookPage", "AWS::ApiGatewayV2::Api");
  ask = await openAsker(place);
  archive = storeAt(place, await outputOf(owner, "FillbookData", "ArchiveUri"));
  for (const [account, { token }] of service.books) {
    const SecretString = JSON.stringify({ token });
    await owner.secrets.send(new PutSecretValueCommand({ SecretId: `fillbook/${account}`, SecretString }));
  }
  pool = await outputOf(owner, "FillbookPage", "UserPoolId");
  ann = await signIn(ask, page, await addPageUser(owner, pool, "ann", ["accountant:main"]));
});
afterAll(() => service.close());

async function resourceOf(stack: string, type: string): Promise<string> {
  const { StackResources: found = [] } = await owner.formation.send(
    new DescribeStackResourcesCommand({ StackName: stack }),
  );
  const [id] = found.flatMap((one) => (one.ResourceType === type ? [one.PhysicalResourceId ?? ""] : []));
  if (id === undefined) {
    throw new Error(`${stack} has no ${type}`);
  }
  return id;
}

function get(path: string, cookie: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
  return ask({ url: page + path, headers: { cookie, ...headers } });
}

/** Posts a form as the page's own form does. `changes`: headers that differ, as in a forged request. */
async function post(
  path: string,
  cookie: string,
  fields: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const headers = { cookie, origin: page, "sec-fetch-site": "same-origin", ...changes };
  return await ask({ url: page + path, method: "POST", headers, form: fields });
}

/** Sends a request to the API directly, past CloudFront, as anybody can. */
function getFromApi(path: string, authorization: string | null): Promise<Answered> {
  const headers: Readonly<Record<string, string>> = authorization === null ? {} : { authorization };
  return ask({ url: `${place.endpoint}/_aws/execute-api/${api}/$default${path}`, headers });
}

function tokenIn(cookies: string): string {
  return /__Host-fillbook=([^;]+)/.exec(cookies)?.[1] ?? "";
}

function refreshTokenIn(cookies: string): string {
  return /__Host-fillbook-refresh=([^;]+)/.exec(cookies)?.[1] ?? "";
}

async function versionOf(account: string, period: string): Promise<string> {
  return JSON.parse((await text(archive, `${account}/packs/${period}/latest.json`)) ?? "").version;
}

/** The job's page, as soon as it shows how the job ended. */
async function endOfJob(path: string, cookie: string): Promise<Answered> {
  return await until(`the end of ${path}`, 2 * MINUTE_MS, async () => {
    const answered = await get(path, cookie);
    expect(answered.status).toBe(200);
    return answered.body.includes("data-running") ? null : answered;
  });
}

test("the templates contain what the emulator cannot create", () => {
  expect(new Set(taken.values())).toEqual(new Set(UNKNOWN.map(({ type }) => type)));
});

describe.skipIf(SKIP)(`in Chromium${NO_BROWSER}`, () => {
  test("an accountant signs in, has us-2025 made, watches it, reads the report, downloads a file, and signs out", async () => {
    const user = await addPageUser(owner, pool, "clara", ["accountant:desk"]);
    const browser = await openChromium({ hosts: { [new URL(page).host]: new URL(place.endpoint).host } });
    try {
      // The emulator's certificate is self-signed.
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      const heard = listenTo(context);
      const tab = await context.newPage();
      await signInByHand(tab, user);
      const { files } = await runFlow(tab, {
        origin: page,
        account: "desk",
        user: "clara",
        period: "us-2025",
        hasZip: false,
        signedOut: "Signed out",
      });
      const kept = `desk/packs/us-2025/${await versionOf("desk", "us-2025")}/fills.csv`;
      expect(String(files.get("fills.csv"))).toBe(await text(archive, kept));
      const elsewhere = heard.requests.filter((url) => ![page, place.endpoint].includes(new URL(url).origin));
      expect(elsewhere).toEqual([]);
      // The emulator's own pages have no icon, which the browser reports.
      expect(heard.complaints.filter((one) => !one.includes(place.endpoint))).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

/** Signs in on the pool's own pages for the first time, and sets a new password. */
async function signInByHand(tab: Page, { name, firstPassword, password }: PageUser): Promise<void> {
  await tab.goto(page);
  await tab.getByLabel("Username").fill(name);
  await tab.getByLabel("Password").fill(firstPassword);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.getByLabel("New password", { exact: true }).fill(password);
  await tab.getByLabel("Confirm new password").fill(password);
  await tab.getByRole("button", { name: "Update password" }).click();
  await tab.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
}

test("a person who is not signed in is sent to sign in, and sees nothing past CloudFront either: without a token, with a forged one, or with one of another kind", async () => {
  const path = "/a/main";
  const sent = await ask({ url: page + path, headers: { authorization: `Bearer ${tokenIn(ann)}` } });
  expect([sent.status, locationOf(sent)]).toEqual([302, `/sign-in?to=${encodeURIComponent(path)}`]);
  const [header = "", claims = "", signature = ""] = tokenIn(ann).split(".");
  const altered = (change: object) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(claims, "base64url").toString()), ...change })).toString(
      "base64url",
    );
  const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  const tokens = [
    null,
    "Bearer x",
    `Bearer ${header}.${claims}.${signature.slice(0, -4)}AAAA`,
    `Bearer ${header}.${altered({ "cognito:groups": ["operator:*"] })}.${signature}`,
    `Bearer ${none}.${altered({})}.`,
    `Bearer ${header}.${altered({ exp: 4_000_000_000 })}.${signature}`,
  ];
  for (const token of tokens) {
    const answered = await getFromApi("/a/main", token);
    expect(answered.status).toBe(401);
    expect(answered.body).not.toMatch(/main|ann/);
  }
  expect((await getFromApi("/a/main", `Bearer ${tokenIn(ann)}`)).status).toBe(200);
});

test("an accountant of one account finds nothing of another, and has a month made, which links that last a minute download", async () => {
  expect(await get("/a/desk", ann)).toMatchObject({ status: 404, body: expect.not.stringContaining("desk") });
  const begun = await post("/a/main/jobs", ann, { kind: "export", period: MONTH });
  expect(begun.status).toBe(303);
  const job = locationOf(begun);
  const running = await get(job, ann);
  expect(running.body).toContain("by <bdi>ann</bdi>");
  await endOfJob(job, ann);
  const version = await versionOf("main", MONTH);
  const pack = `/a/main/p/${MONTH}/${version}`;
  expect((await get(pack, ann)).status).toBe(200);
  const link = locationOf(await get(`${pack}/file?path=fills.csv`, ann));
  const { origin } = new URL(link);
  expect(origin).toBe(place.endpoint);
  const file = await ask({ url: link });
  expect(file).toMatchObject({
    status: 200,
    headers: { "content-disposition": expect.stringContaining('attachment; filename="fills.csv"') },
  });
  const sums = await ask({ url: locationOf(await get(`${pack}/file?path=SHA256SUMS`, ann)) });
  expect(sums.body).toContain(`${hash("sha256", file.body)}  fills.csv`);
  const altered = link.replace("fills.csv", "fees.csv");
  expect(altered).not.toBe(link);
  expect((await ask({ url: altered })).status).toBe(403);
  const history = await get("/a/main/history", ann);
  expect(history.body).toContain("fills.csv");
  expect(history.body).toContain("SHA256SUMS");
  expect(await keysIn(archive, "main/downloads/")).toHaveLength(2);
  expect(new URL(link).searchParams.get("X-Amz-Expires")).toBe("60");
});

// The emulator returns no new refresh token and omits the groups from the new access token.
// test/web/hosts/aws/sign-in.test.ts tests the handling of both.
test("the page renews a session", async () => {
  const refresh_token = refreshTokenIn(ann);
  const renewed = await get("/sign-in?to=%2Fa%2Fmain", `__Host-fillbook-refresh=${refresh_token}`);
  expect(renewed).toMatchObject({ status: 302, headers: { location: "/a/main" } });
  const session = cookiesOf(renewed).get("__Host-fillbook") ?? "";
  expect(session).not.toBe(tokenIn(ann));
  const home = await get("/", `__Host-fillbook=${session}`);
  expect(home).toMatchObject({ status: 200, body: expect.stringContaining("ann") });
});

test("the page logs each refusal with the user and the reason, and logs no token", async () => {
  const lines = await logLines(owner, await outputOf(owner, "FillbookPage", "PageLogGroupName"));
  const refusals = lines.filter(({ message }) => message === "refused");
  const told = (why: string): LogLine | undefined => refusals.find((line) => line["why"] === why);
  expect(told("no account of theirs")).toMatchObject({ user: "ann" });
  for (const token of [tokenIn(ann), refreshTokenIn(ann)]) {
    expect(JSON.stringify(lines)).not.toContain(token);
  }
});
