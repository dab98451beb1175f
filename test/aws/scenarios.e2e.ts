import { hash } from "node:crypto";
import process from "node:process";
import { CreateScheduleCommand, GetScheduleCommand, ListSchedulesCommand } from "@aws-sdk/client-scheduler";
import { PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { ListExecutionsCommand } from "@aws-sdk/client-sfn";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "../../lambda/storage/store.ts";
import { makeHistory } from "../emulator/history.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { packRows } from "../support/exports.ts";
import { text } from "../support/store-text.ts";
import { deploy } from "./cdk.ts";
import { type Clients, freshCloud, keysIn, outputOf, storeAt, until } from "./cloud.ts";
import type { CloudPlace } from "./place.ts";
import { endOfRun, killFunctions, logLines, SUCCEEDED, setSliceSeconds, startRun } from "./runs.ts";
import { openService, type Service, tokenOf } from "./service.ts";

/**
 * What a user does on one deployment with two accounts and locked packs. The tests run in this order and depend on each
 * other. The emulator's CloudFormation creates the packs' bucket without its lock. Its policies know neither the
 * conditions of a write (`s3:if-none-match`, `s3:if-match`, `s3:ObjectCreationOperation`) nor the session's account in
 * a resource (app.ts spells it out); test/infra and test/handler have those of the template.
 */

const MINUTE_MS = 60_000;
const YEAR_2025 = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const MAIN_FILLS = 50_000;
const SECOND_FILLS = 4000;
const LOCKED = { packLockDays: "3650" };

/** Short enough that the first sync needs several slices. Long enough for what a slice does in one go. */
const SHORT_SECONDS = 30;
const LAMBDA_SECONDS = 900;

let service: Service;
let place: CloudPlace;
let owner: Clients;
let machine: string;
let nightly: string;
let fn: string;
let logGroup: string;
let archive: Store;
let packs: Store;

beforeAll(async () => {
  service = await openService({
    main: makeHistory({ seed: 21, fills: MAIN_FILLS, ...YEAR_2025 }),
    second: makeHistory({ seed: 22, fills: SECOND_FILLS, ...YEAR_2025 }),
  });
  ({ place, owner } = await freshCloud());
  await deploy(place, { settings: { accounts: "main,second", ...LOCKED }, service });
  archive = storeAt(place, await outputOf(owner, "FillbookData", "ArchiveUri"));
  packs = storeAt(place, await outputOf(owner, "FillbookData", "PacksUri"));
  machine = await outputOf(owner, "FillbookJob", "MachineArn");
  nightly = await outputOf(owner, "FillbookJob", "NightlyMachineArn");
  fn = await outputOf(owner, "FillbookJob", "FunctionName");
  logGroup = await outputOf(owner, "FillbookJob", "LogGroupName");
});
afterAll(() => service.close());

const book = (account: string) => service.books.get(account) ?? expect.fail(`no account ${account}`);

/** As the runbook says under "The token". */
async function putToken(account: string, token: string): Promise<void> {
  await owner.secrets.send(
    new PutSecretValueCommand({ SecretId: `fillbook/${account}`, SecretString: JSON.stringify({ token }) }),
  );
}

async function run(input: object, withinMs = 2 * MINUTE_MS) {
  return await endOfRun(owner, await startRun(owner, machine, input), withinMs);
}

/** Compares the account's archive with the service's fills. */
async function audited(account: string) {
  return await audit(archive, account, book(account).emulator.truth(Number.POSITIVE_INFINITY));
}

test("tokens are put into Secrets Manager", async () => {
  const before = await run({ action: "sync", account: "main" });
  expect(before).toMatchObject({ status: "FAILED", cause: expect.stringContaining("fillbook/main") });
  await putToken("main", book("main").token);
  await putToken("second", book("second").token);
});

test("50,000 fills are walked in short slices, and the function's process is killed once", async () => {
  const { emulator } = book("main");
  await setSliceSeconds(owner, fn, SHORT_SECONDS);
  const request = { action: "sync", account: "main" };
  // On AWS a killed process causes Runtime.ExitError, which the machine tries again. The emulator calls every
  // error Runtime.HandlerError (lambda_svc.py, _execute_function_warm), so the execution ends and a person
  // starts it again.
  emulator.setSwitches({ latency: { ms: 100, jitterMs: 50 } });
  const since = Date.now();
  const ended = endOfRun(owner, await startRun(owner, machine, request), 3 * MINUTE_MS);
  await Promise.race([
    service.requested(500),
    ended.then((end) => {
      throw new Error(`the run ended before it was killed: ${JSON.stringify(end)}`);
    }),
  ]);
  await killFunctions(place.pid);
  expect(await ended).toMatchObject({ status: "FAILED", cause: expect.stringContaining("Worker process died") });
  const last = await run(request, 5 * MINUTE_MS);
  expect(last).toMatchObject({ ...SUCCEEDED, output: { complete: true, fills: MAIN_FILLS } });
  const slices = (await logLines(owner, logGroup, since)).filter(({ message }) => message === "slice begins");
  process.stderr.write(`${MAIN_FILLS} fills in ${slices.length} slices\n`);
  expect(slices.length).toBeGreaterThanOrEqual(3);
  emulator.setSwitches({ latency: { ms: 0, jitterMs: 0 } });
  expect(await audited("main")).toMatchObject({ rows: MAIN_FILLS, ...SOUND });
  await setSliceSeconds(owner, fn, LAMBDA_SECONDS);
}, 480_000);

test("the scheduler starts the nightly run of both accounts", async () => {
  const { Schedules: schedules = [] } = await owner.scheduler.send(new ListSchedulesCommand({ GroupName: "fillbook" }));
  expect(schedules).toHaveLength(1);
  const { Name: name = "" } = schedules[0] ?? {};
  const nightlySchedule = await owner.scheduler.send(new GetScheduleCommand({ GroupName: "fillbook", Name: name }));
  expect(nightlySchedule).toMatchObject({ ScheduleExpression: "cron(10 4 * * ? *)", State: "ENABLED" });
  // A copy of the deployed schedule for this minute, with its target, input and role. The deployed schedule
  // itself cannot be moved: the emulator has recorded its cron(…) as fired and never fires it as at(…)
  // (scheduler.py, _tick_schedules).
  await owner.scheduler.send(
    new CreateScheduleCommand({
      Name: "now",
      GroupName: "fillbook",
      FlexibleTimeWindow: nightlySchedule.FlexibleTimeWindow,
      Target: nightlySchedule.Target,
      ScheduleExpression: `at(${new Date().toISOString().slice(0, 19)})`,
    }),
  );
  const arn = await until("the nightly execution", MINUTE_MS, async () => {
    const { executions } = await owner.states.send(new ListExecutionsCommand({ stateMachineArn: nightly }));
    return executions?.[0]?.executionArn ?? null;
  });
  expect(await endOfRun(owner, arn, 3 * MINUTE_MS)).toMatchObject(SUCCEEDED);
  expect(await audited("second")).toMatchObject({ rows: SECOND_FILLS, ...SOUND });
  expect(await audited("main")).toMatchObject({ rows: MAIN_FILLS, ...SOUND });
});

test("a period on demand gives complete files with the service's rows, in the packs' bucket only", async () => {
  const ended = await run({ action: "export", account: "second", period: "us-2025" }, 5 * MINUTE_MS);
  expect(ended).toMatchObject({ ...SUCCEEDED, output: { complete: true } });
  const folder = "second/packs/us-2025";
  const { version, sums } = JSON.parse((await text(packs, `${folder}/latest.json`)) ?? "");
  expect(await keysIn(archive, "second/packs/")).toEqual([]);
  expect(ended.output?.["dir"]).toBe(`${packs.location}/${folder}/${version}`);
  const files = await keysIn(packs, `${folder}/${version}/`);
  const hashes = await Promise.all(
    files.map(async (key) => [key, hash("sha256", (await packs.get(key))?.body ?? "")] as const),
  );
  expect(hashes).toContainEqual([`${folder}/${sums.path}`, sums.sha256]);
  const listed = (await text(packs, `${folder}/${sums.path}`)) ?? "";
  const expected = hashes.filter(([key]) => !key.endsWith("/SHA256SUMS"));
  expect(listed.trimEnd().split("\n").sort()).toEqual(
    expected.map(([key, sum]) => `${sum}  ${key.slice(`${folder}/${version}/`.length)}`).sort(),
  );
  const [from, to] = [Date.UTC(2025, 0, 1, 5), Date.UTC(2026, 0, 1, 5)]; // New York
  const truth = [...book("second").emulator.truth(Number.POSITIVE_INFINITY).values()].filter(
    ({ filledAt, txCreated }) => from <= (filledAt ?? txCreated) && (filledAt ?? txCreated) < to,
  );
  const rows = await packRows(packs, `${folder}/${version}`, "fills.csv");
  expect(rows.map((row) => `${row["match_id"]} ${row["order_id"]}`).sort()).toEqual(
    truth.map(({ matchId, orderId }) => `${matchId} ${orderId}`).sort(),
  );
});

test("a token may be rotated: runs with the old one fail and say so, other accounts still run, and the new one is found", async () => {
  const renewed = tokenOf("second", 2);
  book("second").accept(renewed);
  const since = Date.now();
  // Sends requests, because the days of the look-back are walked again. On AWS the error's name is
  // TokenRefused, which test/handler asserts. The emulator calls every JavaScript error Runtime.HandlerError.
  const whole = { action: "sync", account: "second" };
  const ended = await run(whole);
  expect(ended).toMatchObject({ status: "FAILED", cause: expect.stringMatching(/token/) });
  expect(ended.cause).not.toContain(book("second").token);
  const lines = await logLines(owner, logGroup, since);
  expect(lines).toContainEqual(expect.objectContaining({ level: "ERROR", error: "TokenRefused", account: "second" }));

  const night = await endOfRun(owner, await startRun(owner, nightly, { action: "sync" }), 2 * MINUTE_MS);
  expect(night).toMatchObject({ status: "FAILED", error: "AccountsNotComplete" });
  expect(night.cause).toMatch(/^\d+ of \d+ accounts complete\b.*\bsecond\b/);
  await expect
    .poll(() => logLines(owner, logGroup, since), { timeout: MINUTE_MS })
    .toContainEqual(expect.objectContaining({ message: "slice ended", account: "main", complete: true }));

  await putToken("second", renewed);
  expect(await run(whole)).toMatchObject({ ...SUCCEEDED, output: { complete: true } });
});
