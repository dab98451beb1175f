import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { brief, resourcesOf, testApp } from "../infra/synth.ts";
import { temporaryFolder } from "../leftovers.ts";

/**
 * The bundles measured 1.78 MB and 882 kB; 5 % more is allowed for growth of our own code. A new dependency exceeds
 * that. Every cold start loads the bundle, and for the page a person waits, so adding one is a decision that needs a
 * new measurement. test/aws runs both.
 */
describe.each([
  { name: "FillbookJob", most: 1_870_000, of: /\/undici\/lib\/(?!milo\/)/, without: "node_modules/undici/lib/milo/" },
  { name: "FillbookPage", most: 926_000, of: /\/hono\//, without: "node_modules/undici/" },
])("the bundle of $name", ({ name, most, of, without }) => {
  const { app, outdir, job, page } = testApp({ page: "on" }, { bundle: true });
  app.synth();
  const stack = [job, page?.page].find((one) => one?.stackName === name) ?? expect.fail("no stack");
  // The CDK's own functions have other handlers.
  const [[, fn = expect.fail("no function")] = []] = resourcesOf(
    Template.fromStack(stack),
    "AWS::Lambda::Function",
  ).filter(([, { Properties }]) => Properties["Handler"] === "index.handler");
  const { S3Key: key } = fn.Properties["Code"] as { readonly S3Key: unknown };
  const folder = temporaryFolder();
  cpSync(join(outdir, `asset.${brief(key).replace(".zip", "")}`), folder, { recursive: true });

  test("is alone in its folder, within its budget, with only the parts of the HTTP client that it needs", () => {
    expect(readdirSync(folder).sort()).toEqual(["index.mjs", "index.mjs.map"]);
    expect(statSync(join(folder, "index.mjs")).size).toBeLessThan(most);
    const { sources }: { sources: readonly string[] } = JSON.parse(readFileSync(join(folder, "index.mjs.map"), "utf8"));
    expect(sources.some((source) => of.test(source))).toBe(true);
    expect(sources.filter((source) => source.includes(without))).toEqual([]);
  });

  test("can be loaded and called with the flags of Lambda's runtime; without settings it says what is missing", async () => {
    const flags = ["--no-experimental-require-module", "--no-experimental-detect-module", "--input-type=module"];
    const call = `import("${join(folder, "index.mjs")}")
      .then(({ handler }) => handler({ action: "sync" }, { getRemainingTimeInMillis: () => 900_000 }))
      .catch(({ message }) => console.error(message))`;
    const options = { cwd: folder, env: { TZ: ":UTC" } };
    const { stderr } = await promisify(execFile)(process.execPath, [...flags, "-e", call], options);
    expect(stderr).toMatch(/(?:is not set|no account)/);
  });
});
