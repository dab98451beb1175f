import { join } from "node:path";
import { Architecture, LoggingFormat, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import { type NodejsFunctionProps, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";

const ROOT = join(import.meta.dirname, "..");

/** What all functions have in common: one file with all that it needs, on Node 24 and ARM. `entry`: from the repository's root; it exports `handler`. */
export function bundled(entry: string) {
  return {
    entry: join(ROOT, entry),
    handler: "handler",
    projectRoot: ROOT,
    depsLockFilePath: join(ROOT, "package-lock.json"),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    loggingFormat: LoggingFormat.JSON,
    tracing: Tracing.DISABLED,
    awsSdkConnectionReuse: false,
    bundling: {
      format: OutputFormat.ESM,
      target: "node24",
      minify: true,
      mainFields: ["module", "main"],
      define: { esbuildDetection: "1" }, // undici then leaves its experimental second parser out, as in Node's own build of it
      externalModules: [], // the runtime's own copy of the SDK is not the one that was tested
      banner: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);", // undici is CommonJS
      sourceMap: true,
      sourcesContent: false,
    },
  } as const satisfies NodejsFunctionProps;
}

/** So that the source maps of the bundle are read. */
export const SOURCE_MAPS = { NODE_OPTIONS: "--enable-source-maps" } as const;
