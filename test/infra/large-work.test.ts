import { describe, expect, test } from "vitest";
import { TASK_SIZE } from "../../infra/job/task-size.ts";
import { readResults } from "../programs/bench/results.ts";
import { statementsOfRole } from "./policy.ts";
import { brief, pairs, resourcesOf, statementsOf, templates } from "./synth.ts";

const ON = { largePacks: "on" };

function only(type: string, settings: Readonly<Record<string, string>> = ON): Readonly<Record<string, unknown>> {
  const [[, found] = [], ...more] = resourcesOf(templates(settings).job, type);
  if (found === undefined || more.length > 0) {
    throw new Error(`there is not one ${type}`);
  }
  return found.Properties;
}

interface Variable {
  readonly Name: string;
  readonly Value: unknown;
}

function container(): Readonly<Record<string, unknown>> & { readonly Environment: readonly Variable[] } {
  const [one, ...more] = only("AWS::ECS::TaskDefinition")["ContainerDefinitions"] as readonly ReturnType<
    typeof container
  >[];
  if (one === undefined || more.length > 0) {
    throw new Error("there is not one container");
  }
  return one;
}

test("there is no network and no task unless large packs are on", () => {
  const types = new Set(resourcesOf(templates().job).map(([, { Type }]) => Type));
  expect([...types].filter((type) => /::(?:EC2|ECS)::/.test(type))).toEqual([]);
  // Turning large packs on must not remove a resource.
  const without = resourcesOf(templates().job).map(([id]) => id);
  const on = resourcesOf(templates(ON).job).map(([id]) => id);
  expect(without.filter((id) => !on.includes(id))).toEqual([]);
});

