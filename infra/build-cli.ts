import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { build } from "esbuild";

// Builds dist/, the package that `npm pack ./dist` packs: the command line as JavaScript for Node 22.19 and
// newer, because Node does not run TypeScript from node_modules. fillbook.mjs checks Node's version, then
// imports cli.mjs, which holds everything else.
await rm("dist", { recursive: true, force: true });
const OPTIONS = {
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  minifySyntax: true,
  minifyWhitespace: true, // names stay, so that a stack can be read
  legalComments: "none", // the whole licences are below
  preserveSymlinks: true, // node_modules may be a link: names of parts begin with it all the same
  logLevel: "warning",
} as const;
await build({
  ...OPTIONS,
  entryPoints: { fillbook: "lambda/cli/package-entry.mjs" },
  target: "node16", // it has to be read by what is too old for the rest
  banner: { js: "#!/usr/bin/env node" },
  plugins: [
    {
      name: "cli.mjs stays a separate file",
      setup: ({ onResolve }) => onResolve({ filter: /\/cli\.ts$/ }, () => ({ path: "./cli.mjs", external: true })),
    },
  ],
});
const { metafile } = await build({
  ...OPTIONS,
  entryPoints: { cli: "lambda/cli.ts" },
  mainFields: ["module", "main"],
  define: { esbuildDetection: "1" }, // undici then leaves its experimental second parser out, as in Node's own build of it
  banner: {
    // undici loads node: modules with require, which an ES module does not have
    js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
  },
  metafile: true,
});
const parts = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
const bundled = packagesOf(parts.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])));
await writeFile("dist/THIRD-PARTY-LICENSES.txt", await licences(bundled));
await writeFile("dist/THIRD-PARTY.json", `${JSON.stringify(await billOfMaterials(bundled), null, 2)}\n`);

// The code reads them from beside the bundle, as it does from beside lambda/cli/published-rates.ts.
await cp("lambda/cli/published-rates", "dist/published-rates", { recursive: true });

await writeFile("dist/package.json", `${JSON.stringify(await manifest(), null, 2)}\n`);
await Promise.all(["README.md", "LICENSE"].map((file) => cp(file, `dist/${file}`)));

/** The package depends on no other: the bundle holds what it needs. */
async function manifest() {
  const { name, version, description, license, type, engines } = await manifestIn(".");
  return { name, version, description, license, type, engines, bin: { fillbook: "fillbook.mjs" } };
}

async function manifestIn(folder: string) {
  return JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
}

/** The folders of the packages whose code is in the bundle. */
function packagesOf(inputs: readonly string[]): readonly string[] {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []);
  return [...new Set(folders)].sort();
}

/**
 * A bill of materials for scanners, because the package itself has no dependencies:
 * https://cyclonedx.org/docs/1.6/json/. It leaves out the optional serial number and time, so that the same
 * bundle has the same bytes.
 */
async function billOfMaterials(folders: readonly string[]) {
  const own = await componentOf(".", "application");
  const components = await Promise.all(folders.map((folder) => componentOf(folder, "library")));
  return { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component: own }, components };
}

async function componentOf(folder: string, type: "application" | "library") {
  const { name, version, license } = await manifestIn(folder);
  // https://github.com/package-url/purl-spec: the @ of a scope is encoded
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const terms = /[ (]/.test(license) ? { expression: license } : { license: { id: license } };
  return { type, "bom-ref": purl, name, version, licenses: [terms], purl };
}

/** Each licence must be delivered with every copy. A text that several packages share is written once. */
async function licences(folders: readonly string[]): Promise<string> {
  const all = folders.map(async (folder) => {
    const { name, version, license } = await manifestIn(folder);
    const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice)/i.test(file)).sort();
    const texts = await Promise.all(files.map((file) => readFile(`${folder}/${file}`, "utf8")));
    return { title: `${name} ${version} (${license})`, text: texts.map((one) => one.trim()).join("\n\n") };
  });
  const byText = Map.groupBy(await Promise.all(all), ({ text }) => text);
  const sections = [...byText].map(([text, some]) => `${some.map(({ title }) => title).join("\n")}\n\n${text}\n`);
  return sections.join(`\n${"-".repeat(80)}\n\n`);
}
