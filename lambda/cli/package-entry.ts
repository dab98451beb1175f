import process from "node:process";

// The package's way in. It imports the rest only when it has looked at Node: an older one cannot link it, and
// would say so in its own words.

const WRONG_USAGE = 2;

// As package.json says: 23 was never supported for long, and its first versions lack zstd.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major >= 24 || (major === 22 && minor >= 19)) {
  await import("../cli.ts");
} else {
  process.stderr.write(
    `fillbook: needs Node 22.19 or a newer 22, or 24 or newer, and this is Node ${process.versions.node}\n`,
  );
  process.exitCode = WRONG_USAGE;
}
