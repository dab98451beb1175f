import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { describe, expect, onTestFinished, test } from "vitest";
import { readOptions } from "../../infra/deploy/arguments.ts";
import { type Assembly, readAssembly, type Template } from "../../infra/deploy/assembly.ts";
import type { Cloud, SecretState, StackState } from "../../infra/deploy/cloud.ts";
import { deploy, type Ending } from "../../infra/deploy/deploy.ts";
import { told } from "../../infra/deploy/told.ts";
import { stackSettings } from "../../infra/settings.ts";
import { testApp } from "./synth.ts";

const URLS = { accountUrl: "https://account.example.com", marketDataUrl: "https://market-data.example.com" };
const TOKEN = (account: string) => `fillbook: the trading service's token of account ${account}, as {"token": "..."}`;
const SECRET = (account: string): Template => ({
  Resources: {
    Token: {
      Type: "AWS::SecretsManager::Secret",
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
      Properties: { Name: `fillbook/${account}`, Description: TOKEN(account) },
    },
  },
});
const BUCKET: Template = {
  Resources: {
    Bucket: { Type: "AWS::S3::Bucket", DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain", Properties: {} },
  },
};
const NEXT: Assembly = {
  bootstrapVersion: 6,
  templates: new Map([
    ["FillbookData", BUCKET],
    ["FillbookTokens-0", SECRET("main")],
    ["FillbookJob", { Resources: {} }],
  ]),
};

const stack = (
  name: string,
  outputs: Readonly<Record<string, string>> = {},
  status = "UPDATE_COMPLETE",
): StackState => ({
  name,
  status,
  outputs: new Map(Object.entries(outputs)),
});
const TOOLKIT = stack("CDKToolkit", { BootstrapVersion: "28" });

interface World {
  readonly settings?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly next?: Assembly;
  readonly stacks?: readonly StackState[];
  readonly deployed?: Readonly<Record<string, Template>>;
  readonly secrets?: readonly SecretState[];
  readonly cloud?: Partial<Cloud>;
  /** The person's answers, in order; null: there is no terminal to ask. */
  readonly typed?: readonly string[] | null;
  readonly failing?: "synth" | "diff" | "deploy";
  /** Gets each line that is said, also if the deployment rejects. */
  readonly heard?: string[];
}

interface Played {
  readonly ending: Ending;
  readonly said: string;
  /** The CDK commands that were run. */
  readonly did: readonly string[];
}

/**
 * Deploys into the AWS account that the test describes. By default the account has only the bootstrap stack.
 */
async function play(world: World): Promise<Played> {
  const lines = world.heard ?? [];
  const did: string[] = [];
  const typed = world.typed === null ? null : [...(world.typed ?? [])];
  const step = (name: "synth" | "diff" | "deploy") => () => {
    did.push(name);
    return world.failing === name ? Promise.reject(new Error(`cdk ${name} ended with 1`)) : Promise.resolve();
  };
  const ending = await deploy(
    {
      cloud: {
        region: () => Promise.resolve("eu-west-1"),
        identity: () => Promise.resolve({ account: "111122223333", arn: "arn:aws:iam::111122223333:user/ops" }),
        stacks: () => Promise.resolve([TOOLKIT, ...(world.stacks ?? [])]),
        template: (name) => Promise.resolve(world.deployed?.[name] ?? { Resources: {} }),
        secrets: () => Promise.resolve(world.secrets ?? []),
        concurrency: () => Promise.resolve({ limit: 1000, unreserved: 1000 }),
        reserved: () => Promise.resolve(0),
        ...world.cloud,
      },
      cdk: { synth: step("synth"), diff: step("diff"), deploy: step("deploy") },
      region: "eu-west-1",
      settings: stackSettings(new App({ context: { ...URLS, ...world.settings } }).node, {}),
      folder: "a-folder",
      readAssembly: () => world.next ?? NEXT,
      say: (line) => lines.push(line),
      ask: (question) => {
        lines.push(question);
        return Promise.resolve(typed === null ? null : (typed.shift() ?? ""));
      },
    },
    readOptions(world.args ?? []),
  );
  return { ending, said: lines.join("\n"), did };
}

describe("without an answer of AWS", () => {
  const unreachable = new Error("getaddrinfo ENOTFOUND sts.eu-west-1.amazonaws.com");
  const cloud = { identity: () => Promise.reject(unreachable) };

  test("a dry run shows the settings and the cost, and then fails", async () => {
    const heard: string[] = [];
    await expect(play({ cloud, heard, args: ["--dry-run"] })).rejects.toThrow(unreachable);
    expect(heard.join("\n")).toMatch(
      /^AWS could not be asked.*\n\nSettings\n[\s\S]*\n\nWhat it costs\n[\s\S]*together/,
    );
    expect(heard.join("\n")).not.toContain("What changes");
  });

  test("a deployment says and does nothing", async () => {
    const heard: string[] = [];
    await expect(play({ cloud, heard })).rejects.toThrow(unreachable);
    expect(heard).toEqual([]);
  });

  test("the error says what to check", () => {
    expect(told(unreachable)).toBe(
      `AWS could not be reached. Check AWS_REGION, and that this machine has a network.\n${unreachable.message}`,
    );
    const expired = Object.assign(new Error("the token is too old"), { name: "ExpiredTokenException" });
    expect(told(expired)).toMatch(/^Check the credentials for AWS: .*\nExpiredTokenException: the token is too old$/);
    expect(told(new Error("cdk diff failed"))).toBe("cdk diff failed");
  });
});

const LOOKED = ["synth"];
const SHOWN = ["synth", "diff"];
const DEPLOYED = ["synth", "diff", "deploy"];

describe("a first deployment", () => {
  test("shows the account, settings, changes and cost, asks, deploys, and says what to do next", async () => {
    const { ending, said, did } = await play({ typed: ["yes"], settings: { alarmEmail: "ops@example.com" } });
    expect([ending, did]).toEqual(["deployed", DEPLOYED]);
    for (const part of [
      "AWS account 111122223333, eu-west-1, as arn:aws:iam::111122223333:user/ops",
      /accounts\s+main; 5 at once/,
      "Nothing that holds data is removed, replaced or locked for good.",
      /tokens\s+0\.41 {2}1 secret, 30 reads/,
      "List prices of us-east-1 as of November 2026",
      "Deploy? Type yes:",
      "--secret-id fillbook/main --secret-string file:///dev/stdin; unset TOKEN",
      "Confirm the subscription in the mail that AWS sends to ops@example.com",
    ]) {
      expect(said).toMatch(part);
    }
  });

  test.each<[string, World, string]>([
    ["anything but yes", { typed: ["y"] }, "Nothing was changed."],
    ["nobody to ask", { typed: null }, "To deploy without a question: --yes"],
  ])("%s stops it", async (_, world, message) => {
    const { ending, said, did } = await play(world);
    expect([ending, did]).toEqual(["stopped", SHOWN]);
    expect(said).toContain(message);
  });

  test("does not ask with --yes, and ends before the question with --dry-run", async () => {
    expect(await play({ typed: null, args: ["--yes"] })).toMatchObject({ ending: "deployed", did: DEPLOYED });
    expect(await play({ typed: [], args: ["--dry-run", "--yes"] })).toMatchObject({ ending: "shown", did: SHOWN });
  });
});

describe("an obstacle to a deployment", () => {
  const older = { name: "FillbookData-Tokenmain1", description: TOKEN("main"), hasValue: true };

  test.each<[string, World, readonly string[]]>([
    [
      "no bootstrap stack",
      { cloud: { stacks: () => Promise.resolve([]) } },
      ["has no bootstrap stack in eu-west-1", "npx cdk bootstrap aws://111122223333/eu-west-1"],
    ],
    [
      "an old bootstrap stack",
      { cloud: { stacks: () => Promise.resolve([stack("CDKToolkit", { BootstrapVersion: "5" })]) } },
      ["has version 5, but 6 is needed", "npx cdk bootstrap"],
    ],
    [
      "an address that is not set",
      { settings: { accountUrl: "https://account.example.invalid" } },
      [
        "The setting accountUrl is not set: https://account.example.invalid is only a placeholder",
        "-c accountUrl=https://…",
      ],
    ],
    [
      "a stack that somebody deploys",
      { stacks: [stack("FillbookJob", {}, "UPDATE_IN_PROGRESS")] },
      ["FillbookJob is in UPDATE_IN_PROGRESS", "wait until it has ended"],
    ],
    [
      "a stack that cannot be updated",
      { stacks: [stack("FillbookJob", {}, "ROLLBACK_COMPLETE")] },
      ["cannot be updated", "aws cloudformation delete-stack --stack-name FillbookJob"],
    ],
    [
      "a page that the settings no longer have",
      { stacks: [stack("FillbookPage")] },
      ["The page is deployed, but the setting page is off", "-c page=on", "--stack-name FillbookPage &&"],
    ],
    [
      "a table that the settings no longer have, and that nothing updates",
      { stacks: [stack("FillbookTable"), stack("FillbookTables-0")], settings: { queryLimitGb: "none" } },
      [
        "The archives are deployed as tables, but the setting queryLimitGb is none: new fills would no longer be published",
        "-c queryLimitGb=10",
        "--stack-name FillbookTables-0 && aws cloudformation delete-stack --stack-name FillbookTable &&",
      ],
    ],
    [
      "tables of accounts that the settings no longer have",
      { stacks: [stack("FillbookTables-f")] },
      ["FillbookTables-f has tables of accounts that the settings no longer name", "--stack-name FillbookTables-f"],
    ],
    [
      "a token in a secret of another program",
      { secrets: [older] },
      ["but a new, empty one would be used", "-c tokenSecrets=main=FillbookData-Tokenmain1 or"],
    ],
    [
      "a secret of a removed account",
      {
        settings: { accounts: "main,back", tokenSecrets: "main=kept" },
        secrets: [{ name: "fillbook/back", description: TOKEN("back"), hasValue: false }],
      },
      ["back (fillbook/back)", "-c tokenSecrets=main=kept,back=fillbook/back"],
    ],
    [
      "more reserved concurrency than the quota allows",
      { cloud: { concurrency: () => Promise.resolve({ limit: 101, unreserved: 101 }) } },
      ["would reserve 2 of the 101", "-c reservedConcurrency=1, or -c reservedConcurrency=none"],
    ],
    [
      "more reserved concurrency than the quota allows, with the page",
      { settings: { page: "on" }, cloud: { concurrency: () => Promise.resolve({ limit: 111, unreserved: 111 }) } },
      ["and the page, which takes 10, would reserve 12 of the 111", "-c reservedConcurrency=1, or"],
    ],
    [
      "a new AWS account's quota",
      { cloud: { concurrency: () => Promise.resolve({ limit: 10, unreserved: 10 }) } },
      ["(limit 10)", "Do: -c reservedConcurrency=none, which reserves nothing"],
    ],
    [
      "a stack that is too large",
      {
        next: {
          bootstrapVersion: 6,
          templates: new Map([
            [
              "FillbookTokens-a",
              { Resources: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`R${n}`, { Type: "T" }])) },
            ],
          ]),
        },
      },
      ["FillbookTokens-a has 501 resources, but CloudFormation allows 500"],
    ],
  ])("%s", async (_, world, messages) => {
    const { ending, said, did } = await play({ ...world, args: ["--yes", "--yes-remove-data", "everything"] });
    expect([ending, did]).toEqual(["stopped", LOOKED]);
    expect(said).toMatch(/^1 obstacle found\. Nothing was changed\.$/m);
    for (const message of messages) {
      expect(said).toContain(message);
    }
  });

  test("the secret that holds a token must be kept", async () => {
    const empty = { name: "fillbook/main", description: TOKEN("main"), hasValue: false };
    const { said } = await play({ secrets: [empty, older] });
    expect(said).toContain("tokenSecrets=main=FillbookData-Tokenmain1 ");
  });
});

