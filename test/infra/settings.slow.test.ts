import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { stackSettings } from "../../infra/settings.ts";
import { settingsFile } from "../../infra/settings-file.ts";
import { temporaryFolder } from "../leftovers.ts";

const read = (context: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}) =>
  stackSettings(new App({ context }).node, env);

describe("stack settings", () => {
  test("come from the context, then the file, then the environment; an unknown name is reported", () => {
    const node = new App({ context: { scheduleHour: "5" } }).node;
    const file = { scheduleHour: 6, accounts: ["a", "b"], tags: ["team=books", "cost-center=42"] };
    const tags = new Map(Object.entries({ team: "books", "cost-center": "42" }));
    const expected = { scheduleHour: 5, accounts: ["a", "b"], prefix: "p", tags };
    expect(stackSettings(node, { FILLBOOK_ACCOUNTS: "c", FILLBOOK_PREFIX: "p" }, file)).toMatchObject(expected);
    expect(() => stackSettings(node, {}, { alarmMail: "x" })).toThrow(
      /fillbook\.json has "alarmMail", which is not a setting/,
    );
  });

  test("of fillbook.json are in its section deploy; the rest belongs to the command line, and the addresses are shared", () => {
    const folder = temporaryFolder();
    const written = (file: unknown) => {
      writeFileSync(join(folder, "fillbook.json"), JSON.stringify(file));
      return stackSettings(new App().node, {}, settingsFile(folder));
    };
    expect(settingsFile(folder)).toEqual({});
    const [shared, own] = ["https://account.example.com", "https://other.example.com"];
    const file = { accountUrl: shared, concurrency: 9, maxRps: 3, deploy: { accounts: "a" } };
    expect(written(file)).toMatchObject({ accountUrl: shared, accounts: ["a"], maxRps: null });
    expect(written({ accountUrl: shared, deploy: { accountUrl: own } })).toMatchObject({ accountUrl: own });
    for (const [file, message] of [
      [["x"], /must be a JSON object/],
      [{ accounts: ["a"] }, /"accounts" at its top level: move it into its section, as in \{"deploy"/],
      [{ deploy: ["a"] }, /"deploy" must be an object/],
      [{ deploy: { store: "x" } }, /"store", which is not a setting/],
    ] as const) {
      expect(() => written(file)).toThrow(message);
    }
  });

  test("leave the CDK's own context names to the CDK", () => {
    const names = ["cli-telemetry", "acknowledged-issue-numbers", "cdk-migrate", "aws:cdk:bundling-stacks"];
    const flags = ["@aws-cdk/core:checkSecretUsage", "availability-zones:account=111122223333:region=eu-west-1"];
    const context = Object.fromEntries([...names, ...flags].map((name) => [name, false]));
    expect(read({ ...context, scheduleHour: "5" })).toMatchObject({ scheduleHour: 5 });
  });

  test("create a page if it is on, at the user's own domain if there is one", () => {
    const certificate = "arn:aws:acm:us-east-1:111122223333:certificate/1a2b3c4d-0000-4000-8000-000000000000";
    const own = { pageDomain: "books.example.com", pageCertificate: certificate };
    const domain = { name: "books.example.com", certificate };
    const pages = [{ page: "on" }, { page: "on", ...own }, { page: "off", ...own }, own].map((one) => read(one).page);
    expect(pages).toEqual([{ domain: null }, { domain }, null, null]);
  });

  test("accept a list of accounts in JSON, and reserve a place for each account walked at once, and one more", () => {
    const accounts = Array.from({ length: 30 }, (_, index) => `trader-${index}`);
    expect(read({ accounts, accountsAtOnce: 12 })).toMatchObject({ accounts, reservedConcurrency: 13 });
    expect(read({ accounts: ["a", "b"] })).toMatchObject({ accountsAtOnce: 5, reservedConcurrency: 3 });
  });

  test.each([
    [{ zone: "Mars" }, {}, {}, /an IANA time zone, such as Europe\/London$/],
    [{}, { FILLBOOK_SCHEDULE_ZONE: "Mars" }, {}, /such as Europe\/London \(from FILLBOOK_SCHEDULE_ZONE\)$/],
    [{}, { FILLBOOK_SCHEDULE_ZONE: "UTC" }, { zone: "Mars" }, /such as Europe\/London \(from fillbook.json\)$/],
  ])("name the source of a wrong value: %j, %j, %j", (context, env, file, message) => {
    expect(() => stackSettings(new App({ context }).node, env, file)).toThrow(message);
  });

  test("that are wrong end the synthesis with one sentence, without a stack", () => {
    const env = { ...process.env, FILLBOOK_ENCRYPTION: "rot13" };
    const { status, stderr } = spawnSync(process.execPath, ["infra/app.ts"], { env, encoding: "utf8" });
    expect(stderr).toMatch(/^fillbook: setting encryption is "rot13", but must be .* \(from FILLBOOK_ENCRYPTION\)\n$/);
    expect(status).toBe(1);
  });

  test.each([
    [{ accounts: "Main" }, /accounts is "Main"/],
    [{ accounts: "a,a" }, /without duplicates/],
    [{ accountUrl: "http://a.example" }, /accountUrl is "http:\/\/a.example", but must be an https address/],
    [{ prefix: "/x" }, /prefix/],
    [{ scheduleHour: "2", zone: "Europe/London" }, /daylight saving/],
    [{ alarmEmail: "nobody" }, /alarmEmail/],
    [{ logRetentionDays: "30" }, /logRetentionDays is "30", but must be one of 365/],
    [{ encryption: "rot13" }, /encryption is "rot13", but must be one of s3, kms/],
    [{ reservedConcurrency: "1.5" }, /must be none, or a whole number from 1 to 1000/],
    [{ accountsAtOnce: "0" }, /accountsAtOnce is "0", but must be a whole number from 1 to 900/],
    [{ tokenSecrets: "other=x" }, /tokenSecrets is "other=x"/],
    [{ tokenSecrets: "main=a,main=b" }, /tokenSecrets is "main=a,main=b", but must be .*, each account once/],
    [{ "pack-lock-days": "2555" }, /-c pack-lock-days \(.*\) is not a setting; did you mean packLockDays\?/],
    [{ colour: "red" }, /-c colour \(.*\) is not a setting\. The settings are accounts, tokenSecrets/],
    [{ packLockDays: "-1" }, /packLockDays is "-1", but must be none, or a whole number from 0 to 36500/],
    [
      { packLockDays: "60", packLockMode: "compliance", packLockForGood: "30" },
      /packLockForGood is "30", but must be 60: by repeating packLockDays you agree .* nobody can delete .* 60 days, not even the owner/,
    ],
    [
      { packLockDays: "1", packLockMode: "forever" },
      /packLockMode is "forever", but must be one of governance, compliance/,
    ],
    [{ maxRps: "fast" }, /maxRps/],
    [{ page: "on", pageDomain: "a.example.com/x" }, /pageDomain is "a.example.com\/x"/],
    [{ page: "on", pageDomain: "books.example.com" }, /pageCertificate is empty, but must be the ARN/],
    [{ page: "on", pageCertificate: "arn:aws:acm:us-east-1:111122223333:certificate/a" }, /pageDomain is empty/],
    [
      { pageDomain: "a.example.com", pageCertificate: "arn:aws:acm:eu-west-1:111122223333:certificate/a" },
      /in us-east-1, where CloudFront needs it/,
    ],
    [{ tags: "team" }, /tags is "team", but must be NAME=VALUE/],
    [{ permissionsBoundary: "a b" }, /permissionsBoundary is "a b"/],
    [{ lookBackDays: "3651" }, /lookBackDays is "3651", but must be a whole number from 0 to 3650/],
  ])("refuse %o", (context, message) => {
    expect(() => read(context)).toThrow(message);
  });
});
