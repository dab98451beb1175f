import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { parsePeriod } from "../../../../lambda/core/period.ts";
import { readEvent } from "../../../../lambda/job/lambda/event.ts";
import { planSlice } from "../../../../lambda/job/lambda/slice.ts";
import type { ArchiveView } from "../../../../lambda/web/data/archives.ts";
import { type Execution, stateOf } from "../../../../lambda/web/hosts/aws/execution-state.ts";
import { executions } from "../../../../lambda/web/hosts/aws/executions.ts";
import type { Jobs, MakeRequest, User } from "../../../../lambda/web/ports.ts";
import type { SfnDouble } from "../../../support/aws-doubles.ts";
import { openHostedWorld } from "./world.ts";

const ANN: User = { name: "ann", roleIn: () => "operator" };
const YEAR = parsePeriod("us-2025");
const EXPORT: MakeRequest = { account: "main", kind: "export", period: "us-2025", method: "fifo" };
const VERSION = "0123456789abcdef";
type ReadSoFar = Pick<ArchiveView, "coverage" | "fills">;
const VERIFY: MakeRequest = { account: "main", kind: "verify" };

let sfn: SfnDouble;
let archive: ReadSoFar;
let archiveReads: string[];
let jobs: Jobs;

beforeEach(async () => {
  const { sfn: double, settings } = await openHostedWorld();
  [sfn, archive, archiveReads] = [double, { coverage: [], fills: 0 }, []];
  jobs = executions({
    machine: settings.machine,
    archiveOf: (account) => {
      archiveReads.push(account);
      return Promise.resolve(archive);
    },
    now: () => sfn.now,
  });
});

const found = (id: string) => jobs.find("main", id);

describe("a job", () => {
  test.each<MakeRequest>([
    EXPORT,
    { account: "main", kind: "export", from: "2025-01-01", to: "2025-02-01", zone: "Europe/London", method: "average" },
    { account: "a-1", kind: "sync" },
    { account: "main", kind: "verify", period: "us-2025" },
  ])("is an execution whose input the function understands, and is found by its name: %j", async (request) => {
    const state = await jobs.start(request, ANN);
    const [execution] = sfn.executions;
    expect(state).toMatchObject({ request, startedBy: "ann", startedAt: sfn.now, state: "running", pack: null });
    expect(execution?.name).toBe(state.id);
    expect(state.id).toMatch(new RegExp(`^${request.account}\\.[0-9a-f]{12}\\.[0-9a-z]+$`));
    const input = JSON.parse(execution?.input ?? "");
    expect(input).toMatchObject({ action: request.kind, startedBy: "ann" });
    const event = readEvent({ ...input, runId: state.id });
    expect(event.account).toBe(request.account);
    expect(planSlice(event).action).toBe(request.kind);
    expect(await jobs.find(request.account, state.id)).toMatchObject({ request, startedBy: "ann" });
  });

  test("that runs for the same request is not started again by anybody; another request is started", async () => {
    const first = await jobs.start(EXPORT, ANN);
    sfn.now += 3_600_000;
    expect(await jobs.start({ ...EXPORT }, { ...ANN, name: "bob" })).toMatchObject({ id: first.id, startedBy: "ann" });
    for (const other of [{ ...EXPORT, method: "average" }, { ...EXPORT, account: "other" }, VERIFY]) {
      expect((await jobs.start(other, ANN)).id).not.toBe(first.id);
    }
    sfn.end(first.id, { status: "FAILED", cause: "x" });
    expect((await jobs.start(EXPORT, ANN)).id).not.toBe(first.id);
    expect(sfn.executions).toHaveLength(5);
  });

  test("that is not listed yet is still one job for two people who request it at the same moment", async () => {
    sfn.lagMs = 60_000;
    const first = await jobs.start(EXPORT, ANN);
    sfn.now += 2000;
    expect(await jobs.start(EXPORT, { ...ANN, name: "bob" })).toMatchObject({ id: first.id, startedBy: "ann" });
    expect(sfn.executions).toHaveLength(1);
  });

  test("whose start got no answer is found by the second request, also when it is over by then", async () => {
    const lost = () => sfn.end(sfn.executions[0]?.name ?? "", { status: "FAILED", cause: "no" });
    sfn.plan = ({ operation }) => (operation === "StartExecution" && sfn.executions.length === 0 ? { lost } : "ok");
    const state = await jobs.start(EXPORT, ANN);
    expect(sfn.executions.map(({ name }) => name)).toEqual([state.id]);
    expect(sfn.calls.filter(({ operation }) => operation === "StartExecution")).toHaveLength(2);
    expect(state).toMatchObject({ request: EXPORT, state: "failed" });
  });

  test("is refused while five jobs of its account run", async () => {
    const months = ["01", "02", "03", "04", "05"].map((month) => ({ ...EXPORT, period: `month-2025-${month}` }));
    await Promise.all(months.map((request) => jobs.start(request, ANN)));
    await expect(jobs.start(EXPORT, ANN)).rejects.toMatchObject({ kind: "usage", message: /5 jobs/ });
    expect(await jobs.start(months[2] ?? EXPORT, ANN)).toMatchObject({ request: months[2] });
    expect(await jobs.start({ ...EXPORT, account: "other" }, ANN)).toMatchObject({ state: "running" });
    sfn.end(sfn.executions[0]?.name ?? "", { status: "SUCCEEDED", output: "{}" });
    expect(await jobs.start(EXPORT, ANN)).toMatchObject({ state: "running" });
  });
});

