import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { bundled } from "../../infra/function.ts";

const ROOT = join(import.meta.dirname, "../..");
const HANDLER = "lambda/handler.ts";

/** The options of the deployed bundle in esbuild's own form. */
function bundleOptions(): BuildOptions {
  const { target, minify, mainFields, define, banner, sourceMap, sourcesContent } = bundled(HANDLER).bundling;
  return {
    absWorkingDir: ROOT,
    entryPoints: [HANDLER],
    outfile: "index.mjs",
    bundle: true,
    platform: "node",
    format: "esm",
    target,
    minify,
    mainFields: [...mainFields],
    define,
    banner: { js: banner },
    sourcemap: sourceMap,
    sourcesContent,
  };
}

/**
 * Builds the bundle that the function's bundle is compared with, and returns its path. It imports the same
 * names from packages as the function, statically or dynamically as the function does, and nothing else. It
 * bundles the packages as they are published, without the parts that the function's bundle leaves out.
 */
export async function bundlePackages(folder: string): Promise<string> {
  const { metafile } = await build({ ...bundleOptions(), write: false, metafile: true });
  const atOnce = loadedAtOnce(metafile.inputs);
  const isAtOnce: Chosen = (path, kind) => atOnce.has(path) && kind === "import-statement";
  const made = join(folder, "packages");
  await mkdir(made);
  await writeFile(
    join(made, "late.ts"),
    `${moduleOf(metafile.inputs, (path, kind) => !isAtOnce(path, kind))}\nexport const late = all;\n`,
  );
  const handler = 'export const handler = async () => [all, (await import("./late.ts")).late];';
  await writeFile(join(made, "entry.ts"), `${moduleOf(metafile.inputs, isAtOnce)}\n${handler}\n`);
  const outfile = join(made, "index.mjs");
  const entryPoints = [join(made, "entry.ts")];
  await build({ ...bundleOptions(), entryPoints, outfile, define: {}, nodePaths: [join(ROOT, "node_modules")] });
  return outfile;
}

type Inputs = Metafile["inputs"];

/** Chooses imports of packages by the importing file and the kind of import. */
type Chosen = (path: string, kind: string) => boolean;

/** Our own files that load together with the handler. All others wait for an `import()`. */
function loadedAtOnce(inputs: Inputs): ReadonlySet<string> {
  const found = new Set([HANDLER]);
  for (const path of found) {
    for (const { path: next, kind } of inputs[path]?.imports ?? []) {
      if (kind === "import-statement" && next.startsWith("lambda/")) {
        found.add(next);
      }
    }
  }
  return found;
}

/**
 * A module that imports what our own files import from packages, for the chosen imports, and keeps it in
 * `all`.
 */
function moduleOf(inputs: Inputs, isChosen: Chosen): string {
  const named = new Set<string>();
  for (const path of Object.keys(inputs).filter((one) => one.startsWith("lambda/"))) {
    const text = readFileSync(join(ROOT, path), "utf8");
    for (const { path: target, original = "", kind } of inputs[path]?.imports ?? []) {
      if (target.includes("node_modules/") && isChosen(path, kind)) {
        for (const name of namesOf(text, original, path)) {
          named.add(`import { ${name} as $ } from "${original}";`);
        }
      }
    }
  }
  const lines = [...named].map((line, index) => line.replace("$", `n${index}`));
  return `${lines.join("\n")}\nconst all = [${lines.map((_, index) => `n${index}`)}];`;
}

/** The names that a file imports from a package, without types. */
function namesOf(text: string, specifier: string, path: string): readonly string[] {
  const one = new RegExp(
    `import (?:(\\w+)|\\{([^}]*)\\}) from "${specifier}"|const \\{([^}]*)\\} = await import\\("${specifier}"\\)`,
  );
  const [, whole, named = "", late = ""] = one.exec(text) ?? [];
  const names = `${named},${late}`
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));
  const all = whole === undefined ? names : ["default", ...names];
  if (all.length === 0) {
    throw new Error(`${path} imports ${specifier} in a way that is not understood here`);
  }
  return all;
}
