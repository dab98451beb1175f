import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { checkContext } from "./deploy/arguments.ts";
import { deployedSettings } from "./deploy/context.ts";
import { told } from "./deploy/told.ts";
import { checkTypes } from "./deploy/types.ts";

const ROOT = join(import.meta.dirname, "..");
const EXIT = { fault: 1, usage: 2 } as const;

/** `npm run synth -- [options of cdk synth]`: a wrong setting is said before types are checked. */
async function main(argv: readonly string[]): Promise<number> {
  let step: keyof typeof EXIT = "usage";
  try {
    deployedSettings(ROOT, contextIn(argv), process.env);
    step = "fault";
    await checkTypes(ROOT);
    const cdk = join(ROOT, "node_modules/aws-cdk/bin/cdk");
    const child = spawn(process.execPath, [cdk, "synth", "--quiet", ...argv], { cwd: ROOT, stdio: "inherit" });
    const [code] = await once(child, "close");
    return code ?? EXIT.fault;
  } catch (thrown) {
    process.stderr.write(`${told(thrown)}\n`);
    return EXIT[step];
  }
}

/** The values of -c; other options are the CDK's own. */
function contextIn(argv: readonly string[]): readonly string[] {
  const options = { context: { type: "string", short: "c", multiple: true } } as const;
  const { values } = parseArgs({ args: [...argv], options, strict: false });
  const context = (values.context ?? []).filter((value) => typeof value === "string");
  checkContext(context);
  return context;
}

process.exitCode = await main(process.argv.slice(2));