describe("no obstacle to a deployment", () => {
  const secrets = [{ name: "fillbook/main", description: TOKEN("main"), hasValue: true }];

  test.each<[string, World]>([
    [
      "the account's own secret, in its stack",
      { secrets, stacks: [stack("FillbookTokens-0")], deployed: { "FillbookTokens-0": SECRET("main") } },
    ],
    ["a secret that the settings name", { secrets, settings: { tokenSecrets: "main=fillbook/main" } }],
    ["a secret of another program", { secrets: [{ name: "x", description: "of account main", hasValue: true }] }],
    [
      "concurrency that the function has already reserved",
      {
        stacks: [stack("FillbookJob", { FunctionName: "fn" })],
        cloud: {
          concurrency: () => Promise.resolve({ limit: 102, unreserved: 100 }),
          reserved: () => Promise.resolve(2),
        },
      },
    ],
    [
      "a small quota, without reserved concurrency",
      {
        settings: { reservedConcurrency: "none" },
        cloud: { concurrency: () => Promise.resolve({ limit: 10, unreserved: 10 }) },
      },
    ],
    [
      "a bootstrap stack with another name",
      { cloud: { stacks: () => Promise.resolve([stack("Ours", { BootstrapVersion: "6" })]) } },
    ],
    [
      "another deployment's page, secrets and reserved concurrency",
      {
        stacks: [
          stack("FillbookStagingPage", { PageFunctionName: "theirs" }),
          stack("FillbookStagingTable"),
          stack("FillbookStagingJob", { FunctionName: "theirs" }, "ROLLBACK_COMPLETE"),
        ],
        settings: { queryLimitGb: "none" },
        secrets: [
          { name: "fillbook-staging/main", description: `fillbook-staging${TOKEN("main").slice(8)}`, hasValue: true },
        ],
        cloud: { reserved: (name) => Promise.reject(new Error(`${name} is not ours`)) },
      },
    ],
    [
      "a stack that was only reviewed, and never deployed",
      { stacks: [stack("FillbookJob", {}, "REVIEW_IN_PROGRESS")] },
    ],
  ])("%s", async (_, world) => {
    expect(await play({ ...world, args: ["--yes"] })).toMatchObject({ ending: "deployed" });
  });
});

