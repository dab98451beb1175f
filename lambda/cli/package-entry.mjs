import module from "node:module";
import process from "node:process";
import v8 from "node:v8";

// The entry, in the repository and in the package. It checks Node's version before it imports the rest, because an
// older Node cannot link the rest and would print an error of its own. It is JavaScript: Node need not load its
// TypeScript compiler for what is in the compile cache.

const WRONG_USAGE = 2;

// As in package.json. Node 23 had a short support time, and its first versions lack zstd.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major >= 24 || (major === 22 && minor >= 19)) {
  module.enableCompileCache();
  v8.setFlagsFromString("--heap-growing-percent=100"); // a quarter less memory
  await import("../cli.ts");
} else {
  process.stderr.write(
    `fillbook: needs Node 22.19 or a newer 22, or 24 or newer, and this is Node ${process.versions.node}\n`,
  );
  process.exitCode = WRONG_USAGE;
}
