import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Template } from "aws-cdk-lib/assertions";
import { beforeAll, describe, expect, test } from "vitest";
import { stacksOf, testApp } from "../infra/synth.ts";
import { temporaryFolder } from "../leftovers.ts";
import { installPython } from "../support/python-tool.ts";

/**
 * Checks the templates with cfn-lint. It knows the schemas by which CloudFormation itself checks resources,
 * and what the services refuse besides. The emulator checks neither.
 * https://github.com/aws-cloudformation/cfn-lint
 */

/** Ignored rules. Each must have a finding; a rule without one must leave the list. */
const IGNORED: Readonly<Record<string, string>> = {
  W3005: "The CDK makes a resource depend on a role and its policies, but the template refers only to the role.",
  W6001:
    "The page's stack repeats outputs of the users' stack, so that a person finds everything about the page in one place.",
};

/**
 * What cfn-lint's own command runs. That command contains the path where pip installed it, so it is not used.
 */
const CFN_LINT = "import sys; from cfnlint.runner import main; sys.exit(main())";

const REGIONS = ["us-east-1", "eu-west-1", "ap-southeast-2"];
const OWN_NAME = {
  pageDomain: "books.example.com",
  pageCertificate: "arn:aws:acm:us-east-1:111122223333:certificate/1a2b3c4d-0000-4000-8000-000000000000",
};
const LARGEST = {
  ...OWN_NAME,
  page: "on",
  accounts: Array.from({ length: 100 }, (_, index) => `trader-${index}`).join(),
  tokenSecrets: "trader-7=desk/token",
  encryption: "kms",
  packLockDays: "3650",
  packLockMode: "compliance",
  packLockForGood: "3650",
  alarmEmail: "ops@example.com",
  maxRps: "5",
  zone: "Europe/London",
  tags: "team=books,cost-center=42",
  permissionsBoundary: "limits/books",
};

interface Match {
  readonly Rule: { readonly Id: string };
  readonly Message: string;
  readonly Filename: string;
  readonly Location: { readonly Path: readonly (string | number)[] };
}

let python: string;
const folder = temporaryFolder();

beforeAll(async () => {
  const installed = await installPython(join(import.meta.dirname, "cfn-lint-requirements.txt"));
  if ("missing" in installed) {
    throw new Error(`cfn-lint could not be installed: ${installed.missing}`);
  }
  python = installed.python;
});

/** Every finding in the templates, as `rule path: message`. */
async function found(templates: ReadonlyMap<string, unknown>): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const [stack, template] of templates) {
    const path = join(folder, `${stack}.template.json`);
    await writeFile(path, JSON.stringify(template));
    paths.push(path);
  }
  const args = ["-c", CFN_LINT, "--format", "json", "--regions", ...REGIONS, "--template", ...paths];
  const matches = await promisify(execFile)(python, args, { maxBuffer: 64_000_000 }).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
      if (!stdout.startsWith("[")) {
        throw new Error(`cfn-lint did not run: ${stderr.slice(-2000)}`);
      }
      return stdout; // its exit code is not 0 if it found something
    },
  );
  return (JSON.parse(matches || "[]") as readonly Match[]).map(
    ({ Rule, Message, Location }) => `${Rule.Id} ${Location.Path.join("/")}: ${Message}`,
  );
}

const ruleOf = (match: string) => match.split(" ")[0] ?? "";
const heeded = new Set<string>();

describe("CloudFormation would accept the templates", () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ["without settings", {}],
    ["of the largest deployment, with a hundred accounts", LARGEST],
    ["with the page at CloudFront's own name", { page: "on", accounts: "main,second" }],
    ["with as few resources as possible", { reservedConcurrency: "none" }],
    [
      "with a lock and a key of an earlier deployment",
      { packLockDays: "0", encryption: "s3-after-kms", page: "on", accounts: "main" },
    ],
  ])("%s", async (_, settings) => {
    const stacks = stacksOf(testApp(settings).app);
    const matches = await found(new Map(stacks.map((stack) => [stack.stackName, Template.fromStack(stack).toJSON()])));
    for (const match of matches) {
      heeded.add(ruleOf(match));
    }
    expect(matches.filter((match) => !Object.hasOwn(IGNORED, ruleOf(match)))).toEqual([]);
  });

  test("and every ignored rule has a finding", () => {
    expect([...heeded].sort()).toEqual(Object.keys(IGNORED).sort());
  });
});

test("cfn-lint finds what CloudFormation would refuse", async () => {
  const Resources = {
    Queue: { Type: "AWS::SQS::Queue", Properties: { MessageRetentionPeriod: 1, Colour: "red" } },
    Other: { Type: "AWS::SQS::Queue", Properties: { QueueName: { Ref: "Nothing" } } },
  };
  const matches = await found(new Map([["Wrong", { Resources }]]));
  expect(matches.map(ruleOf).sort()).toEqual(["E1020", "E3002", "E3034"]);
});