describe("a task", () => {
  test("has the function's settings and no secret, and downloads the function's bundle from where the CDK puts it", () => {
    const fn = only("AWS::Lambda::Function") as {
      readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
      readonly Code: { readonly S3Key: string };
    };
    const variables = Object.fromEntries(container().Environment.map(({ Name, Value }) => [Name, Value]));
    const { FILLBOOK_BUNDLE: bundle, FILLBOOK_BUNDLE_SHA256: _, HOME: home, ...settings } = variables;
    expect(home).toBe("/");
    expect(settings).toEqual(fn.Environment.Variables);
    expect(brief(bundle)).toMatch(new RegExp(`^https://s3\\.Ref.*/.*assets.*/${fn.Code.S3Key}$`));
    expect(JSON.stringify(container())).not.toMatch(/"Secrets"|password|eyJ/);
  });

  test("is minimal: a read-only disk, no privileges, and time to undo unfinished work", () => {
    expect(container()).toMatchObject({
      Image: "public.ecr.aws/lambda/nodejs:24",
      EntryPoint: ["node", "--input-type=module", "-e"],
      ReadonlyRootFilesystem: true,
      User: "65534:65534",
      LinuxParameters: { InitProcessEnabled: true, Capabilities: { Drop: ["ALL"] } },
      StopTimeout: 120,
      LogConfiguration: { LogDriver: "awslogs" },
    });
    expect(container()).not.toHaveProperty("Privileged");
    expect(container()["PortMappings"] ?? []).toEqual([]);
  });

  test("runs the whole boot program, which fits into a task definition", () => {
    const [command = ""] = container()["Command"] as readonly string[];
    const [, encoded = ""] = /^import "data:text\/javascript;base64,([\w+/=]+)"$/.exec(command) ?? [];
    expect(Buffer.from(encoded, "base64").toString()).toContain("FILLBOOK_BUNDLE_SHA256");
    expect(Buffer.byteLength(JSON.stringify(only("AWS::ECS::TaskDefinition")))).toBeLessThan(65_536);
  });

  test("has, on ARM, the least memory that Fargate offers for two processors, more than twice what a pack and its uploads take", () => {
    const { Cpu, Memory, RuntimePlatform } = only("AWS::ECS::TaskDefinition");
    expect([Cpu, Memory, RuntimePlatform]).toEqual([
      "2048",
      "4096",
      { CpuArchitecture: "ARM64", OperatingSystemFamily: "LINUX" },
    ]);
    const peaks = readResults().samples.filter(({ name }) => name === "pack" || name === "process");
    const largest = Math.max(...peaks.map(({ result }) => result.peakBytes));
    // 41 files; each has one part that is being filled and four parts in upload.
    const uploads = 41 * 5 * 5 * 2 ** 20;
    expect(TASK_SIZE.gb * 2 ** 30).toBeGreaterThan(2 * (largest + uploads));
  });

  test("may assume the account's role and read the bundle, and its execution role may write the log", () => {
    const { job } = templates(ON);
    expect(pairs(statementsOfRole(job, "JobTaskRole"))).toEqual([
      expect.stringMatching(/^s3:GetObject on arn:Ref\(AWS::Partition\):s3:::.*assets.*\.zip$/),
      expect.stringMatching(/^sts:AssumeRole on .*:role\/fillbook-account-/),
      expect.stringMatching(/^sts:TagSession on .*:role\/fillbook-account-/),
    ]);
    expect(pairs(statementsOfRole(job, "LargeWorkExecutionRole"))).toEqual([
      "logs:CreateLogStream on Arn(JobLogBF0312D3)",
      "logs:PutLogEvents on Arn(JobLogBF0312D3)",
    ]);
  });

  test("belongs to this AWS account: no other may use its roles, and only the function and the task assume the account's role", () => {
    const roles = Object.fromEntries(resourcesOf(templates(ON).job, "AWS::IAM::Role"));
    for (const [id, role] of Object.entries(roles).filter(([name]) => /TaskRole|ExecutionRole/.test(name))) {
      const [trust, ...more] = statementsOf(role);
      expect([id, more]).toEqual([id, []]);
      expect(brief(trust?.Principal)).toBe("Service(ecs-tasks.amazonaws.com)");
      expect(trust?.Condition).toMatchObject({ StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } });
    }
    const trusts = roles["JobAccountRoleC289F2EB"];
    const principals = statementsOf(trusts ?? { Type: "", Properties: {} }).map(({ Action, Principal }) => [
      Action,
      JSON.stringify(Principal).match(/Job(?:Task)?Role\w+/g),
    ]);
    const takers = ["JobRole93F563EA", "JobTaskRole8AD3B4F0"];
    for (const taker of takers) {
      for (const action of ["sts:AssumeRole", "sts:TagSession"]) {
        expect(principals.some(([one, who]) => one === action && who?.includes(taker))).toBe(true);
      }
    }
  });
});

describe("its network", () => {
  test("costs nothing while no task runs, and has its own endpoint for S3", () => {
    const types = resourcesOf(templates(ON).job).map(([, { Type }]) => Type);
    expect(types).not.toContain("AWS::EC2::NatGateway");
    expect(types).not.toContain("AWS::EC2::EIP");
    expect(only("AWS::EC2::VPCEndpoint")["VpcEndpointType"]).toBe("Gateway");
  });

  test("allows no incoming connection, and outgoing ones only to the service and AWS", () => {
    const group = (settings: Readonly<Record<string, string>>) => only("AWS::EC2::SecurityGroup", settings);
    const ports = (settings: Readonly<Record<string, string>>) =>
      (group(settings)["SecurityGroupEgress"] as readonly Record<string, unknown>[]).map((rule) => [
        rule["IpProtocol"],
        rule["FromPort"],
        rule["ToPort"],
      ]);
    expect(group(ON)).not.toHaveProperty("SecurityGroupIngress");
    expect(ports(ON)).toEqual([["tcp", 443, 443]]);
    expect(ports({ ...ON, accountUrl: "https://account.example.com:8443" })).toEqual([
      ["tcp", 443, 443],
      ["tcp", 8443, 8443],
    ]);
    for (const [, subnet] of resourcesOf(templates(ON).job, "AWS::EC2::Subnet")) {
      expect(subnet.Properties["MapPublicIpOnLaunch"] ?? false).toBe(false);
    }
  });
});
