import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";

/**
 * The CDK's own command line. `assembly` is the folder that synth wrote, so that exactly what was shown is
 * deployed. Calls reject when the CDK fails.
 */
export interface Cdk {
  synth(assembly: string): Promise<void>;
  diff(assembly: string): Promise<void>;
  deploy(assembly: string): Promise<void>;
}

export interface CdkProps {
  /** The folder of cdk.json. */
  readonly root: string;
  readonly region: string;
  /** The values of -c. */
  readonly context: readonly string[];
  readonly app: string | null;
}

export function cdkCommand({ root, region, context, app }: CdkProps): Cdk {
  const run = async (args: readonly string[], { isQuiet = false } = {}): Promise<void> => {
    const child = spawn(process.execPath, [join(root, "node_modules/aws-cdk/bin/cdk"), ...args], {
      cwd: root,
      env: { ...process.env, AWS_REGION: region },
      stdio: isQuiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    const heard: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => heard.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => heard.push(chunk));
    const [code, signal] = await once(child, "close");
    if (code !== 0) {
      throw new Error(
        `${Buffer.concat(heard).toString()}cdk ${args[0]} failed (${signal ?? code}): see its output above`,
      );
    }
  };
  const settings = context.flatMap((setting) => ["-c", setting]);
  const command = app === null ? [] : ["--app", app];
  return {
    // Its output is shown only when it fails: the rest is for people who run the CDK directly.
    synth: (assembly) => run(["synth", "--quiet", "--output", assembly, ...command, ...settings], { isQuiet: true }),
    diff: (assembly) => run(["diff", "--app", assembly]),
    deploy: (assembly) =>
      run(["deploy", "--all", "--app", assembly, "--require-approval", "never", "--progress", "events"]),
  };
}
