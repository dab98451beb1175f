import process from "node:process";
import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/**
 * The options of a program. With `--help` it prints the help and ends the process with 0. With an option that
 * it does not know, it says so in one line and ends the process with 2.
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(help: string, options: Options) {
  const args = process.argv.slice(2);
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(help);
    process.exit(0);
  }
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    // Node's message goes on with how to type a positional argument.
    const [what = ""] = (error instanceof Error ? error.message : String(error)).split(". ");
    return refuse(what);
  }
}

/** The whole number of an option; ends the process with 2 if it is none. */
export function wholeNumber(option: string, text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuse(`${option} ${text}: not a whole number`);
}

/** Ends the process with 2, after one line. */
export function refuse(what: string): never {
  process.stderr.write(`${what}; --help lists the options\n`);
  process.exit(2);
}
