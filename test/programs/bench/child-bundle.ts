import { join } from "node:path";
import { build } from "esbuild";

/** In the folder of its sources, which ask where they are. */
export const CHILD_BUNDLE = join(import.meta.dirname, "child.bundle.mjs");

/**
 * The cases as one file of JavaScript, as fillbook itself is installed: reading TypeScript takes 90 MB, which
 * would be counted as theirs.
 */
export async function bundleChild(): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, "child.ts")],
    outfile: CHILD_BUNDLE,
    bundle: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    define: { esbuildDetection: "1" }, // as infra/build-cli.ts
    // What loads DuckDB: an import of it that is bundled is loaded with the bundle, and counted as every
    // case's memory.
    external: ["@duckdb/node-api", join(import.meta.dirname, "end-to-end.ts")],
    minifySyntax: true,
    minifyWhitespace: true,
    banner: {
      // undici is CommonJS
      js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
}
