import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, normalize, resolve, sep } from "node:path";
import { describe, expect, test } from "vitest";

// Rules of this repository that neither the compiler nor the linter checks.

const ROOT = resolve(import.meta.dirname, "..");

interface Source {
  /** from the root, with slashes */
  readonly path: string;
  readonly text: string;
}

function read(path: string): Source {
  return { path: path.split(sep).join("/"), text: readFileSync(join(ROOT, path), "utf8") };
}

const SOURCES: readonly Source[] = globSync("lambda/**/*.ts", { cwd: ROOT }).map(read);

function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .replaceAll(/(?<!:)\/\/.*/g, "");
}

/** One line `path:line: match: instead` for every match outside the allowed places. */
function found(
  sources: readonly Source[],
  pattern: RegExp,
  instead: string,
  allowed: readonly string[] = [],
): string[] {
  return sources
    .filter(({ path }) => !allowed.some((place) => path === place || (place.endsWith("/") && path.startsWith(place))))
    .flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => {
        const match = pattern.exec(line);
        return match === null ? [] : [`${path}:${index + 1}: ${match[0].trim()}: ${instead}`];
      }),
    );
}

const code = SOURCES.map(({ path, text }) => ({ path, text: withoutComments(text) }));

test.each<[string, RegExp, readonly string[], string]>([
  [
    "time",
    /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b|\bhrtime\b/,
    ["lambda/core/clock.ts"],
    "use the Clock that the job is given",
  ],
  [
    "waiting",
    /\bset(Timeout|Interval)\(|\bnode:timers|\bscheduler\.wait\b|\bAbortSignal\.timeout\b|\bAtomics\.wait\b/,
    // Code in the browser has only the browser's clock to wait by.
    ["lambda/core/clock.ts", "lambda/web/views/script.ts"],
    "use clock.sleep, which a test can run without waiting",
  ],
  [
    "randomness",
    /\bMath\.random\b|\brandom(UUID|Bytes|Int|Fill)\b|\bgetRandomValues\b/,
    ["lambda/core/random.ts"],
    "use the Random that the job is given",
  ],
  [
    "the environment",
    /\bprocess\.env\b/,
    ["lambda/job/settings.ts"],
    "make it a setting: settings.ts has the only list",
  ],
  [
    "the process's end and its streams",
    /\bprocess\.(exit|exitCode|abort|stdout|stderr|stdin)\b/,
    ["lambda/cli.ts", "lambda/cli/", "lambda/job/lambda/lambda-log.ts"],
    "return an outcome or throw a FillbookError; cli.ts knows the process, job/lambda/lambda-log.ts Lambda's log",
  ],
  ["the console", /\bconsole\.\w/, [], "report through the job, or log through the log that is given"],
])("each way to the outside is used in one place %s", (_, pattern, allowed, instead) => {
  expect(found(code, pattern, instead, allowed)).toEqual([]);
});

/**
 * What each stage may import: `values` to run, `types` only as types. A stage is a folder of lambda/, a
 * subfolder with its own line in this table, or an entry file in lambda/ itself.
 */
const STAGES: Readonly<Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }>> = {
  core: { values: [] },
  formats: { values: ["core"] },
  storage: { values: ["core"] },
  service: { values: ["core", "formats"] },
  archive: { values: ["core", "formats", "storage"], types: ["service"] },
  // The context that a run is given; it holds only types.
  "job/context": { values: [], types: ["accounting", "archive", "core", "service", "storage"] },
  walk: { values: ["archive", "core"], types: ["formats", "job/context", "service", "storage"] },
  accounting: { values: ["core", "formats"] },
  inputs: { values: ["accounting", "core", "formats"], types: ["storage"] },
  pack: {
    values: ["accounting", "archive", "core", "formats", "inputs", "storage"],
    types: ["job/context"],
  },
  // The page formats amounts as the report does.
  web: { values: ["accounting", "archive", "core", "formats", "inputs", "pack", "storage"] },
  job: {
    values: ["accounting", "archive", "core", "inputs", "job/context", "pack", "service", "storage", "walk", "web"],
  },
  "web/hosts/local": { values: ["accounting", "core", "job", "web"], types: ["job/context"] },
  // The parts of the page that only AWS needs.
  "web/hosts/aws": { values: ["accounting", "archive", "core", "job", "job/lambda", "pack", "storage", "web"] },
  cli: {
    values: ["accounting", "core", "inputs", "job", "web", "web/hosts/local"],
    types: ["archive", "job/context", "service", "storage"],
  },
  "job/lambda": { values: ["cli", "core", "job"], types: ["job/context", "service"] },
  handler: { values: ["core", "job", "job/lambda"], types: ["cli", "job/context"] },
  "page-handler": { values: ["core", "job", "job/lambda", "web/hosts/aws"] },
};

