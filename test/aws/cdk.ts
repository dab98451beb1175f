import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { start } from "../cli/child.ts";
import type { CloudPlace } from "./place.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The emulator's only account. */
export const ACCOUNT_ID = "000000000000";

export interface Deployment {
  /** Passed as `-c name=value`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Addresses of the emulated service. */
  readonly service: { readonly accountUrl: string; readonly marketDataUrl: string };
}

/** Creates what the CDK needs once per AWS account. */
export async function bootstrap(place: CloudPlace): Promise<void> {
  // Not in a folder with a cdk.json, because the CDK would synthesise that app needlessly.
  await cdk(place, place.folder, ["bootstrap", `aws://${ACCOUNT_ID}/${place.region}`], {});
}

/**
 * Deploys all stacks of the app. Resolves to the resources that were taken out because the emulator cannot
 * create them: path and CloudFormation type.
 */
export async function deploy(
  place: CloudPlace,
  { settings = {}, service }: Deployment,
): Promise<ReadonlyMap<string, string>> {
  const output = join(place.folder, `cdk-${randomUUID()}`);
  await mkdir(output);
  const takenOut = join(output, "taken-out.json");
  const context = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const app = ["--app", "node test/aws/app.ts", "--output", join(output, "cdk.out")];
  await cdk(place, ROOT, ["deploy", "--all", "--require-approval", "never", ...app, ...context], {
    FILLBOOK_TEST_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_TEST_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_TEST_TAKEN_OUT: takenOut,
  });
  return new Map(JSON.parse(await readFile(takenOut, "utf8")));
}

/**
 * Runs the CDK's command line without the user's credentials and home folder. In the home folder it would
 * cache accounts by access key.
 */
async function cdk(
  place: CloudPlace,
  cwd: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const { ended } = start(
    process.execPath,
    [join(ROOT, "node_modules/aws-cdk/bin/cdk"), ...args, "--progress", "events"],
    {
      cwd,
      environment: {
        HOME: place.folder,
        TMPDIR: place.folder,
        CI: "true",
        CDK_DISABLE_CLI_TELEMETRY: "true",
        CDK_DISABLE_VERSION_CHECK: "1",
        AWS_ENDPOINT_URL: place.endpoint,
        AWS_REGION: place.region,
        AWS_ACCESS_KEY_ID: place.accessKeyId,
        AWS_SECRET_ACCESS_KEY: place.secretAccessKey,
        NODE_EXTRA_CA_CERTS: place.certificate,
        ...environment,
      },
    },
  );
  const { code, stdout, stderr } = await ended;
  if (code !== 0) {
    throw new Error(
      `cdk ${args[0]} ended with ${code}:\n${`${stdout}\n${stderr}`.trim().split("\n").slice(-40).join("\n")}`,
    );
  }
}
