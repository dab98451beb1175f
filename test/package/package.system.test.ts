import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PUBLISHED_RATES } from "../../lambda/accounting/rates/published.ts";
import { start } from "../cli/child.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import { temporaryFolder } from "../leftovers.ts";
import { patienceMs } from "../patience.ts";

// Installs the tarball as a user would: alone, in an empty folder, without a network, on the oldest Node that
// package.json allows.

const OLDEST_NODE = "22.19.0";
/** This Node has no zstd, so a module that imports it fails while linking. */
const TOO_OLD_NODE = "22.14.0";
/** Node's npm package for this platform. It is cached between runs. */
const NODE_PACKAGE = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;

/** An old Node is downloaded once. The limit allows for a very slow connection. */
const DOWNLOAD_TIMEOUT_MS = patienceMs(600);

type Installed = { readonly path: string } | { readonly missing: string };

const folder = temporaryFolder();
let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] };
let service: RunningEmulator;
let oldNode: Installed;
let tooOldNode: Installed;

beforeAll(async () => {
  const built = await npm(["run", "-s", "build"], process.cwd());
  expect(built.code, built.stderr).toBe(0);
  const pack = await npm(["pack", "./dist", "--json", "--pack-destination", folder], process.cwd());
  expect(pack.code, pack.stderr).toBe(0);
  [packed] = JSON.parse(pack.stdout.slice(pack.stdout.indexOf("[")));
  const installed = await npm(["install", "--ignore-scripts", "--offline", join(folder, packed.filename)], folder);
  expect(installed.code, installed.stderr).toBe(0);
  oldNode = await installedNode(OLDEST_NODE);
  tooOldNode = await installedNode(TOO_OLD_NODE);
  service = await startEmulator({
    history: makeHistory({ seed: 11, fills: 700, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) }),
  });
}, DOWNLOAD_TIMEOUT_MS);

afterAll(() => service.close());

test("the package holds the bundle and its companions, and depends on no other package", async () => {
  const paths = packed.files.map(({ path }) => path).filter((path) => !/^(?:README|LICENSE)/.test(path));
  const rates = [...PUBLISHED_RATES.map(({ file }) => file), "README.md"].map((file) => `published-rates/${file}`);
  const bundle = ["THIRD-PARTY-LICENSES.txt", "THIRD-PARTY.json", "cli.mjs", "fillbook.mjs", "package.json"];
  expect(paths.sort()).toEqual([...bundle, ...rates].sort());
  const manifest = JSON.parse(await readFile(join(folder, "node_modules/fillbook/package.json"), "utf8"));
  expect(manifest).toMatchObject({ bin: { fillbook: "fillbook.mjs" }, engines: { node: "^22.19 || >=24" } });
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("scripts.install");
});

test("THIRD-PARTY.json lists every bundled package with its version and licence, for scanners", async () => {
  const bill = JSON.parse(await readFile(join(folder, "node_modules/fillbook/THIRD-PARTY.json"), "utf8"));
  expect(bill).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { component: { name: "fillbook" } },
  });

  // What npm wrote about each package.
  const lock: { readonly packages: Readonly<Record<string, { readonly version: string; readonly license: string }>> } =
    JSON.parse(await readFile("package-lock.json", "utf8"));
  const locked = Object.entries(lock.packages).map(([place, { version, license }]) => {
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    return [name, version, license, `pkg:npm/${encodeURIComponent(name).replaceAll("%2F", "/")}@${version}`];
  });
  const listed: readonly (readonly string[])[] = bill.components.map(
    ({ name, version, licenses: [terms], purl }: Component) => [
      name,
      version,
      terms.expression ?? terms.license?.id,
      purl,
    ],
  );
  expect(locked).toEqual(expect.arrayContaining([...listed]));
  const direct = [
    "@aws-sdk/client-s3",
    "@hono/node-server",
    "decimal.js",
    "fflate",
    "hyparquet",
    "papaparse",
    "undici",
  ];
  const names = listed.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(direct));
  expect(names.some((name) => name?.startsWith("@smithy/"))).toBe(true); // what these need themselves
});

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses: readonly [{ readonly expression?: string; readonly license?: { readonly id: string } }];
  readonly purl: string;
}

test("the bundle names no path of the machine that made it", async () => {
  const read = (name: string) => readFile(join(folder, "node_modules/fillbook", name), "utf8");
  const [entry, rest] = await Promise.all([read("fillbook.mjs"), read("cli.mjs")]);
  expect(entry.startsWith("#!/usr/bin/env node\n")).toBe(true);
  expect(`${entry}${rest}`.includes(process.cwd())).toBe(false);
});

