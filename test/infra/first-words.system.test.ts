import { spawnSync } from "node:child_process";
import { cp, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const NOTHING_SET = { PATH: process.env["PATH"], HOME: "/nonexistent", AWS_EC2_METADATA_DISABLED: "true" };
const NO_REGION = "AWS has no region here: set AWS_REGION, or AWS_PROFILE to a profile that has one.";
const WRONG_HOUR = 'setting scheduleHour is "25", but must be text that matches /^(?:\\d|1\\d|2[0-3])$/';

/** `npm run -s` of a script, with nothing set but what is given. */
function npm(script: string, argv: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", script, "--", ...argv], {
    cwd: ROOT,
    env: { ...NOTHING_SET, ...environment },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("what is wrong is said alone, and before anything that takes long", () => {
  test("synth with a wrong setting", () => {
    expect(npm("synth", ["-c", "scheduleHour=25"])).toEqual({ status: 2, stdout: "", stderr: `${WRONG_HOUR}\n` });
  });

  test("deploy with a wrong setting, and without a region", () => {
    const wrong = npm("deploy", ["--dry-run", "-c", "scheduleHour=25"]);
    expect(wrong).toEqual({ status: 2, stdout: "", stderr: `${WRONG_HOUR}\n` });
    const { status, stdout, stderr } = npm("deploy", ["--dry-run"]);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(`${NO_REGION}\nRegion is missing\n`);
  });

  test("a user is added whatever is wrong with settings that do not concern the page", () => {
    const { stderr } = npm("user", ["add", "ann", "ann@example.com", "accountant:main"], {
      FILLBOOK_SCHEDULE_HOUR: "25",
    });
    expect(stderr).toBe(`${NO_REGION}\nRegion is missing\n`);
    const unknown = npm("user", ["add", "ann", "ann@example.com", "accountant:other"], { FILLBOOK_ACCOUNTS: "main" });
    expect(unknown).toMatchObject({
      status: 2,
      stderr: "this deployment has no account other. Its accounts are main\n",
    });
  });

  test("a user without all that is needed, and AWS without credentials", () => {
    expect(npm("user", ["add", "ann"])).toEqual({
      status: 2,
      stdout: "",
      stderr: "MAIL and GROUP are missing. For help: npm run user -- --help\n",
    });
    const none = npm("user", []);
    expect([none.status, none.stdout]).toEqual([2, ""]);
    expect(none.stderr).toMatch(/^Creates a user of the page/);
    expect(npm("user", ["--help"])).toEqual({ status: 0, stdout: none.stderr, stderr: "" });
    const line = ["add", "ann", "ann@example.com", "accountant:main"];
    const { status, stderr } = npm("user", line, { AWS_REGION: "eu-west-1" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^AWS has no credentials here: set AWS_PROFILE .*\n.*Could not load credentials/);
  });
});

test.each(["synth", "deploy", "user"])("%s without the packages that npm ci --omit=dev leaves out", async (script) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "fillbook-bare-"));
  for (const name of ["infra", "lambda", "package.json"]) {
    await cp(join(ROOT, name), join(folder.path, name), { recursive: true });
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, ["infra/start.ts", script, "--help"], {
    cwd: folder.path,
    env: NOTHING_SET,
    encoding: "utf8",
  });
  const says = "the tools for AWS are not installed: run npm ci\n";
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: says });
});

test("no script checks types before a program says what is wrong", async () => {
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  const { synth, deploy, user } = manifest.scripts;
  expect([synth, deploy, user].filter((script) => !script.startsWith("node infra/"))).toEqual([]);
});