describe("a page", () => {
  const outputs = {
    PageUrl: "https://d1.cloudfront.net",
    UserPoolId: "eu-west-1_abc",
    PageTarget: "d1.cloudfront.net",
  };
  const next: Assembly = {
    ...NEXT,
    templates: new Map([
      ...NEXT.templates,
      ["FillbookPage", { Resources: { Api: { Type: "AWS::ApiGatewayV2::Api" } } }],
    ]),
  };
  const world = { next, stacks: [stack("FillbookPage", outputs)], args: ["--yes"] };

  test("is among the settings and the costs, and the last line asks for users", async () => {
    const { said } = await play({ ...world, settings: { page: "on" } });
    for (const part of [
      /page\s+at CloudFront's own name/,
      /page, users\s+0\.08 {2}5 users who sign in/,
      /page, views\s+0\.13 {2}3,250 views/,
      "Create the users of the page, https://d1.cloudfront.net:",
      "npm run user -- add NAME MAIL accountant:main",
    ]) {
      expect(said).toMatch(part);
    }
    expect(said).not.toContain("CNAME");
  });

  test("of another deployment has its own stacks, secrets and users", async () => {
    const templates = new Map([...next.templates].map(([id, one]) => [id.replace("Fillbook", "FillbookStaging"), one]));
    const staging = { deployment: "fillbook-staging" };
    const stacks = [stack("FillbookPage", outputs), stack("FillbookStagingJob", { NightlyMachineArn: "arn:theirs" })];
    const staged = { ...world, next: { ...next, templates }, stacks };
    const { said } = await play({ ...staged, settings: { ...staging, page: "on" } });
    for (const part of [
      /deployment\s+fillbook-staging/,
      "--state-machine-arn arn:theirs",
      "--secret-id fillbook-staging/main",
      "npm run user -- -c deployment=fillbook-staging add NAME MAIL accountant:main",
      "Create the users of the page, URL",
    ]) {
      expect(said).toMatch(part);
    }
    const forgotten = { ...staged, settings: staging, stacks: [stack("FillbookStagingPage", outputs)] };
    expect((await play(forgotten)).said).toContain("delete-stack --stack-name FillbookStagingPage");
  });
});

