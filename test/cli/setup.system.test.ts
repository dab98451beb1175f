import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import { temporaryFolder } from "../leftovers.ts";
import { type RunOptions, run } from "./commands/run.ts";

// fillbook.json, and the commands that write and check it.

let folder = "";
let service: RunningEmulator;
const JWT = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.c2ln";

beforeEach(async () => {
  folder = temporaryFolder();
  service = await startEmulator({
    history: makeHistory({ seed: 3, fills: 50, from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 1, 1) }),
  });
});

afterEach(() => service.close());

function type(line: readonly string[], options: RunOptions = {}) {
  return run(line, { folder, ...options });
}

async function write(value: unknown, mode = 0o600): Promise<void> {
  await writeFile(join(folder, "fillbook.json"), typeof value === "string" ? value : JSON.stringify(value));
  await chmod(join(folder, "fillbook.json"), mode);
}

async function written(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, "fillbook.json"), "utf8"));
}

describe("fillbook.json", () => {
  test("overrides the default; the environment overrides it, and a flag overrides both", async () => {
    await write({ account: "from-file", concurrency: 7, quiet: true, deploy: { accounts: ["x"] } });
    const from = async (line: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
      const { settings } = JSON.parse((await type(["doctor", "--json", ...line], { environment })).stdout);
      return settings.find(({ setting }: { setting: string }) => setting === "--account");
    };
    expect(await from([])).toEqual({ setting: "--account", value: "from-file", from: "fillbook.json" });
    const environment = { FILLBOOK_ACCOUNT: "from-env" };
    expect(await from([], environment)).toMatchObject({ value: "from-env", from: "FILLBOOK_ACCOUNT" });
    expect(await from(["--account", "typed"], environment)).toMatchObject({ value: "typed", from: "flag" });
  });

  test.each([
    [{ token: JWT }, 'holds a token under "token"', "get a new token"],
    [{ [JWT]: 1 }, "has a token where a key should be", "get a new token"],
    [{ accountUrl: `https://a.example/${JWT}` }, "holds a token", "get a new token"],
    [{ tokenSecret: `Bearer ${JWT}` }, 'holds a token under "tokenSecret"', "get a new token"],
    [{ "account-url": "x" }, 'has "account-url", which is not a setting', 'did you mean "accountUrl"?'],
    [{ wibbledywobbledy: 1 }, "which is not a setting", "fillbook help options"],
    [{ account: ["a"] }, 'must have a text, a number or a switch under "account"', "write a value"],
    [{ concurrency: 65 }, '"concurrency" in fillbook.json is "65"', 'for example: "concurrency": "4"'],
    [["a"], "does not hold an object", "write an object"],
    [`{"token": "${JWT}",}`, "is not JSON (line 1", "write an object"],
    ['{"__proto__": {"store": "x"}}', 'has "__proto__", which is not a setting', "help options"],
    [{ deploy: 1 }, 'must have an object under "deploy"', "deploy"],
    [`{"account": "${"a".repeat(70_000)}"}`, "has 70015 bytes", "move it away"],
  ])("with %.60j is refused, and no message repeats the token", async (content, message, hint) => {
    await write(content);
    const ran = await type(["status", "--json"]);
    expect(ran.code).toBe(2);
    const { error } = JSON.parse(ran.stdout);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    expect(ran.stdout + ran.stderr).not.toContain(JWT);
  });

  test.each([0o620, 0o602, 0o666])(
    "is refused if others may write it (%o), because it decides where the token goes",
    async (mode) => {
      await write({ accountUrl: service.accountUrl }, mode);
      const ran = await type(["sync"], { environment: { FILLBOOK_TOKEN: SAMPLE_TOKEN } });
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("can be changed by other users") });
    },
  );

  test.each(["accountUrl", "orderUrl", "tokenSecret", "accountRole", "s3Endpoint", "store"])(
    "is refused with mode 644 if it has %s, which decides where the token or the fills go; no request is sent",
    async (key) => {
      const value = key === "accountUrl" ? service.accountUrl : "https://elsewhere.example";
      await write({ [key]: value }, 0o644);
      const environment = { FILLBOOK_TOKEN: SAMPLE_TOKEN, FILLBOOK_STORE: join(folder, "store") };
      const ran = await type(["sync"], { environment });
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(`has "${key}", which decides where`) });
      expect(ran.stderr).toContain(`chmod 600 ${join(folder, "fillbook.json")}`);
      expect(service.emulator.log.requests).toBe(0);
    },
  );

  test("may be readable by others if it decides none of that", async () => {
    await write({ account: "own", maxRps: 2, deploy: { accountUrl: "https://a.example" } }, 0o644);
    const { stderr } = await type(["status", "--store", join(folder, "none")]);
    expect(stderr).toContain("there is no archive");
  });

  test("is refused if it is a folder or a pipe", async () => {
    await mkdir(join(folder, "fillbook.json"));
    const refused = { code: 2, stderr: expect.stringContaining("is not a file") };
    expect(await type(["status"])).toMatchObject(refused);
    await rm(join(folder, "fillbook.json"), { recursive: true });
    execFileSync("mkfifo", ["-m", "600", join(folder, "fillbook.json")]);
    expect(await type(["status"])).toMatchObject(refused);
  });
});