test("a job that runs says what was read, and of an export that its period was", async () => {
  const { id } = await jobs.start(EXPORT, ANN);
  archive = { coverage: [], fills: 1234 };
  const soFar = "1,234 fills in the archive so far.";
  expect(await found(id)).toMatchObject({ state: "running", covered: null, note: soFar });
  archive = { ...archive, coverage: [YEAR] };
  expect((await found(id))?.note).toMatch(/^The period was read\. .* 1,234 fills in the archive so far\.$/);
  const sync = await jobs.start({ account: "main", kind: "sync" }, ANN);
  expect((await found(sync.id))?.note).toBe(soFar);
});

describe("a job that is over", () => {
  test.each<[unknown, string | null]>([
    [`s3://packs/fillbook/main/packs/us-2025/${VERSION}`, VERSION],
    [`s3://b/main/packs/us-2025/${VERSION}-INCOMPLETE`, `${VERSION}-INCOMPLETE`],
    [`s3://b/other/packs/us-2025/${VERSION}`, null],
    ["s3://b/main", null],
    [7, null],
  ])("has the pack that the export names, in whatever store: %j", async (dir, version) => {
    const { id } = await jobs.start(EXPORT, ANN);
    const output = JSON.stringify({ dir, warnings: ["fills came late", 7], complete: true });
    sfn.end(id, { status: "SUCCEEDED", output });
    const pack = version === null ? null : { period: "us-2025", version };
    const note = "The pack is ready. Fills came late.";
    expect(await found(id)).toMatchObject({ state: "done", covered: 1, pack, note });
  });

  const late = "The job exceeded its time limit and was ended. What was read is kept. Start it again to continue.";
  const unknown = "an unknown number of fills in the archive, an unknown number of fills of them new.";
  const untrusted = '{"errorType":"UntrustedData","errorMessage":"it is damaged: restore it"}';
  const silent = "The job failed and gave no reason. Look in the function's log.";
  const STATES = { SUCCEEDED: "done", FAILED: "failed", TIMED_OUT: "failed", ABORTED: "stopped" } as const;

  test.each<[MakeRequest["kind"], keyof typeof STATES, string, string]>([
    ["verify", "SUCCEEDED", '{"checked":1200}', "1,200 objects checked. All are unchanged."],
    ["sync", "SUCCEEDED", '{"fills":5,"added":1}', "5 fills in the archive, 1 fill of them new."],
    ["sync", "SUCCEEDED", '{"fills":"<b>"}', unknown],
    ["export", "FAILED", untrusted, "It is damaged: restore it."],
    ["export", "FAILED", '{"errorMessage": 7}', silent],
    ["export", "FAILED", "x".repeat(5000), `X${"x".repeat(2499)}…`],
    ["export", "FAILED", "S3://bucket/main/fills/a is damaged: restore it", "… is damaged: restore it."],
    ["export", "TIMED_OUT", "", late],
    ["export", "ABORTED", "by arn:aws:sts::0:role/olga", "This job was stopped. What was read is kept."],
  ])("%s %s with %j says what came of it, and names no place", async (kind, status, text, note) => {
    const { id } = await jobs.start({ ...EXPORT, kind }, ANN);
    sfn.end(id, status === "SUCCEEDED" ? { status, output: text } : { status, cause: text });
    const covered = status === "SUCCEEDED" ? 1 : null;
    expect(await found(id)).toMatchObject({ state: STATES[status], covered, pack: null, note });
  });
});

test.each([
  ["BadSettings", /^The settings of this deployment, .* are wrong\. Ask whoever runs this page: .* log under /],
  ["Fault", /^The program failed\. Ask whoever runs this page: .* log under /],
])("the text of %s is only for the operator: others are told where to find it", async (errorType, note) => {
  const { id } = await jobs.start(EXPORT, ANN);
  const errorMessage = "the secret fillbook/main/token of arn:aws:iam::0:role/r is empty: set FILLBOOK_TOKEN_SECRET";
  sfn.end(id, { status: "FAILED", cause: JSON.stringify({ errorType, errorMessage, trace: ["at x"] }) });
  const said = (await found(id))?.note ?? "";
  expect([said, said.endsWith(` ${id}.`)]).toEqual([expect.stringMatching(note), true]);
  expect(said).not.toMatch(/secret|arn:|FILLBOOK/);
});

