import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { DescribeStackResourcesCommand } from "@aws-sdk/client-cloudformation";
import {
  AdminAddUserToGroupCommand,
  AdminCreateUserCommand,
  CreateGroupCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import type { Browser, Page } from "playwright-core";
import { Agent, buildConnector, request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "../../lambda/storage/store.ts";
import { listenTo, NO_BROWSER, openChromium, SKIP } from "../browser/chromium.ts";
import { runFlow } from "../browser/flow.ts";
import { makeHistory } from "../emulator/history.ts";
import { text } from "../support/store-text.ts";
import { deploy } from "./cdk.ts";
import { type Clients, freshCloud, keysIn, outputOf, storeAt } from "./cloud.ts";
import type { CloudPlace } from "./place.ts";
import { logLines } from "./runs.ts";
import { openService, type Service } from "./service.ts";
import { UNKNOWN } from "./unknown.ts";

const YEAR_2025 = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Sends GET requests to the emulator, whatever their host name, without following redirects or keeping cookies. */
async function askerAt({ endpoint, certificate }: CloudPlace) {
  const { hostname, port } = new URL(endpoint);
  const connect = buildConnector({ ca: await readFile(certificate, "utf8") });
  const dispatcher = new Agent({ connect: (to, then) => connect({ ...to, hostname, port }, then) });
  return async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answered> => {
    const { statusCode: status, headers: answered, body } = await request(url, { dispatcher, headers });
    return { status, headers: answered, body: Buffer.from(await body.arrayBuffer()).toString() };
  };
}

function locationOf({ headers: { location } }: Answered): string {
  return typeof location === "string" ? location : expect.fail("no redirect");
}

const tokenIn = (cookies: string) => /__Host-fillbook=([^;]+)/.exec(cookies)?.[1] ?? "";
const refreshTokenIn = (cookies: string) => /__Host-fillbook-refresh=([^;]+)/.exec(cookies)?.[1] ?? "";

/** CloudFront, the API with its authorizer, the pool's own pages, and the page's function with its roles. */
describe.skipIf(SKIP)(`the deployed page, in this order${NO_BROWSER}`, () => {
  let service: Service;
  let place: CloudPlace;
  let owner: Clients;
  let taken: ReadonlyMap<string, string>;
  let page: string;
  let ask: Awaited<ReturnType<typeof askerAt>>;
  let archive: Store;
  let browser: Browser;
  let tab: Page;
  let heard: ReturnType<typeof listenTo>;
  /** The cookies of clara, an accountant of main, who has signed in. */
  let clara: string;

  beforeAll(async () => {
    service = await openService({
      main: makeHistory({ seed: 43, fills: 3000, ...YEAR_2025 }),
      desk: makeHistory({ seed: 41, fills: 300, ...YEAR_2025 }),
    });
    ({ place, owner } = await freshCloud());
    taken = await deploy(place, { settings: { accounts: "main,desk", page: "on" }, service });
    page = await outputOf(owner, "FillbookPage", "PageUrl");
    ask = await askerAt(place);
    archive = storeAt(place, await outputOf(owner, "FillbookData", "ArchiveUri"));
    for (const [account, { token }] of service.books) {
      const SecretString = JSON.stringify({ token });
      await owner.secrets.send(new PutSecretValueCommand({ SecretId: `fillbook/${account}`, SecretString }));
    }
    browser = await openChromium({ hosts: { [new URL(page).host]: new URL(place.endpoint).host } });
    const context = await browser.newContext({ ignoreHTTPSErrors: true }); // the certificate is self-signed
    heard = listenTo(context);
    tab = await context.newPage();
    await signIn();
    clara = (await context.cookies(page)).map(({ name, value }) => `${name}=${value}`).join("; ");
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** Adds the user as the runbook says. They sign in on the pool's own pages, and set a new password. */
  async function signIn(): Promise<void> {
    const UserPoolId = await outputOf(owner, "FillbookPage", "UserPoolId");
    const [Username, TemporaryPassword, password] = ["clara", "First-Passw0rd!", "Own-clara-Passw0rd!"];
    const user = { UserPoolId, Username };
    const UserAttributes = [{ Name: "email", Value: "clara@example.com" }];
    const invitation = { TemporaryPassword, MessageAction: "SUPPRESS", UserAttributes } as const;
    await owner.users.send(new AdminCreateUserCommand({ ...user, ...invitation }));
    const group = { UserPoolId, GroupName: "accountant:main" };
    await owner.users.send(new CreateGroupCommand(group));
    await owner.users.send(new AdminAddUserToGroupCommand({ ...user, ...group }));
    await tab.goto(page);
    await tab.getByLabel("Username").fill(Username);
    await tab.getByLabel("Password").fill(TemporaryPassword);
    await tab.getByRole("button", { name: "Sign in" }).click();
    await tab.getByLabel("New password", { exact: true }).fill(password);
    await tab.getByLabel("Confirm new password").fill(password);
    await tab.getByRole("button", { name: "Update password" }).click();
    await tab.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
  }

  const get = (path: string, cookie = clara) => ask(page + path, { cookie });

  test("the templates contain what the emulator cannot create", () => {
    expect(new Set(taken.values())).toEqual(new Set(UNKNOWN.map(({ type }) => type)));
  });

  test("a person who is not signed in is sent to sign in, and sees nothing past CloudFront either: without a token, with a forged one, or with one of another kind", async () => {
    const path = "/a/main";
    const sent = await ask(page + path, { authorization: `Bearer ${tokenIn(clara)}` });
    expect([sent.status, locationOf(sent)]).toEqual([302, `/sign-in?to=${encodeURIComponent(path)}`]);
    const { StackResources: all = [] } = await owner.formation.send(
      new DescribeStackResourcesCommand({ StackName: "FillbookPage" }),
    );
    const api = all.find(({ ResourceType: type }) => type === "AWS::ApiGatewayV2::Api")?.PhysicalResourceId;
    const direct = `${place.endpoint}/_aws/execute-api/${api}/$default${path}`;
    const [header = "", claims = "", signature = ""] = tokenIn(clara).split(".");
    const written = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const altered = (change: object) =>
      written({ ...JSON.parse(Buffer.from(claims, "base64url").toString()), ...change });
    for (const token of [
      null,
      "x",
      `${header}.${claims}.${signature.slice(0, -4)}AAAA`,
      `${header}.${altered({ "cognito:groups": ["operator:*"] })}.${signature}`,
      `${written({ alg: "none" })}.${altered({})}.`,
      `${header}.${altered({ exp: 4_000_000_000 })}.${signature}`,
    ]) {
      const answered = await ask(direct, token === null ? {} : { authorization: `Bearer ${token}` });
      expect(answered.status).toBe(401);
      expect(answered.body).not.toMatch(/a.main|clara/);
    }
    expect((await ask(direct, { authorization: `Bearer ${tokenIn(clara)}` })).status).toBe(200);
  });

  // The emulator returns no new refresh token and omits the groups from the new access token.
  // test/web/hosts/aws/sign-in.test.ts tests the handling of both.
  test("the page renews a session", async () => {
    const renewed = await get("/sign-in?to=%2Fa%2Fmain", `__Host-fillbook-refresh=${refreshTokenIn(clara)}`);
    expect(renewed).toMatchObject({ status: 302, headers: { location: "/a/main" } });
    const session = tokenIn([renewed.headers["set-cookie"] ?? ""].flat().join("; "));
    expect(session).not.toBe(tokenIn(clara));
    const home = await get("/", `__Host-fillbook=${session}`);
    expect(home).toMatchObject({ status: 200, body: expect.stringContaining("clara") });
  });

  test("an accountant of one account finds nothing of another, has us-2025 made, watches it, reads the report, downloads a file by links that last a minute, and signs out", async () => {
    expect(await get("/a/desk")).toMatchObject({ status: 404, body: expect.not.stringContaining("desk") });
    const asked = { origin: page, account: "main", user: "clara", period: "us-2025", hasZip: false };
    const { files, pack } = await runFlow(tab, { ...asked, signedOut: "Signed out" });
    const { version } = JSON.parse((await text(archive, "main/packs/us-2025/latest.json")) ?? "");
    expect(String(files.get("fills.csv"))).toBe(await text(archive, `main/packs/us-2025/${version}/fills.csv`));
    expect(heard.requests.filter((url) => ![page, place.endpoint].includes(new URL(url).origin))).toEqual([]);
    // The emulator's own pages have no icon, which the browser reports.
    expect(heard.complaints.filter((one) => !one.includes(place.endpoint))).toEqual([]);

    const before = (await keysIn(archive, "main/downloads/")).length;
    const link = locationOf(await get(`${pack}/file?path=fills.csv`));
    expect([new URL(link).origin, new URL(link).searchParams.get("X-Amz-Expires")]).toEqual([place.endpoint, "60"]);
    const file = await ask(link);
    expect([file.status, String(file.headers["content-disposition"])]).toEqual([
      200,
      expect.stringContaining('attachment; filename="fills.csv"'),
    ]);
    const sums = await ask(locationOf(await get(`${pack}/file?path=SHA256SUMS`)));
    expect(sums.body).toContain(`${hash("sha256", file.body)}  fills.csv`);
    expect((await ask(link.replace("fills.csv", "fees.csv"))).status).toBe(403);
    expect((await get("/a/main/history")).body).toContain("SHA256SUMS");
    expect(await keysIn(archive, "main/downloads/")).toHaveLength(before + 2);
  });

  test("the page logs each refusal with the user and the reason, and logs no token", async () => {
    const lines = await logLines(owner, await outputOf(owner, "FillbookPage", "PageLogGroupName"));
    const refused = { message: "refused", why: "no account of theirs", user: "clara" };
    expect(lines).toContainEqual(expect.objectContaining(refused));
    for (const token of [tokenIn(clara), refreshTokenIn(clara)]) {
      expect(JSON.stringify(lines)).not.toContain(token);
    }
  });
});
