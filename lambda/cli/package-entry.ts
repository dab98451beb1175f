import process from "node:process";

// The package's way in. It imports the rest only when it has looked at Node: an older one cannot link it, and would say so in its own words.

const NEEDED = [22, 19] as const; // as package.json says
const WRONG_USAGE = 2;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  await import("../cli.ts");
} else {
  process.stderr.write(
    `fillbook: needs Node ${NEEDED.join(".")} or newer, and this is Node ${process.versions.node}\n`,
  );
  process.exitCode = WRONG_USAGE;
}
