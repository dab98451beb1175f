import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { keyOf, readSettings, SCHEMA, SETTING_NAMES, type SettingName } from "../../lambda/job/settings.ts";
import { type ReadSecret, secretToken } from "../../lambda/job/token-source.ts";
import { temporaryFolder } from "../leftovers.ts";
import { run } from "./commands/run.ts";

const TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2ln";

test("without settings, the contract's defaults apply and no address is known", () => {
  expect(readSettings({})).toEqual({
    account: "main",
    store: "./fillbook-data",
    accountUrl: null,
    orderUrl: null,
    marketDataUrl: null,
    maxRps: null,
    concurrency: 4,
    lookBackMs: 7 * 86_400_000,
    json: false,
    quiet: false,
    token: null,
    tokenSecret: null,
    accountRole: null,
    settleLagMs: 300_000,
    hurry: false,
    s3Endpoint: null,
    debug: false,
  });
});

/** For each setting, a text and the value that it is read as. */
const EXAMPLES: Readonly<Record<Exclude<SettingName, "token">, readonly [text: string, value: unknown]>> = {
  account: ["my-account-2", "my-account-2"],
  store: ["s3://bucket/a/b", "s3://bucket/a/b"],
  accountUrl: ["https://account.example.com/base", "https://account.example.com/base"],
  orderUrl: ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"],
  marketDataUrl: ["https://m.example.com", "https://m.example.com/"],
  maxRps: ["0.5", 0.5],
  concurrency: ["64", 64],
  lookBackMs: ["30", 30 * 86_400_000],
  json: ["Yes", true],
  quiet: ["off", false],
  tokenSecret: ["fillbook/main", "fillbook/main"],
  accountRole: ["arn:aws:iam::123456789012:role/books", "arn:aws:iam::123456789012:role/books"],
  settleLagMs: ["0", 0],
  hurry: ["1", true],
  s3Endpoint: ["http://127.0.0.1:9000", "http://127.0.0.1:9000"],
  debug: ["1", true],
};

test.each(Object.entries(EXAMPLES))("%s comes from its flag, or else from its variable", (key, [text, value]) => {
  const name = key as keyof typeof EXAMPLES;
  const { flag, variable } = SCHEMA[name];
  expect(readSettings({ [variable]: text })[name]).toBe(value);
  if (flag !== null) {
    expect(readSettings({ [variable]: "!" }, { [flag]: text })[name]).toBe(value);
  }
  expect(readSettings({ [variable]: "" })).toEqual(readSettings({}));
});

test("fillbook.json takes every setting except the token", async () => {
  const folder = temporaryFolder();
  const texts = Object.entries(EXAMPLES).map(([name, [text]]) => [keyOf(name as SettingName), text]);
  await writeFile(join(folder, "fillbook.json"), JSON.stringify(Object.fromEntries(texts)), { mode: 0o600 });
  const { settings } = JSON.parse((await run(["doctor"], { folder })).stdout); // includes "json"
  expect(settings.map(({ setting }: { setting: string }) => setting)).toEqual(
    SETTING_NAMES.map((name) => (SCHEMA[name].flag === null ? SCHEMA[name].variable : `--${SCHEMA[name].flag}`)),
  );
});

const variables = ["", "_S3", "_STS", "_SECRETS_MANAGER"].map((ending) => `AWS_ENDPOINT_URL${ending}`);

test.each(variables)("AWS is called without TLS only on this machine: %s", (variable) => {
  // test/service/address.test.ts has what an address may be.
  expect(() => readSettings({ [variable]: "http://127.0.0.1:9000" })).not.toThrow();
  const refused = expect.objectContaining({ kind: "usage", message: expect.stringContaining(variable) });
  expect(() => readSettings({ [variable]: "http://minio.example" })).toThrow(refused);
});

test("settings are frozen, and no way to print them shows the token", () => {
  const settings = readSettings({ FILLBOOK_TOKEN: `${TOKEN}\r\n` });
  expect(settings.token?.reveal()).toBe(TOKEN);
  expect(Object.isFrozen(settings)).toBe(true);
  const shown = [JSON.stringify(settings), inspect(settings, { depth: 9, showHidden: true }), `${settings.token}`];
  expect(shown.join()).not.toContain(TOKEN);
});

const reads =
  (text: string | undefined): ReadSecret =>
  () =>
    Promise.resolve(text);

test.each([TOKEN, `${TOKEN}\n`, JSON.stringify({ token: TOKEN, other: 1 })])("a secret may hold %j", async (text) => {
  const learned: string[] = [];
  const source = secretToken("fillbook/main", reads(text), (token) => learned.push(token.reveal()));
  expect((await source.current()).reveal()).toBe(TOKEN);
  expect(learned).toEqual([TOKEN]);
});

test.each([
  ["no text", undefined, "it is a binary secret"],
  ["nothing", "", "the token is empty"],
  ["other JSON", '{"Token":"x-secret-x"}', 'it looks like JSON but has no text under "token"'],
  ["broken JSON", '{"token":"x-secret-x', 'it looks like JSON but has no text under "token"'],
  ["two words", "x-secret-x y", "the token holds a space or a line break"],
])("a secret with %s is refused, and no message shows its text", async (_, text, reason) => {
  const source = secretToken("fillbook/main", reads(text), () => undefined);
  const error = await source.current().catch((thrown: unknown) => thrown);
  const message = `the secret fillbook/main of FILLBOOK_TOKEN_SECRET holds no usable token: ${reason}`;
  expect(error).toMatchObject({ kind: "usage", message, hint: 'store {"token": "…"}, or the token alone' });
  expect(inspect(error, { depth: 9 })).not.toContain("x-secret-x");
});

test("a secret is read once; a refresh or a failure reads it again", async () => {
  const answers: (string | Error)[] = [new Error("no network"), "first-token", "second-token"];
  let asked = 0;
  const read: ReadSecret = () => {
    const answer = answers[asked];
    asked += 1;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  const source = secretToken("x", read, () => undefined);
  const message = "the secret x of FILLBOOK_TOKEN_SECRET cannot be read: Error: no network";
  await expect(source.current()).rejects.toMatchObject({ kind: "incomplete", message });
  const [one, two] = await Promise.all([source.current(), source.current()]);
  expect([one?.reveal(), two?.reveal(), asked]).toEqual(["first-token", "first-token", 2]);
  expect((await source.refresh()).reveal()).toBe("second-token");
  expect((await source.current()).reveal()).toBe("second-token");
  expect(asked).toBe(3);
});