describe("init", () => {
  const answers = () => [service.accountUrl, service.marketDataUrl, "-", "", "./books"];

  test("asks, writes the answers so that only the user can read them, but no token, and says how to give it", async () => {
    const ran = await type(["init"], { answers: ["nonsense", JWT, `Bearer ${JWT}`, ...answers()] });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain("is not an address");
    expect(ran.stdout + ran.stderr).not.toContain(JWT);
    const { accountUrl, marketDataUrl } = service;
    expect(await written()).toEqual({ accountUrl, marketDataUrl, account: "main", store: "./books" });
    expect((await stat(join(folder, "fillbook.json"))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(["fillbook.json"]);
    expect(ran.stdout).toContain("read -rs FILLBOOK_TOKEN && export FILLBOOK_TOKEN");
    expect(ran.stderr).toMatch(/Next: fillbook doctor\n {2}.*\n$/);
    expect(service.emulator.log.requests).toBe(0);
  });

  test("asks nothing with --yes: it takes flags, then settings but not the token, and names what is missing", async () => {
    const line = ["init", "--yes", "--account-url", service.accountUrl, "--concurrency", "2"];
    expect(
      await type(line, { environment: { FILLBOOK_ACCOUNT: "hedge", FILLBOOK_TOKEN: SAMPLE_TOKEN } }),
    ).toMatchObject({ code: 0 });
    const own = { accountUrl: service.accountUrl, concurrency: "2", account: "hedge" };
    expect(await written()).toEqual({ ...own, store: "./fillbook-data" });
    await rm(join(folder, "fillbook.json"));
    const needed = expect.stringContaining("--account-url is needed");
    expect(await type(["init", "--yes"])).toMatchObject({ code: 2, stderr: needed });
    expect(await readdir(folder)).toEqual([]);
  });

  test("changes an existing file only if the person or --overwrite says so, and keeps its other keys", async () => {
    const before = { account: "old", concurrency: 9, deploy: { accounts: ["a"] } };
    await write(before);
    for (const answers of [["n"], []]) {
      const left = { code: 2, stderr: expect.stringContaining("left as it is") };
      expect(await type(["init"], { answers })).toMatchObject(left);
    }
    expect(await written()).toEqual(before);
    expect(await type(["init"], { answers: ["y", ...answers()] })).toMatchObject({ code: 0 });
    expect(await written()).toMatchObject({ ...before, store: "./books" });
    const line = ["init", "--yes", "--overwrite", "--account", "new"];
    expect(await type(line)).toMatchObject({ code: 0 });
    expect(await written()).toMatchObject({ account: "new", concurrency: 9, accountUrl: service.accountUrl });
  });

  test("keeps the valid values of a file with a mistake", async () => {
    await write({ token: JWT, storre: "./x", maxRps: 3, deploy: { accounts: ["a"] } });
    const line = ["init", "--yes", "--overwrite", "--account-url", service.accountUrl];
    const ran = await type(line);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("this setting is removed") });
    expect(ran.stdout + ran.stderr).not.toContain(JWT);
    const kept = { maxRps: 3, deploy: { accounts: ["a"] }, accountUrl: service.accountUrl };
    expect(await written()).toEqual({ ...kept, account: "main", store: "./fillbook-data" });
  });

  test("never replaces a file that is not JSON, because its content would be lost", async () => {
    const text = '{"deploy": {"accounts": ["a"]},}';
    await write(text);
    const line = ["init", "--yes", "--overwrite", "--account-url", service.accountUrl];
    expect(await type(line)).toMatchObject({ code: 2, stderr: expect.stringContaining("is not JSON") });
    expect(await readFile(join(folder, "fillbook.json"), "utf8")).toBe(text);
  });

  test("replaces a link with a file, and does not change the link's target", async () => {
    const elsewhere = join(folder, "elsewhere.json");
    await writeFile(elsewhere, "{}");
    await symlink(elsewhere, join(folder, "fillbook.json"));
    expect(await type(["init", "--overwrite"], { answers: answers() })).toMatchObject({ code: 0 });
    expect(await readFile(elsewhere, "utf8")).toBe("{}");
  });

  test("writes nothing if the input ends early, or after several invalid answers", async () => {
    const early = await type(["init"], { answers: [service.accountUrl] });
    expect(early).toMatchObject({ code: 4, stderr: expect.stringContaining("nothing was written") });
    const invalid = await type(["init"], { answers: Array.from({ length: 100 }, () => "nonsense") });
    expect(invalid).toMatchObject({ code: 2, stderr: expect.stringContaining("after 5 attempts") });
    expect(await readdir(folder)).toEqual([]);
  });
});