describe("an execution of another account is not found", () => {
  test.each([
    (id: string) => id.replace("main", "other"),
    (id: string) => `../${id}`,
    (id: string) => `${id}\n`,
    () => "tax-us-2025-v1",
    () => `main.${"0".repeat(12)}.0`,
    () => "main.000000000000.abc", // its input names another account
  ])("%s", async (change) => {
    const { id } = await jobs.start(EXPORT, ANN);
    for (const [name, account] of [["tax-us-2025-v1", "main"] as const, ["main.000000000000.abc", "other"] as const]) {
      sfn.add({ name, input: JSON.stringify({ action: "sync", account }) });
    }
    expect(await jobs.find("main", change(id))).toBeNull();
    expect(await jobs.find("other", id)).toBeNull();
  });

  test("with any input, output and cause: nothing throws, and texts are bounded", async () => {
    const any = fc.oneof(fc.string({ maxLength: 300 }), fc.jsonValue());
    const names = ["period", "from", "to", "startedBy", "dir", "warnings", "errorMessage"];
    const request = { action: fc.constantFrom("export", "sync", "x"), account: fc.constantFrom("main", "other") };
    const fields = { ...request, ...Object.fromEntries(names.map((name) => [name, any])) };
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.json(),
      fc.record(fields, { requiredKeys: ["action", "account"] }).map((values) => JSON.stringify(values)),
    );
    const statuses = fc.constantFrom("RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED", "PENDING_REDRIVE", "");
    await fc.assert(
      fc.asyncProperty(statuses, texts, texts, texts, async (status, input, output, cause) => {
        const execution = { name: "main.000000000000.1", status, startDate: new Date(0), input, output, cause };
        const state = await stateOf("main", execution as Execution, () => Promise.resolve(archive));
        if (state !== null) {
          expect(state.request.account).toBe("main");
          expect(state.startedBy.length).toBeLessThanOrEqual(128);
          expect(state.note.length).toBeLessThan(5000);
        }
      }),
    );
  });
});

test("a job is stopped at Step Functions; another account's is unchanged, a missing one no error", async () => {
  const { id } = await jobs.start(EXPORT, ANN);
  await jobs.stop("other", id);
  await jobs.stop("main", `main.${"0".repeat(12)}.0`);
  expect(await found(id)).toMatchObject({ state: "running" });
  await jobs.stop("main", id);
  expect(await found(id)).toMatchObject({ state: "stopped" });
});

test("the recent jobs are the ten newest of the account, newest first; those started by hand are marked", async () => {
  for (let at = 0; at < 14; at += 1) {
    sfn.now += 60_000;
    const input = JSON.stringify({ action: "export", account: at % 7 === 0 ? "other" : "main", period: "us-2025" });
    sfn.add({ name: `${at % 7 === 0 ? "other" : "main"}.00000000000a.${at}`, input });
  }
  sfn.add({ name: "by-hand", input: JSON.stringify({ action: "sync", account: "main" }) });
  const recent = await jobs.recent("main");
  expect(recent.map(({ id }) => id.split(".")[2])).toEqual(["13", "12", "11", "10", "9", "8", "6", "5", "4", "3"]);
  expect(new Set(recent.map(({ startedBy }) => startedBy))).toEqual(new Set(["the command line"]));
  expect(archiveReads).toEqual(["main"]);
  expect(sfn.calls.filter(({ operation }) => operation === "ListExecutions")).toHaveLength(1);
  expect((await jobs.recent("other")).map(({ id }) => id)).toEqual(["other.00000000000a.7", "other.00000000000a.0"]);
  expect(await jobs.recent("mai")).toEqual([]);
});

test.each([
  ["ThrottlingException", 400, "incomplete", /again/],
  ["AccessDeniedException", 400, "usage", /deploy its stacks/],
  ["InternalFailure", 500, "incomplete", /again/],
] as const)(
  "a refusal by Step Functions tells what to do, and names no role: %s",
  async (refuse, status, kind, hint) => {
    vi.stubEnv("AWS_MAX_ATTEMPTS", "1");
    sfn.plan = () => ({ refuse, status });
    const message = expect.stringMatching(new RegExp(`^(?!.*arn:).*${refuse}`));
    await expect(jobs.recent("main")).rejects.toMatchObject({ kind, message, hint: expect.stringMatching(hint) });
  },
);
