import { join } from "node:path";
import { build } from "esbuild";

/**
 * The bundle lies in the folder of its sources, because the sources look for files relative to their own
 * place.
 */
const CHILD_BUNDLE = join(import.meta.dirname, "child.bundle.mjs");

/**
 * Bundles the cases into one JavaScript file, as fillbook is installed. Loading TypeScript takes 90 MB, which
 * would count as their memory.
 */
export async function bundleChild(): Promise<string> {
  await build({
    entryPoints: [join(import.meta.dirname, "child.ts")],
    outfile: CHILD_BUNDLE,
    bundle: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    define: { esbuildDetection: "1" }, // as infra/build-cli.ts
    minifySyntax: true,
    minifyWhitespace: true,
    banner: {
      // undici is CommonJS
      js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  return CHILD_BUNDLE;
}