test(`on Node ${TOO_OLD_NODE} it tells which version it needs, and exits with 2`, async ({ skip }) => {
  if ("missing" in tooOldNode) {
    return skip(
      `Node ${TOO_OLD_NODE} could not be installed, so the package was NOT tried on it: ${tooOldNode.missing}`,
    );
  }
  expect(await fillbook(tooOldNode.path, ["--version"])).toEqual({
    code: 2,
    stdout: "",
    stderr: `fillbook: needs Node 22.19 or a newer 22, or 24 or newer, and this is Node ${TOO_OLD_NODE}\n`,
  });
});

test.for([
  ["this Node", () => ({ path: process.execPath })],
  [`Node ${OLDEST_NODE}`, () => oldNode],
] as const)("on %s: --version, periods, and a sync with its export", async ([name, chosen], { skip }) => {
  const node = chosen();
  if ("missing" in node) {
    return skip(`Node ${OLDEST_NODE} could not be installed, so the package was NOT tried on it: ${node.missing}`);
  }
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  expect(await fillbook(node.path, ["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });

  const periods = await fillbook(node.path, ["periods", "--json"]);
  expect(periods.stderr).toBe("");
  expect(JSON.parse(periods.stdout).periods).toContainEqual(expect.objectContaining({ name: "us-2025" }));

  const inputs = join(folder, `inputs of ${name}`);
  const rates = await fillbook(node.path, ["rates", "ecb", "--inputs", inputs]);
  expect(rates).toMatchObject({ code: 0, stderr: "" });
  const copied = await readFile(join(inputs, "rates/ecb.csv"));
  expect(copied.equals(await readFile("lambda/cli/published-rates/ecb.csv"))).toBe(true);

  await writeFile(join(inputs, "accounts.json"), '{"par": {"USDT": "USD"}}');

  const store = join(folder, `store of ${name}`);
  const common = ["--store", store, "--account-url", service.accountUrl, "--json", "--quiet"];
  const sync = await fillbook(node.path, ["sync", "--from", "2025-01-01", "--to", "2026-01-01", ...common]);
  expect(sync).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(sync.stdout)).toMatchObject({ complete: true, fills: 700 });

  const year = ["export", "--period", "calendar-2025", "--currency", "EUR", "--inputs", inputs, ...common];
  const exported = await fillbook(node.path, year);
  expect(exported.code, exported.stdout).toBe(0);
  expect(exported.stderr).toMatch(
    /^(?:fillbook export: warning: 1 fill has the \w+ "\S+", a value .*\n){3}fillbook export: warning: known realised PnL, .* depends on the method: .* choose the one that applies\n$/,
  );
  const { files } = JSON.parse(exported.stdout);
  expect(files).toContainEqual(expect.objectContaining({ path: "fills.csv", rows: 700 }));
  expect(files).toContainEqual(expect.objectContaining({ path: "fills.parquet", rows: 700 }));
  expect(files).toContainEqual(expect.objectContaining({ path: "inputs/rates/ecb.csv", bytes: copied.length }));
});

/** The installed command. Its PATH holds only this Node and the system's `env`. */
function fillbook(node: string, args: readonly string[]) {
  const environment = { PATH: `${dirname(node)}:/usr/bin:/bin`, FILLBOOK_TOKEN: SAMPLE_TOKEN, FILLBOOK_HURRY: "1" };
  return start(join(folder, "node_modules/.bin/fillbook"), args, { cwd: folder, environment }).ended;
}

async function installedNode(version: string): Promise<Installed> {
  const kept = resolve("node_modules/.cache", `${NODE_PACKAGE}-${version}`);
  const path = join(kept, "node_modules", NODE_PACKAGE, "bin", "node");
  if (!existsSync(path)) {
    await mkdir(kept, { recursive: true });
    const got = await npm(
      ["install", "--ignore-scripts", "--no-save", "--prefix", kept, `${NODE_PACKAGE}@${version}`],
      kept,
    );
    if (got.code !== 0 || !existsSync(path)) {
      return { missing: got.stderr.trim().split("\n").at(0) ?? `npm ended with ${got.code}` };
    }
  }
  const { stdout } = await start(path, ["--version"]).ended;
  return stdout === `v${version}\n` ? { path } : { missing: `it says that it is ${stdout.trim()}` };
}

function npm(args: readonly string[], cwd: string) {
  // npm finds its registry and its certificates in the environment and in its own files
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:FILLBOOK|npm_|NODE_OPTIONS|VITEST)/i.test(name),
  );
  const environment = Object.fromEntries(inherited.map(([name, value]) => [name, value ?? ""]));
  return start("npm", args, { cwd, environment }).ended;
}
