import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MACHINE, NIGHTLY_MACHINE, SCHEDULE_GROUP, secretName } from "../../infra/names.ts";
import { userOf } from "../../lambda/web/hosts/aws/claims.ts";
import { pageTemplates, resourcesOf, templates } from "./synth.ts";

const ROOT = join(import.meta.dirname, "../..");
const RUNBOOK = readFileSync(join(ROOT, "RUNBOOK.md"), "utf8");
const SHELL = [...RUNBOOK.matchAll(/```sh\n(.*?)```/gs)].map(([, text = ""]) => text).join("\n");

function all(pattern: RegExp, text = RUNBOOK): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, found = ""]) => found))];
}

test("every link of the runbook leads to one of its headings", () => {
  const headings = all(/^#+ (.+)$/gm).map((heading) => heading.toLowerCase().replaceAll(" ", "-"));
  expect(all(/\]\(#([^)]+)\)/g).filter((anchor) => !headings.includes(anchor))).toEqual([]);
});

test("every output that the runbook reads is one of a stack's", () => {
  const { data, job, page } = pageTemplates({ packLockDays: "30" });
  const outputs = new Map([
    ["FillbookData", data],
    ["FillbookJob", job],
    ["FillbookPage", page],
  ]);
  const read = [...RUNBOOK.matchAll(/output (Fillbook\w+) (\w+)/g)];
  expect(read.length).toBeGreaterThan(5);
  for (const [text, stack = "", name = ""] of read) {
    expect(Object.keys(outputs.get(stack)?.findOutputs("*") ?? {}), text).toContain(name);
  }
});

test("every shell variable that the runbook uses is one that it sets, or says how", () => {
  const set = [...all(/\b([A-Z]+)=/g, SHELL), ...all(/for (\w+) in/g, SHELL), ...all(/read -rs (\w+)/g, SHELL)];
  const used = all(/\$\{?([A-Za-z]\w*)/g, SHELL).filter((name) => !["query", "id"].includes(name)); // of ask itself
  expect(used.filter((name) => !set.includes(name))).toEqual([]);
});

test("names in the runbook are those of the deployment", () => {
  expect(RUNBOOK).toContain(`\`${MACHINE}\``);
  expect(RUNBOOK).toContain(`\`${NIGHTLY_MACHINE}\``);
  expect(RUNBOOK).toContain(`--group-name ${SCHEDULE_GROUP} `);
  expect(RUNBOOK).toContain(`SECRET=${secretName("$ACCOUNT")} `);
  // by its type, since CloudFormation names it
  expect(resourcesOf(templates().job, "AWS::SQS::Queue")).toHaveLength(1);
});

test("groups of the page's users are called in the runbook as the page reads them", () => {
  const named = all(/--group-name ((?:accountant|operator):\S+)/g, SHELL);
  expect(named).toEqual(["accountant:$ACCOUNT"]);
  const user = userOf({
    token_use: "access",
    username: "ann",
    "cognito:groups": `[${named[0]?.replace("$ACCOUNT", "main")}]`,
  });
  expect(typeof user === "string" ? user : [user.roleIn("main"), user.roleIn("other")]).toEqual(["accountant", null]);
  const there = resourcesOf(pageTemplates().users, "AWS::Cognito::UserPoolGroup").map(
    ([, { Properties }]) => `\`${Properties["GroupName"]}\``,
  );
  expect(there.filter((name) => !RUNBOOK.includes(name))).toEqual([]);
});

test("every setting that the runbook names is one, and every setting is in its table", () => {
  const settings = all(/"(\w+)",\s*"FILLBOOK_/g, readFileSync(join(ROOT, "infra/settings.ts"), "utf8"));
  const tabled = [...RUNBOOK.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| `FILLBOOK_/gm)].flatMap(([, names = ""]) =>
    all(/`(\w+)`/g, names),
  );
  expect(tabled.toSorted()).toEqual([...settings].toSorted());
  const named = all(/-c (\w+)=/g);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => name !== "name" && !settings.includes(name))).toEqual([]);
});
