import { expect, test } from "vitest";
import { run } from "./commands/run.ts";

/** What npm 11 sets for `npm run -s fillbook` without any option. */
const BY_ITSELF = {
  npm_lifecycle_event: "fillbook",
  npm_config_user_agent: "npm/11.19.1 node/v20.20.2 linux x64 workspaces/false",
  npm_config_noproxy: "",
  npm_config_userconfig: "/srv/ann/.npmrc",
  npm_config_local_prefix: "/srv/fillbook",
  npm_config_yes: "",
  npm_config_audit: "",
  npm_config_prefix: "/usr",
  npm_config_npm_version: "11.19.1",
  npm_config_cache: "/srv/ann/.npm",
  npm_config_loglevel: "silent",
  npm_config_fund: "",
  npm_config_globalconfig: "/usr/etc/npmrc",
  npm_config_init_module: "/srv/ann/.npm-init.js",
  npm_config_global_prefix: "/usr",
};

// npm gives an option without `--` before it to the script only as a variable, which npm 11 sets to "true"
// for an option with a value, too. The value is then a word of its own.
test.each([
  [["sync"], { npm_config_dry_run: "true" }, "--dry-run", "sync --dry-run"],
  [["--quiet", "sync"], { npm_config_dry_run: "true" }, "--dry-run", "--quiet sync --dry-run"],
  [["export", "us-2025"], { npm_config_period: "true" }, "--period", "export --period us-2025"],
  [
    ["export", "us-2025", "./us-2025"],
    { npm_config_period: "true", npm_config_out: "true" },
    "--period, --out",
    "export us-2025 ./us-2025 --period … --out …",
  ],
  [["open", "us-2025"], { npm_config_store: "./x" }, "--store", "open us-2025 --store ./x"],
  [["open", "./x"], { npm_config_store: "true" }, "--store", "open ./x --store …"],
  [
    ["export", "--period", "us-2025", "--out", "my books"],
    { npm_config_zone: "-03:00" },
    "--zone",
    "export --period us-2025 --out 'my books' --zone=-03:00",
  ],
  [
    ["serve"],
    { npm_config_open: "", npm_config_store: "./my books" },
    "--store, --no-open",
    "serve --store './my books' --no-open",
  ],
])("%j: npm took an option, and the message says what to type", async (line, taken, flags, typed) => {
  const ran = await run(line, { environment: { ...BY_ITSELF, ...taken } });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(`: npm took ${flags} for itself\n  write: npm run -s fillbook -- ${typed}\n`);
});

// json, all and yes are npm's own settings too, and npm passes options of an outer run on to an inner one.
test.each([
  [["periods", "--json"], { npm_config_json: "true" }],
  [["periods"], { npm_config_json: "true" }],
  [["packs"], { npm_config_all: "true" }],
  [["periods"], { npm_config_port: "80", npm_config_from: "2025-01-01", npm_config_dry_run: "true" }],
  [["packs", "--store", "./x"], { npm_config_store: "true" }],
  [["packs", "--store=./x", "--account", "main"], { npm_config_store: "./y", npm_config_account: "hedge" }],
  [[], { npm_config_store: "./x" }],
])("%j: an option that npm did not take from this line changes nothing", async (line, others) => {
  expect((await run(line, { environment: { ...BY_ITSELF, ...others } })).stderr).not.toContain("npm took");
});

test("what npm sets by itself changes nothing, and neither does an option if npm did not start the program", async () => {
  expect(await run(["periods"], { environment: BY_ITSELF })).toMatchObject({ code: 0, stderr: "" });
  const other = { ...BY_ITSELF, npm_lifecycle_event: "test", npm_config_store: "./x" };
  expect(await run(["periods"], { environment: other })).toMatchObject({ code: 0, stderr: "" });
});

test.each([
  ["export us-2025", "did you mean: fillbook export --period us-2025"],
  ["verify month-2025-03", "did you mean: fillbook verify --period month-2025-03"],
  ["sync us-2025", "did you mean: fillbook export --period us-2025"],
  ["export everything", "see how it is used with: fillbook export --help"],
])("%s: a period without its option", async (line, hint) => {
  const ran = await run(line.split(" "));
  expect([ran.code, ran.stderr.split("\n")[1]]).toEqual([2, `  ${hint}`]);
});
