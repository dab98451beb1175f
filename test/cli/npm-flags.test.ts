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
  [["export", "us-2025"], { npm_config_period: "true" }, "--period", "export --period …"],
  [
    ["serve"],
    { npm_config_open: "", npm_config_store: "./my books" },
    "--store, --no-open",
    "serve --store './my books' --no-open",
  ],
  [[], { npm_config_json: "true" }, "--json", "COMMAND --json"],
])("%j: npm took an option, and the message says what to type", async (line, taken, flags, typed) => {
  const ran = await run(line, { environment: { ...BY_ITSELF, ...taken } });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(`: npm took ${flags} for itself\n  write: npm run -s fillbook -- ${typed}\n`);
});

test("what npm sets by itself changes nothing, and neither does an option if npm did not start the program", async () => {
  expect(await run(["periods"], { environment: BY_ITSELF })).toMatchObject({ code: 0, stderr: "" });
  const other = { ...BY_ITSELF, npm_lifecycle_event: "test", npm_config_dry_run: "true" };
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