describe("data that would be lost", () => {
  const world: World = {
    stacks: [stack("FillbookData")],
    deployed: { FillbookData: { Resources: { ...BUCKET.Resources, Old: { Type: "AWS::S3::Bucket" } } } },
  };

  test("are named, and the person must type the name", async () => {
    const { ending, said } = await play({ ...world, typed: ["FillbookData/Old", "yes"] });
    expect(said).toContain("FillbookData/Old (AWS::S3::Bucket)\n    is no longer part of the stack. It is DELETED");
    expect(ending).toBe("deployed");
  });

  test.each<[string, World]>([
    ["the answer is yes instead of the name", { typed: ["yes", "yes"] }],
    ["--yes does not confirm the removal", { args: ["--yes"], typed: ["FillbookData/Old"] }],
    ["another name does not confirm the removal", { args: ["--yes", "--yes-remove-data", "FillbookData/Bucket"] }],
    ["there is nobody to ask", { typed: null }],
  ])("%s", async (_, more) => {
    const { ending, said, did } = await play({ ...world, ...more });
    expect([ending, did]).toEqual(["stopped", SHOWN]);
    expect(said).toContain("To confirm without a question: --yes-remove-data FillbookData/Old");
  });

  test("do not include a token's secret that leaves its stack, once the settings name it", async () => {
    const { Token } = SECRET("main").Resources ?? {};
    const before: World = {
      stacks: [stack("FillbookData")],
      deployed: { FillbookData: { Resources: { ...BUCKET.Resources, ...(Token && { Token }) } } },
      args: ["--yes"],
    };
    expect(await play(before)).toMatchObject({ ending: "stopped" });
    expect(await play({ ...before, settings: { tokenSecrets: "main=Tokenmain1" } })).toMatchObject({
      ending: "deployed",
    });
  });
});

test("the app's own stacks are read in the form in which the CDK writes them", () => {
  const folder = mkdtempSync(join(tmpdir(), "fillbook-deploy-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  testApp({}, { outdir: folder }).app.synth();
  const { templates, bootstrapVersion } = readAssembly(folder);
  expect([...templates.keys()]).toEqual(expect.arrayContaining(["FillbookData", "FillbookJob"]));
  expect(templates.get("FillbookData")?.Resources).toHaveProperty("ArchiveBucket49F1AC64.Type", "AWS::S3::Bucket");
  expect(bootstrapVersion).toBeGreaterThanOrEqual(6);
});
