import process from "node:process";

// `node infra/start.ts NAME …` runs one of the scripts below. They need packages that `npm ci --omit=dev`
// leaves out; Node would answer with the stack of a missing module.

const SCRIPTS: Readonly<Record<string, () => Promise<unknown>>> = {
  synth: () => import("./synth.ts"),
  deploy: () => import("./deploy/main.ts"),
  user: () => import("./users/main.ts"),
};

const [name = ""] = process.argv.splice(2, 1); // the script reads what follows its name
try {
  await SCRIPTS[name]?.();
} catch (error) {
  if (!isMissingPackage(error)) {
    throw error;
  }
  process.stderr.write("the tools for AWS are not installed: run npm ci\n");
  process.exitCode = 2; // wrong usage: lambda/core/errors.ts
}

function isMissingPackage(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND" && /package/.test(error.message)
  );
}
