import { rm } from "node:fs/promises";
import { build } from "esbuild";

// The command line as one file that runs on Node 22.19 alone: what is installed under node_modules cannot be TypeScript.
await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: { fillbook: "lambda/cli.ts" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  mainFields: ["module", "main"],
  minifySyntax: true,
  minifyWhitespace: true, // names stay, so that a stack can be read
  legalComments: "linked",
  banner: {
    // undici asks for node: modules with require, which an ES module does not have
    js: '#!/usr/bin/env node\nimport { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