const IMPORT =
  /^(?:import|export)(?<type> type)?\s(?<names>[^;'"]*?)from "(?<from>[^"]+)"|import\("(?<dynamic>[^"]+)"\)/gm;

/**
 * The innermost stage that holds the path. `lambda/cli.ts` is an entry point and belongs to the stage that it
 * starts.
 */
function stageOf(path: string): string {
  const within = path.replace(/^lambda\//, "").replace(/\.ts$/, "");
  const parts = within.split("/");
  const names = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  return names.findLast((name) => name in STAGES) ?? within;
}

interface Import {
  readonly path: string;
  readonly target: string;
  readonly isType: boolean;
}

function importsOf({ path, text }: Source): Import[] {
  return [...withoutComments(text).matchAll(IMPORT)].flatMap(({ groups = {} }) => {
    const target = groups["from"] ?? groups["dynamic"] ?? "";
    if (!target.startsWith(".")) {
      return [];
    }
    const names = (groups["names"] ?? "").replaceAll(/[{}\s]+/g, " ").trim();
    const isType =
      groups["type"] !== undefined ||
      (names !== "" && names.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type ")));
    return [
      {
        path,
        target: normalize(join(path, "..", target))
          .split(sep)
          .join("/"),
        isType,
      },
    ];
  });
}

describe("imports flow one way", () => {
  const imports = SOURCES.flatMap(importsOf);

  test("no file imports itself through others, not even its types", () => {
    const targets = Map.groupBy(imports, ({ path }) => path);
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, way: readonly string[]) => {
      const at = way.indexOf(path);
      if (at !== -1) {
        cycles.push([...way.slice(at), path].join(" imports "));
      } else if (!done.has(path)) {
        for (const { target } of targets.get(path) ?? []) {
          visit(target, [...way, path]);
        }
        done.add(path);
      }
    };
    for (const { path } of SOURCES) {
      visit(path, []);
    }
    expect(cycles).toEqual([]);
  });

  test("every stage is in the table", () => {
    expect([...new Set(SOURCES.map(({ path }) => stageOf(path)))].filter((stage) => !(stage in STAGES))).toEqual([]);
  });

  test("lambda/ imports nothing from outside, except its name and version", () => {
    const outside = imports.filter(({ target }) => !target.startsWith("lambda/") && target !== "package.json");
    expect(outside.map(({ path, target }) => `${path} imports ${target}`)).toEqual([]);
  });

  test("each stage imports only what the table allows", () => {
    const wrong = imports
      .filter(({ target }) => target.startsWith("lambda/"))
      .filter(({ path, target, isType }) => {
        const [from, to] = [stageOf(path), stageOf(target)];
        const { values = [], types = [] } = STAGES[from] ?? {};
        return from !== to && !values.includes(to) && !(isType && types.includes(to));
      });
    expect(wrong.map(({ path, target, isType }) => `${path} imports ${target}${isType ? " (types)" : ""}`)).toEqual([]);
  });
});

const MAX_LINES = 300;
const WIDTH = 120;
/**
 * A comment line that is too long. A line of a single word, such as an address, cannot be wrapped and is
 * allowed.
 */
const LONG_COMMENT = new RegExp(`^(?=.{${WIDTH + 1}})\\s*(?://|/?\\*{1,2})\\s+\\S+\\s+\\S+`);

test(`comments end at column ${WIDTH}`, () => {
  const sources = globSync("{lambda,infra,test}/**/*.ts", { cwd: ROOT }).map(read);
  expect(found(sources, LONG_COMMENT, "wrap the comment")).toEqual([]);
});

test(`no source is longer than ${MAX_LINES} lines`, () => {
  const long = SOURCES.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path}: ${lines} lines: cut it along a seam`);
  expect(long).toEqual([]);
});

describe("package.json", () => {
  const manifest = JSON.parse(read("package.json").text);

  test("names every version exactly, and overrides none", () => {
    const versions = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
    expect(manifest.overrides).toBeUndefined();
  });

  test("has every script that the documents tell people to run", () => {
    const documents = globSync(["*.md", "docs/*.md"], { cwd: ROOT }).map(read);
    const named = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm (?:run (?:-s |--silent )?)([a-z][\w:-]*)/g)].map(([, script]) => ({ path, script })),
    );
    expect(named.filter(({ script = "" }) => !(script in manifest.scripts))).toEqual([]);
    if (existsSync(join(ROOT, "README.md"))) {
      expect(read("README.md").text).toMatch(/npm ci --omit=dev && npm run demo[\s\S]*npm ci && npm test/);
    }
  });
});

describe("each committed file", () => {
  const committed = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(ROOT, path)))
    .map(read)
    .filter(({ text }) => !text.includes("\0"));

  test("names no path of one machine", () => {
    const folders = ["work", "root", "home", "Users"].join("|");
    const path = new RegExp(`(?<![\\w.})-])/(?:${folders})/\\S*`);
    expect(found(committed, path, "it exists on one machine only")).toEqual([]);
  });

  test("uses the system's folder for temporary files", () => {
    const path = new RegExp(`(?<![\\w.})-])/${"tmp"}/\\S*`);
    // The event test has a path as text that the check must refuse. It makes no file there.
    expect(found(committed, path, "use os.tmpdir()", ["test/job/lambda/event.test.ts"])).toEqual([]);
  });

  test("names no package registry", () => {
    const host = new RegExp(
      `\\b(?:${["registry", "npm\\.pkg", "artifactory", "nexus"].join("|")})\\.[a-z]+|\\b${"npmjs"}\\.(?:org|com)`,
    );
    expect(found(committed, host, "which registry is used is the machine's own affair")).toEqual([]);
  });
});
