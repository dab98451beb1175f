import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Aws, Duration, Stack, Stage } from "aws-cdk-lib";
import {
  GatewayVpcEndpointAwsService,
  IpAddresses,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import {
  Capability,
  Cluster,
  type ContainerDefinition,
  ContainerImage,
  CpuArchitecture,
  FargateTaskDefinition,
  LinuxParameters,
  LogDriver,
  OperatingSystemFamily,
} from "aws-cdk-lib/aws-ecs";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { CfnFunction, Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { acknowledge } from "../acknowledgements.ts";
import { allow } from "../roles.ts";
import { TASK_SIZE } from "./task-size.ts";

/**
 * AWS's own image of the Lambda runtime, so that a task has the same Node, time zones and zlib as the
 * function: a pack's bytes must not depend on where it was made. The image is public, so nobody needs a
 * registry or Docker, and AWS maintains it.
 */
const IMAGE = "public.ecr.aws/lambda/nodejs:24";
const BOOT = join(import.meta.dirname, "task-boot.mjs");

/** The longest that Fargate allows. A task uses it to abort unfinished uploads. */
const STOP_TIMEOUT = Duration.seconds(120);
/** The user and group `nobody` of the image. */
const NOBODY = "65534:65534";

/** A task for work that takes longer than a slice. */
export interface LargeWork {
  readonly cluster: Cluster;
  readonly definition: FargateTaskDefinition;
  readonly container: ContainerDefinition;
  readonly securityGroup: SecurityGroup;
  readonly subnets: { readonly subnetType: SubnetType };
}

/** The role of the task's program. */
export function taskRole(scope: Construct): Role {
  return new Role(scope, "TaskRole", { description: "fillbook: large work", assumedBy: ecsOfThisAccount() });
}

interface Work {
  readonly fn: LambdaFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;
  /** The function's environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** The service's addresses. */
  readonly addresses: readonly string[];
}

/**
 * Runs the function's bundle as a task: the same code, settings and account role, without the limit of 15
 * minutes. It costs nothing while no task runs.
 */
export function largeWork(scope: Construct, { fn, role, logGroup, environment, addresses }: Work): LargeWork {
  const here = new Construct(scope, "LargeWork");
  const { vpc, securityGroup } = network(here, addresses);
  const cluster = new Cluster(here, "Cluster", { vpc });
  acknowledge(cluster, "AwsSolutions-ECS4");
  const bundle = bundleOf(fn);
  role.addToPolicy(allow("Bundle", ["s3:GetObject"], [`arn:${Aws.PARTITION}:s3:::${bundle.bucket}/${bundle.key}`]));
  const execution = new Role(here, "ExecutionRole", {
    description: "fillbook: starts the container of large work",
    assumedBy: ecsOfThisAccount(),
  });
  execution.addToPolicy(allow("Log", ["logs:CreateLogStream", "logs:PutLogEvents"], [logGroup.logGroupArn]));
  const definition = new FargateTaskDefinition(here, "Task", {
    cpu: TASK_SIZE.vcpus * 1024, // as ECS counts
    memoryLimitMiB: TASK_SIZE.gb * 1024,
    runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
    taskRole: role.withoutPolicyUpdates(),
    executionRole: execution.withoutPolicyUpdates(),
  });
  acknowledge(definition, "AwsSolutions-ECS2");
  const container = definition.addContainer("Work", {
    image: ContainerImage.fromRegistry(IMAGE),
    entryPoint: ["node", "--input-type=module", "-e"],
    command: [`import "data:text/javascript;base64,${readFileSync(BOOT, "base64")}"`],
    environment: {
      ...environment,
      HOME: "/", // the SDK looks there for a configuration that is not there
      FILLBOOK_BUNDLE: `https://s3.${Aws.REGION}.${Aws.URL_SUFFIX}/${bundle.bucket}/${bundle.key}`,
      FILLBOOK_BUNDLE_SHA256: bundle.sha256,
    },
    user: NOBODY,
    readonlyRootFilesystem: true,
    linuxParameters: leastOf(here),
    stopTimeout: STOP_TIMEOUT,
    logging: LogDriver.awsLogs({ logGroup, streamPrefix: "task" }),
  });
  return { cluster, definition, container, securityGroup, subnets: { subnetType: SubnetType.PUBLIC } };
}

/** The least rights in Linux, with an init process that forwards signals to ours. */
function leastOf(here: Construct): LinuxParameters {
  const least = new LinuxParameters(here, "Least", { initProcessEnabled: true });
  least.dropCapabilities(Capability.ALL);
  return least;
}

/**
 * Public subnets, because they need no paid gateway. A task has a public address, but its security group lets
 * nobody connect to it.
 */
function network(here: Construct, addresses: readonly string[]) {
  const vpc = new Vpc(here, "Vpc", {
    ipAddresses: IpAddresses.cidr("10.0.0.0/24"),
    maxAzs: 2,
    natGateways: 0,
    subnetConfiguration: [{ name: "Public", subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: false }],
    restrictDefaultSecurityGroup: false, // it would take a function to do so, and nothing is in that group
  });
  acknowledge(vpc, "AwsSolutions-VPC7");
  vpc.addGatewayEndpoint("S3", { service: GatewayVpcEndpointAwsService.S3 });
  const securityGroup = new SecurityGroup(here, "Outwards", {
    vpc,
    description: "fillbook: a task calls out, and nobody calls in",
    allowAllOutbound: false,
  });
  for (const port of new Set([443, ...addresses.map((address) => Number(new URL(address).port || 443))])) {
    securityGroup.addEgressRule(Peer.anyIpv4(), Port.tcp(port));
  }
  return { vpc, securityGroup };
}

/**
 * The condition prevents the confused deputy:
 * https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-iam-roles.html
 */
function ecsOfThisAccount(): ServicePrincipal {
  return new ServicePrincipal("ecs-tasks.amazonaws.com", {
    conditions: {
      StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID },
      ArnLike: { "aws:SourceArn": `arn:${Aws.PARTITION}:ecs:${Aws.REGION}:${Aws.ACCOUNT_ID}:*` },
    },
  });
}

/** Where the CDK stores the function's code, and the hash of its one file. */
function bundleOf(fn: LambdaFunction) {
  const stack = Stack.of(fn);
  const { s3Bucket, s3Key } = (fn.node.defaultChild as CfnFunction).code as CfnFunction.CodeProperty;
  const [bucket = "", key = ""] = [s3Bucket, s3Key];
  const file = join(
    Stage.of(fn)?.assetOutdir ?? "",
    `asset.${String(stack.resolve(key)).replace(/\.zip$/, "")}`,
    "index.mjs",
  );
  // Only tests synthesise without a bundle.
  const isThere = stack.bundlingRequired || existsSync(file);
  return { bucket, key, sha256: isThere ? createHash("sha256").update(readFileSync(file)).digest("hex") : "" };
}