describe("doctor", () => {
  const environment = () => service.environment(join(folder, "store"));

  test("exits with 0 if all is well, sends one request to each host, shows no token and creates nothing", async () => {
    const ran = await type(["doctor"], { environment: environment() });
    expect(ran.code).toBe(0);
    expect(service.emulator.log.requests).toBe(2);
    expect(ran.stdout).toMatch(/FILLBOOK_TOKEN +set, not shown +FILLBOOK_TOKEN\n/);
    expect(ran.stdout).toContain("accepted the token");
    expect(ran.stdout + ran.stderr).not.toContain(SAMPLE_TOKEN);
    expect(ran.stderr).toMatch(/^Next: fillbook sync/);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([
    [{ FILLBOOK_TOKEN: "another-token" }, 3, "refused the token"],
    [{ FILLBOOK_ACCOUNT_URL: "" }, 2, "the address of the account host is not set"],
    [{ FILLBOOK_ACCOUNT_URL: "http://127.0.0.1:1" }, 4, "did not answer"],
    [{ FILLBOOK_CONCURRENCY: "many" }, 2, 'FILLBOOK_CONCURRENCY is "many"'],
    [{ FILLBOOK_ORDER_URL: "https://me:hunter22@a.example" }, 2, "contains a user name or a password"],
  ])("reports %j with its exit code, and still prints the other checks", async (more, code, says) => {
    const ran = await type(["doctor"], { environment: { ...environment(), ...more } });
    expect(ran.code).toBe(code);
    expect(ran.stdout).toContain("PROBLEM");
    expect(ran.stdout).toContain(says);
    expect(ran.stdout + ran.stderr).not.toMatch(/hunter22|another-token/);
  });

  test("reports a broken fillbook.json as a finding, also with --json", async () => {
    await write("{");
    const { code, stdout } = await type(["doctor", "--json"], { environment: environment() });
    const problem = expect.stringContaining("is not JSON");
    expect([code, JSON.parse(stdout).checks]).toMatchObject([
      2,
      expect.arrayContaining([expect.objectContaining({ problem })]),
    ]);
  });

  test("reports a file in the store's place, and a store that others may enter", async () => {
    await writeFile(join(folder, "letter"), "a letter");
    const letter = { ...environment(), FILLBOOK_STORE: join(folder, "letter") };
    expect(await type(["doctor"], { environment: letter })).toMatchObject({ code: 2 });
    await mkdir(join(folder, "store"));
    await chmod(join(folder, "store"), 0o755);
    const open = await type(["doctor"], { environment: environment() });
    expect(open).toMatchObject({ code: 0, stdout: expect.stringContaining("(mode 755)") });
  });
});
