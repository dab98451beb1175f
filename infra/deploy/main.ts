import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import type { StackSettings } from "../settings.ts";
import { HELP, type Options, readOptions } from "./arguments.ts";
import { readAssembly } from "./assembly.ts";
import { awsCloud } from "./aws.ts";
import { cdkCommand } from "./cdk.ts";
import { deployedSettings } from "./context.ts";
import { deploy } from "./deploy.ts";
import { told } from "./told.ts";
import { checkTypes } from "./types.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The exit codes of the command line: lambda/core/errors.ts. */
const EXIT = { deployed: 0, shown: 0, fault: 1, usage: 2, stopped: 4 } as const;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function ask(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) {
    return null;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question)).trim();
  } finally {
    terminal.close();
  }
}

async function run(options: Options, settings: StackSettings): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "fillbook-deploy-"));
  try {
    const cloud = awsCloud();
    const region = await cloud.region();
    const command = cdkCommand({ root: ROOT, region, context: options.context, app: options.app });
    const synth = async (assembly: string) => {
      await checkTypes(ROOT); // takes longer than all that is looked at before
      await command.synth(assembly);
    };
    const cdk = { ...command, synth };
    return EXIT[await deploy({ cloud, cdk, region, settings, folder, readAssembly, say, ask }, options)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(argv: readonly string[]): Promise<number> {
  let step: "usage" | "fault" = "usage";
  try {
    const options = readOptions(argv);
    if (options.help) {
      process.stdout.write(HELP);
      return EXIT.shown;
    }
    const settings = deployedSettings(ROOT, options.context, process.env);
    step = "fault";
    return await run(options, settings);
  } catch (thrown) {
    process.stderr.write(`${told(thrown)}\n`);
    return EXIT[step];
  }
}

process.exitCode = await main(process.argv.slice(2));
